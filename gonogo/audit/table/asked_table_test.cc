// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/asked_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::audit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Two clusters of ten queries; the reference costs 10 + i, the other action i, and fails at even
/// i; the reference fails at the first query.
OutcomeTable TwentyQueries() {
  OutcomeTable table{
      .actions = {"a", "b"}, .clusters = {"north", "south"}, .cluster_begin = {0, 10, 20}};
  FeatureGroup group{.name = "f", .columns = {"f_i"}, .values = FeatureMatrix(20, 1)};
  for (int i = 0; i < 20; ++i) {
    table.queries.push_back("q" + std::to_string(i));
    table.cost.insert(table.cost.end(), {10.0 + i, 1.0 * i});
    table.success.push_back(i == 0 ? 0 : 1);
    table.success.push_back(i % 2 == 0 ? 0 : 1);
    table.time.insert(table.time.end(), {1.0, 5.0});
    table.adapter_cost.push_back(0.5 * i);
    group.values(i, 0) = static_cast<float>(i);
  }
  table.features.push_back(std::move(group));
  return table;
}

Protocol Asking(const QuestionConfig& question) {
  Protocol protocol;
  protocol.question = question;
  return protocol;
}

TEST(AskedTableTest, TheUsualQuestionLeavesTheTableAlone) {
  EXPECT_FALSE(AskedTable(TwentyQueries(), Protocol{}).value().has_value());
  EXPECT_EQ(QuestionInWords(Protocol{}), "");
}

TEST(AskedTableTest, KnownClustersAreBlocksWithAShareOfEveryCluster) {
  const Protocol protocol = Asking({.deploy = Deployment::kKnownClusters, .blocks = 5});
  const OutcomeTable table = TwentyQueries();
  const OutcomeTable asked = *AskedTable(table, protocol).value();
  ASSERT_EQ(asked.num_clusters(), 5U);
  for (std::size_t k = 0; k < 5; ++k) {
    std::size_t north = 0;
    for (std::size_t q = asked.queries_of(k).begin; q < asked.queries_of(k).end; ++q) {
      const auto i = std::stoul(asked.queries[q].substr(1));
      if (i < 10) ++north;
      // Whatever belongs to a query came along.
      EXPECT_EQ(asked.cost[2 * q], table.cost[2 * i]);
      EXPECT_EQ(asked.success[2 * q + 1], table.success[2 * i + 1]);
      EXPECT_EQ(asked.adapter_cost[q], table.adapter_cost[i]);
      EXPECT_EQ(asked.features[0].values(static_cast<Eigen::Index>(q), 0), static_cast<float>(i));
    }
    EXPECT_EQ(asked.queries_of(k).size(), 4U);
    EXPECT_EQ(north, 2U);
  }
  EXPECT_EQ(AskedTable(table, protocol).value()->queries, asked.queries);
  EXPECT_THAT(QuestionInWords(protocol), HasSubstr("further queries of the clusters in the table"));
}

TEST(AskedTableTest, AClusterOfOneQueryIsNotKnown) {
  OutcomeTable table = TwentyQueries();
  table.clusters = {"north", "one", "south"};
  table.cluster_begin = {0, 9, 10, 20};
  const OutcomeTable asked =
      *AskedTable(table, Asking({.deploy = Deployment::kKnownClusters})).value();
  EXPECT_EQ(asked.num_clusters(), 20U);  // no more blocks than queries
  EXPECT_THAT(asked.notes, ElementsAre(HasSubstr("1 of the 3 clusters have a single query")));
}

TEST(AskedTableTest, AFailureCostsWhatIsDeclared) {
  const OutcomeTable asked = *AskedTable(TwentyQueries(), Asking({.failure_price = 10.0})).value();
  EXPECT_EQ(asked.cost[0], 100.0);  // the reference fails at the first query
  EXPECT_EQ(asked.cost[2], 11.0);
  EXPECT_EQ(asked.cost[2 * 4 + 1], 40.0);
  EXPECT_EQ(asked.cost[2 * 5 + 1], 5.0);
}

TEST(AskedTableTest, AConstraintLeavesOutWhatItDoesNotLookAt) {
  const OutcomeTable success =
      *AskedTable(TwentyQueries(), Asking({.constraint = Constraint::kSuccess})).value();
  EXPECT_TRUE(success.time.empty());
  EXPECT_FALSE(success.success.empty());
  const OutcomeTable none =
      *AskedTable(TwentyQueries(), Asking({.constraint = Constraint::kNone})).value();
  EXPECT_TRUE(none.success.empty());
  const OutcomeTable net =
      *AskedTable(TwentyQueries(), Asking({.constraint = Constraint::kNetSuccess})).value();
  EXPECT_TRUE(net.counts_net_success);
}

TEST(AskedTableTest, AQuestionNeedsItsColumn) {
  OutcomeTable table = TwentyQueries();
  table.success.clear();
  EXPECT_THAT(AskedTable(table, Asking({.failure_price = 2.0})).error().message,
              HasSubstr("protocol.failure_price asks which actions succeed"));
  EXPECT_THAT(AskedTable(table, Asking({.constraint = Constraint::kNetSuccess})).error().message,
              HasSubstr("protocol.constraint asks which actions succeed"));
}

}  // namespace
}  // namespace gonogo::audit
