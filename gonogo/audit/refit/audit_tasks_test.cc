// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/refit/audit_tasks.h"

#include <set>

#include <gtest/gtest.h>

namespace gonogo::audit {
namespace {

TEST(PairTasksTest, EveryClusterMeetsAnotherOneInEveryRoundAndNobodyTwice) {
  const std::vector<ClusterPair> pairs = RoundRobinPairs(20, 12, RngStream(1));
  ASSERT_EQ(pairs.size(), 120U);
  EXPECT_EQ(std::set<ClusterPair>(pairs.begin(), pairs.end()).size(), 120U);
  for (std::size_t round = 0; round < 12; ++round) {
    std::set<std::size_t> met;
    for (std::size_t i = 0; i < 10; ++i)
      met.insert(pairs[10 * round + i].begin(), pairs[10 * round + i].end());
    EXPECT_EQ(met.size(), 20U);
  }
}

TEST(PairTasksTest, WithFewClustersAllPairsAreMade) {
  // 6 clusters: 5 rounds of 3; 5 clusters: 5 rounds of 2, each sits out once.
  for (const auto& [clusters, all] : {std::pair{6U, 15U}, std::pair{5U, 10U}, std::pair{4U, 6U}}) {
    const std::vector<ClusterPair> pairs = RoundRobinPairs(clusters, 12, RngStream(2));
    EXPECT_EQ(std::set<ClusterPair>(pairs.begin(), pairs.end()).size(), all);
    EXPECT_EQ(pairs.size(), all);
    for (const ClusterPair& pair : pairs) EXPECT_LT(pair[0], pair[1]);
  }
}

TEST(PairTasksTest, WithAnOddNumberSomebodySitsOutEveryRound) {
  const std::vector<ClusterPair> pairs = RoundRobinPairs(21, 12, RngStream(3));
  EXPECT_EQ(pairs.size(), 120U);
  std::vector<std::size_t> left_out(21, 0);
  for (const ClusterPair& pair : pairs) {
    for (const std::size_t cluster : pair) ++left_out[cluster];
  }
  for (const std::size_t times : left_out) EXPECT_TRUE(times == 11 || times == 12) << times;
}

TEST(PairTasksTest, TheShippedAdapterIsFittedLastAndHoldsNothingOut) {
  const std::vector<RefitTask> tasks = PairTasks(20, RngStream(4));
  ASSERT_EQ(tasks.size(), 121U);
  EXPECT_EQ(stats::HeldOut(tasks[0].split).size(), 2U);
  EXPECT_TRUE(stats::HeldOut(tasks.back().split).empty());
  for (const RefitTask& task : tasks) EXPECT_TRUE(task.counts_departures);
  EXPECT_TRUE(PairTasks(3, RngStream(4)).empty());
}

TEST(PairTasksTest, TheOrderDependsOnTheSeedAlone) {
  EXPECT_EQ(RoundRobinPairs(20, 12, RngStream(5)), RoundRobinPairs(20, 12, RngStream(5)));
  EXPECT_NE(RoundRobinPairs(20, 12, RngStream(5)), RoundRobinPairs(20, 12, RngStream(6)));
}

}  // namespace
}  // namespace gonogo::audit
