// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/run/choice_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::audit {
namespace {

/// Six queries; "low" costs half where the ground is even (feature below 1), and breaks the time
/// budget elsewhere.
OutcomeTable EvenAndUneven() {
  OutcomeTable table;
  table.actions = {"direct", "low"};
  table.clusters = {"a", "b"};
  table.cluster_begin = {0, 3, 6};
  table.queries = {"a1", "a2", "a3", "b1", "b2", "b3"};
  table.cost = {10, 5, 10, 9, 10, 5, 10, 9, 20, 10, 10, 9};
  table.time = {1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 2};
  table.success.assign(12, 1);
  FeatureGroup ground{"ground", {"ground_under"}, FeatureMatrix(6, 1)};
  ground.values << 0.0F, 3.0F, 0.0F, 5.0F, 0.5F, 4.0F;
  table.features = {ground};
  return table;
}

TEST(ChoiceMapTest, SaysWhereEachActionIsChosenAndWhatThatSaves) {
  const OutcomeTable table = EvenAndUneven();
  const PotentialOutcomes outcomes = DeriveOutcomes(table, 1.1);
  const ChoiceMap map = MapChoices(outcomes, {1, 0, 1, 1, 1, 0}, "ground_under", 2).value();
  ASSERT_EQ(map.bins.size(), 2U);
  EXPECT_EQ(map.bins[0].queries, 3U);  // 0, 0, 0.5
  EXPECT_DOUBLE_EQ(map.bins[0].high, 0.5);
  EXPECT_DOUBLE_EQ(map.bins[0].share[1], 1.0);
  EXPECT_DOUBLE_EQ(map.bins[0].saved, 0.5);  // 20 instead of 40
  EXPECT_DOUBLE_EQ(map.bins[0].violations, 0.0);
  EXPECT_DOUBLE_EQ(map.bins[1].low, 3.0);
  EXPECT_NEAR(map.bins[1].share[1], 1.0 / 3.0, 1e-15);
  EXPECT_NEAR(map.bins[1].saved, 1.0 / 30.0, 1e-15);  // 29 instead of 30
  EXPECT_NEAR(map.bins[1].violations, 1.0 / 3.0, 1e-15);
  EXPECT_DOUBLE_EQ(map.bins[1].oracle_share[0], 1.0);
}

TEST(ChoiceMapTest, EqualValuesStayTogether) {
  const OutcomeTable table = EvenAndUneven();
  const PotentialOutcomes outcomes = DeriveOutcomes(table, 1.1);
  const ChoiceMap map = MapChoices(outcomes, {0, 0, 0, 0, 0, 0}, "ground_under", 6).value();
  ASSERT_EQ(map.bins.size(), 5U);
  EXPECT_EQ(map.bins[0].queries, 2U);
  EXPECT_EQ(map.bins[4].queries, 1U);
}

TEST(ChoiceMapTest, AFeatureThatThereIsNotIsRefusedWithThoseThereAre) {
  const OutcomeTable table = EvenAndUneven();
  const PotentialOutcomes outcomes = DeriveOutcomes(table, 1.1);
  const Result<ChoiceMap> map = MapChoices(outcomes, {0, 0, 0, 0, 0, 0}, "ground");
  ASSERT_FALSE(map.ok());
  EXPECT_THAT(map.error().message, testing::HasSubstr("it has ground_under to ground_under"));
}

}  // namespace
}  // namespace gonogo::audit
