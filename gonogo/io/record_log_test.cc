// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/record_log.h"

#include <csignal>

#include <gmock/gmock.h>
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

using ::testing::HasSubstr;

class ShardLogTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / "shards";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// The units of a shard of a run of seven, each with its number as text.
  void Fill(const Shard& shard, std::string_view run = "run", std::size_t most = 7) const {
    RecordLog log = OpenShardLog(folder_ / "work.log", run, shard, 7).value();
    for (std::size_t unit = 7; unit > 0; --unit) {  // backwards: order must not matter
      if (!shard.Holds(unit - 1) || most-- == 0) continue;
      ASSERT_TRUE(log.Append(unit - 1, "unit " + std::to_string(unit - 1)).ok());
    }
  }
  [[nodiscard]] Result<std::vector<MergedLog>> Merge() const {
    return MergeShardLogs(std::vector{folder_});
  }

  std::filesystem::path folder_;
};

TEST_F(ShardLogTest, MergesToTheLogThatOneRunInOrderWouldHaveWritten) {
  for (const std::size_t number : {2U, 3U, 1U}) Fill({number, 3});
  const std::vector<MergedLog> merged = Merge().value();
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].units, 7U);
  {
    RecordLog whole = RecordLog::Open(folder_ / "plain.log", "run").value();
    for (std::size_t unit = 0; unit < 7; ++unit) {
      ASSERT_TRUE(whole.Append(unit, "unit " + std::to_string(unit)).ok());
    }
  }
  EXPECT_EQ(ReadFile(folder_ / "work.log").value(), ReadFile(folder_ / "plain.log").value());
  EXPECT_EQ(Merge().value()[0].units, 7U) << "once more changes nothing";
}

TEST_F(ShardLogTest, NamesTheShardThatIsMissingAndTheOneThatIsNotFinished) {
  Fill({1, 3});
  Fill({3, 3}, "run", 1);
  EXPECT_THAT(Merge().error().message, HasSubstr("of 3 shards one is missing: --shard 2/3"));
  Fill({2, 3});
  EXPECT_THAT(Merge().error().message, HasSubstr("shard 3 of 3 has finished 1 of its 2 units"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "work.log"));
}

TEST_F(ShardLogTest, RefusesShardsOfAnotherRunAndUnitsOfOthers) {
  Fill({1, 2});
  Fill({2, 2}, "another");
  EXPECT_THAT(Merge().error().message, HasSubstr("different runs"));
  std::filesystem::remove(ShardFile(folder_ / "work.log", {2, 2}));
  Fill({2, 2});
  {
    RecordLog log = OpenShardLog(folder_ / "work.log", "run", {2, 2}, 7).value();
    ASSERT_TRUE(log.Append(4, "of shard 1").ok());
  }
  EXPECT_THAT(Merge().error().message, HasSubstr("holds unit 4, which is not one of shard 2 of 2"));
}

TEST_F(ShardLogTest, RefusesToReplaceTheLogOfAnotherRun) {
  Fill({1, 1});
  ASSERT_TRUE(RecordLog::Open(folder_ / "work.log", "another").ok());
  EXPECT_THAT(Merge().error().message, HasSubstr("belongs to another run"));
}

TEST_F(ShardLogTest, AFolderWithoutShardsHasNothingToMerge) {
  EXPECT_TRUE(Merge().value().empty());
}

}  // namespace

}  // namespace gonogo::io
