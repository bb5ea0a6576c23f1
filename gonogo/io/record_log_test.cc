// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/record_log.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace gonogo::io
