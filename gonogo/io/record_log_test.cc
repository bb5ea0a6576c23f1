// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/record_log.h"

#include <csignal>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "gonogo/base/parallel/parallel.h"
#include "gonogo/io/file.h"

namespace gonogo::io {
namespace {

std::filesystem::path Fresh(const char* name) {
  std::filesystem::path path = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::remove(path);
  return path;
}

TEST(RecordLogTest, FindsItsRecordsAgainAfterReopening) {
  const auto path = Fresh("reopen.log");
  {
    RecordLog log = RecordLog::Open(path, "run-a").value();
    EXPECT_EQ(log.size(), 0U);
    ParallelFor(4, 100,
                [&](std::size_t i) { ASSERT_TRUE(log.Append(i, std::string(i, 'x')).ok()); });
  }
  const RecordLog log = RecordLog::Open(path, "run-a").value();
  ASSERT_EQ(log.size(), 100U);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(log.Find(i).value().size(), i);
  EXPECT_FALSE(log.Find(100).has_value());
}

TEST(RecordLogTest, DropsARecordThatWasCutOffAndGoesOn) {
  const auto path = Fresh("cut.log");
  {
    RecordLog log = RecordLog::Open(path, "run-a").value();
    ASSERT_TRUE(log.Append(1, "first").ok());
    ASSERT_TRUE(log.Append(2, "second").ok());
  }
  const std::string bytes = ReadFile(path).value();
  for (std::size_t lost = 1; lost <= 29; ++lost) {
    ASSERT_TRUE(WriteFile(path, bytes.substr(0, bytes.size() - lost)).ok());
    RecordLog log = RecordLog::Open(path, "run-a").value();
    EXPECT_EQ(log.Find(1), "first");
    EXPECT_FALSE(log.Find(2).has_value());
    ASSERT_TRUE(log.Append(2, "second").ok());
    EXPECT_EQ(ReadFile(path).value(), bytes);
  }
}

TEST(RecordLogTest, RefusesTheLogOfAnotherRun) {
  const auto path = Fresh("other.log");
  (void)RecordLog::Open(path, "run-a").value();
  const Result<RecordLog> other = RecordLog::Open(path, "run-b");
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message.find("another run"), std::string::npos);
}

TEST(RecordLogTest, RefusesASecondWriterBeforeItCutsWhatTheFirstOneWrites) {
  const auto path = Fresh("two.log");
  RecordLog first = RecordLog::Open(path, "run-a").value();
  ASSERT_TRUE(first.Append(1, "one").ok());
  const Result<RecordLog> second = RecordLog::Open(path, "run-a");
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().message.find("another process is writing"), std::string::npos);
}

TEST(RecordLogTest, IsReadWithoutCuttingTheRecordThatIsJustBeingWritten) {
  const auto path = Fresh("reader.log");
  {
    RecordLog log = RecordLog::Open(path, "run-a").value();
    ASSERT_TRUE(log.Append(1, "whole").ok());
    ASSERT_TRUE(log.Append(2, "half").ok());
  }
  const std::string bytes = ReadFile(path).value();
  ASSERT_TRUE(WriteFile(path, bytes.substr(0, bytes.size() - 2)).ok());
  const RecordLog log = RecordLog::OpenToRead(path, "run-a").value();
  EXPECT_EQ(log.size(), 1U);
  EXPECT_EQ(ReadFile(path).value().size(), bytes.size() - 2);
  EXPECT_EQ(RecordLog::OpenToRead(Fresh("none.log"), "run-a").value().size(), 0U);
  EXPECT_FALSE(std::filesystem::exists(Fresh("none.log")));
}

TEST(RecordLogTest, GoesOnWithALogThatEndedInItsHeader) {
  const auto path = Fresh("header.log");
  { (void)RecordLog::Open(path, "run-a").value(); }
  const std::string header = ReadFile(path).value();
  for (std::size_t kept = 0; kept <= header.size(); ++kept) {
    ASSERT_TRUE(WriteFile(path, header.substr(0, kept)).ok());
    RecordLog log = RecordLog::Open(path, "run-a").value();
    ASSERT_TRUE(log.Append(1, "one").ok());
    EXPECT_EQ(ReadFile(path).value().substr(0, header.size()), header);
  }
}

TEST(RecordLogTest, LeavesNoHalfRecordWhereThereIsNoMoreRoom) {
  const auto path = Fresh("room.log");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, SIG_IGN);
  RecordLog log = RecordLog::Open(path, "run-a").value();
  ASSERT_TRUE(log.Append(1, "one").ok());
  const rlimit small{.rlim_cur = 1000, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status torn = log.Append(2, std::string(2000, 'x'));
  const Status after = log.Append(3, "three");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_FALSE(torn.ok());
  EXPECT_TRUE(after.ok());
  const RecordLog found = RecordLog::OpenToRead(path, "run-a").value();
  EXPECT_EQ(found.Find(1), "one");
  EXPECT_FALSE(found.Find(2).has_value());
  EXPECT_EQ(found.Find(3), "three");
}

}  // namespace
}  // namespace gonogo::io
