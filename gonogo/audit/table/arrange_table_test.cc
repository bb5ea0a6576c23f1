// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/arrange_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::audit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Three queries of two clusters, neither sorted, and an action before the reference.
OutcomeTable LooseCells() {
  OutcomeTable loose;
  loose.actions = {"slow", "direct"};
  loose.queries = {"q10", "q2", "q1"};
  loose.cost = {9.0, 10.0, 19.0, 20.0, 29.0, 30.0};
  loose.success = {0, 1, 1, 1, 1, 1};
  loose.choice = {0, 1, 0};
  FeatureMatrix seen(3, 1);
  seen << 0.1F, 0.2F, 0.3F;
  loose.features.push_back({"obs", {"obs_x"}, seen});
  FeatureMatrix predicted(6, 1);
  predicted << 1, 2, 3, 4, 5, 6;
  loose.action_features.push_back({"eta", {"eta_w"}, predicted});
  return loose;
}

const std::vector<std::string> kLooseClusters = {"b", "a", "a"};

Result<OutcomeTable> Arranged(OutcomeTable loose, const Protocol& protocol = {}) {
  return ArrangeTable(std::move(loose), kLooseClusters, protocol, "mine");
}

TEST(ArrangeTableTest, PutsClustersAndQueriesInOrderAndTheReferenceFirst) {
  const Result<OutcomeTable> table = Arranged(LooseCells());
  ASSERT_TRUE(table.ok()) << table.error().message;
  EXPECT_THAT(table.value().actions, ElementsAre("direct", "slow"));
  EXPECT_THAT(table.value().clusters, ElementsAre("a", "b"));
  EXPECT_THAT(table.value().cluster_begin, ElementsAre(0, 2, 3));
  EXPECT_THAT(table.value().queries, ElementsAre("q1", "q2", "q10"));
}

TEST(ArrangeTableTest, CarriesEveryValueAlong) {
  const OutcomeTable table = Arranged(LooseCells()).value();
  EXPECT_THAT(table.cost, ElementsAre(30, 29, 20, 19, 10, 9));
  EXPECT_THAT(table.success, ElementsAre(1, 1, 1, 1, 1, 0));
  EXPECT_THAT(table.choice, ElementsAre(1, 0, 1));  // slow, direct, slow
  EXPECT_EQ(table.features[0].values(0, 0), 0.3F);
  EXPECT_EQ(table.features[0].values(2, 0), 0.1F);
  EXPECT_EQ(table.action_features[0].values(0, 0), 6.0F);
  EXPECT_EQ(table.action_features[0].values(5, 0), 1.0F);
}

TEST(ArrangeTableTest, FollowsTheDeclaredReference) {
  Protocol protocol;
  protocol.reference = "slow";
  EXPECT_THAT(Arranged(LooseCells(), protocol).value().actions, ElementsAre("slow", "direct"));
}

TEST(ArrangeTableTest, ArrangingAgainUnderTheSameProtocolChangesNothing) {
  const OutcomeTable once = Arranged(LooseCells()).value();
  const OutcomeTable twice = ArrangeTable(once, Protocol{}).value();
  EXPECT_EQ(twice.cost, once.cost);
  EXPECT_EQ(twice.queries, once.queries);
  EXPECT_EQ(twice.cluster_begin, once.cluster_begin);
  EXPECT_EQ(twice.notes, once.notes);
}

TEST(ArrangeTableTest, QueriesWithoutNamesAreNumberedAsTheyCame) {
  OutcomeTable loose = LooseCells();
  loose.queries.clear();
  EXPECT_THAT(Arranged(std::move(loose)).value().queries, ElementsAre("1", "2", "0"));
}

TEST(ArrangeTableTest, NamesTheRowAsTheCallerKnowsIt) {
  OutcomeTable loose = LooseCells();
  loose.cost[3] = -1.0;
  EXPECT_EQ(Arranged(std::move(loose)).error().message,
            "mine: cost[1,1] (query 'q2', action 'direct') is -1, expected a finite number, 0 or "
            "more");
}

TEST(ArrangeTableTest, RefusesArraysThatDoNotFitTogether) {
  OutcomeTable few = LooseCells();
  few.cost.pop_back();
  EXPECT_THAT(Arranged(std::move(few)).error().message,
              HasSubstr("cost has 5 values, expected 3 queries x 2 actions"));
  OutcomeTable unnamed = LooseCells();
  unnamed.queries.pop_back();
  EXPECT_THAT(Arranged(std::move(unnamed)).error().message, HasSubstr("query has 2 names"));
  OutcomeTable beyond = LooseCells();
  beyond.choice[2] = 2;
  EXPECT_THAT(Arranged(std::move(beyond)).error().message, HasSubstr("choice[2] is 2"));
  OutcomeTable infinite = LooseCells();
  infinite.features[0].values(1, 0) = std::numeric_limits<float>::infinity();
  EXPECT_THAT(Arranged(std::move(infinite)).error().message,
              HasSubstr("features 'obs' row 1, column 0 is inf, expected a finite number"));
  EXPECT_THAT(ArrangeTable(LooseCells(), {}, {}, "mine").error().message,
              HasSubstr("there are no queries"));
}

}  // namespace
}  // namespace gonogo::audit
