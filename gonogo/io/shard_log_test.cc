// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/shard_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"

namespace gonogo::io {
namespace {

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
