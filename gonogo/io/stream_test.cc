// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/stream.h"

#include <filesystem>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gonogo::io {
namespace {

using testing::HasSubstr;

/// A named pipe of its own.
class Fifo {
 public:
  Fifo() : path_(testing::TempDir() + "gonogo-fifo-" + std::to_string(::getpid())) {
    std::filesystem::remove(path_);
    EXPECT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  }
  ~Fifo() { std::filesystem::remove(path_); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(StreamTest, TellsStreamsFromFiles) {
  const Fifo fifo;
  EXPECT_TRUE(IsStream("-"));
  EXPECT_TRUE(IsStream(fifo.path()));
  EXPECT_TRUE(IsStream("/dev/zero"));
  EXPECT_FALSE(IsStream("/etc/passwd"));
  EXPECT_FALSE(IsStream("/etc"));
  EXPECT_FALSE(IsStream("/no/such/file"));
}

TEST(StreamTest, ReadsWhatComesThroughAPipe) {
  const Fifo fifo;
  std::thread writer([&] {
    std::ofstream file(fifo.path());
    for (int i = 0; i < 20000; ++i) file << "0123456789";
  });
  const Result<std::string> bytes = ReadStream(fifo.path());
  writer.join();
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(bytes.value().size(), 200'000U);
}

TEST(StreamTest, DoesNotWaitForeverForAWriter) {
  const Fifo fifo;
  const Result<std::string> bytes =
      ReadStream(fifo.path(), {.first_writer = std::chrono::milliseconds(20)});
  ASSERT_FALSE(bytes.ok());
  EXPECT_THAT(bytes.error().message, HasSubstr("nobody wrote to this pipe"));
}

TEST(StreamTest, RefusesWhatNeverEnds) {
  EXPECT_THAT(ReadStream("/dev/zero").error().message, HasSubstr("is a device"));
  const Fifo fifo;
  std::thread writer([&] {
    std::ofstream file(fifo.path());
    file << std::string(1000, 'x');
  });
  const Result<std::string> bytes = ReadStream(fifo.path(), {.bytes = 999});
  writer.join();
  ASSERT_FALSE(bytes.ok());
  EXPECT_THAT(bytes.error().message, HasSubstr("more than 999 bytes"));
}

TEST(StreamTest, NothingIsAnEmptyStream) {
  ASSERT_TRUE(ReadStream("/dev/null").ok());
  EXPECT_EQ(ReadStream("/dev/null").value(), "");
}

}  // namespace
}  // namespace gonogo::io
