// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/run_folder.h"

#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gonogo/io/file.h"

namespace gonogo::io {
namespace {

class RunFolderTest : public ::testing::Test {
 protected:
  RunFolderTest() { std::filesystem::remove_all(folder_); }
  ~RunFolderTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path Put(const std::string& name) {
    std::ofstream(folder_ / name) << "half";
    return folder_ / name;
  }
  [[nodiscard]] std::string TemporaryOf(const std::string& name, pid_t pid) const {
    const std::string mine = TemporaryFor(folder_ / name).filename().string();
    return mine.substr(0, mine.rfind('-')) + "-" + std::to_string(pid) + ".tmp";
  }
  /// The number of a process that has ended.
  static pid_t DeadProcess() {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    ::waitpid(child, nullptr, 0);
    return child;
  }

  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "gonogo_run_folder_test";
};

TEST_F(RunFolderTest, RemovesWhatKilledProcessesOfThisHostLeftHalfWritten) {
  ASSERT_TRUE(OpenRunFolder(folder_ / "parts").ok());
  const auto left = Put(TemporaryOf("result.json", DeadProcess()));
  const auto dashes = Put(TemporaryOf("response-effort.onnx", DeadProcess()));
  ASSERT_TRUE(OpenRunFolder(folder_).ok());
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_FALSE(std::filesystem::exists(dashes));
}

TEST_F(RunFolderTest, LeavesFilesOfLivingProcessesOtherHostsAndOtherPrograms) {
  ASSERT_TRUE(OpenRunFolder(folder_).ok());
  const std::string dead = std::to_string(DeadProcess());
  for (const std::string& name :
       {TemporaryOf("result.json", ::getpid()), "result.json.elsewhere-" + dead + ".tmp",
        std::string("notes.tmp"), "notes-" + dead + ".tmp",
        TemporaryOf("result.json", DeadProcess()) + "x", std::string("result.json")}) {
    const auto file = Put(name);
    ASSERT_TRUE(OpenRunFolder(folder_).ok());
    EXPECT_TRUE(std::filesystem::exists(file)) << name;
  }
}

TEST_F(RunFolderTest, AFileThatCannotBeAFolderIsAnError) {
  ASSERT_TRUE(OpenRunFolder(folder_).ok());
  const auto file = Put("file");
  EXPECT_FALSE(OpenRunFolder(file).ok());
}

}  // namespace
}  // namespace gonogo::io
