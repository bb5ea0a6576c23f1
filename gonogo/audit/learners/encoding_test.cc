// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/encoding.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"

namespace gonogo::audit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();

/// Three clusters of two queries; a number that is missing in the first, and a category.
OutcomeTable SmallTable() {
  OutcomeTable table{
      .actions = {"a", "b"}, .clusters = {"k", "l", "m"}, .cluster_begin = {0, 2, 4, 6}};
  table.queries = {"0", "1", "2", "3", "4", "5"};
  table.cost.assign(12, 1.0);
  FeatureGroup group{"f", {"x", "c"}, FeatureMatrix(6, 2), {{}, {"p", "q", "r"}}};
  group.values << kNothing, 0, 1, 0, 2, 1, 3, 1, 10, 2, 20, 2;
  table.features.push_back(std::move(group));
  return table;
}

std::vector<nn::ColumnEncoding> LearnedFrom(const OutcomeTable& table,
                                            const std::vector<std::uint32_t>& times,
                                            std::size_t levels) {
  const std::vector<const FeatureGroup*> groups = {&table.features[0]};
  return Encoder<FeatureGroup>(groups, table, levels).Learn({times});
}

TEST(EncodingTest, LearnsMedianAndLevelsFromTheTrainingClustersAlone) {
  const OutcomeTable table = SmallTable();
  const auto first = LearnedFrom(table, {1, 1, 0}, 5);
  EXPECT_EQ(first[0].fill, 2.0F);  // of 1, 2, 3
  EXPECT_TRUE(first[0].may_be_missing);
  EXPECT_THAT(first[1].levels, ElementsAre(0.0F, 1.0F));
  const auto twice = LearnedFrom(table, {1, 1, 2}, 5);
  EXPECT_EQ(twice[0].fill, 10.0F);  // of 1, 2, 3, 10, 10, 20, 20
  EXPECT_EQ(LearnedFrom(table, {0, 1, 0}, 5)[0].fill, 2.5F);
}

TEST(EncodingTest, GivesColumnsToTheMostFrequentLevelsAndOneToTheOthers) {
  const OutcomeTable table = SmallTable();
  EXPECT_THAT(LearnedFrom(table, {1, 1, 3}, 1)[1].levels, ElementsAre(2.0F));
  EXPECT_THAT(LearnedFrom(table, {1, 1, 1}, 2)[1].levels, ElementsAre(0.0F, 1.0F));
  const std::vector<const FeatureGroup*> groups = {&table.features[0]};
  const Encoder<FeatureGroup> encoder(groups, table, 1);
  const FeatureGroup encoded = encoder.Apply(encoder.Learn({{1, 1, 3}})).front();
  EXPECT_THAT(encoded.columns, ElementsAre("x", "x is missing", "c is r", "c is another"));
  EXPECT_THAT(std::vector<float>(encoded.values.data(), encoded.values.data() + 4),
              ElementsAre(10.0F, 1.0F, 0.0F, 1.0F));
}

TEST(EncodingTest, LeavesPlainNumbersAsTheyAre) {
  const OutcomeTable table = MakePositiveControl({.clusters = 4}, RngStream(1));
  const std::vector<FeatureGroup> same = EncodedFeatures(table, 12);
  EXPECT_EQ(same[0].columns, table.features[0].columns);
  EXPECT_EQ(same[0].values, table.features[0].values);
}

Protocol QuickRidge() {
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kRidge;
  protocol.bootstrap.refits = 40;
  return protocol;
}

std::string Answer(const OutcomeTable& table) {
  const AuditResult result = RunAudit(table, QuickRidge(), {}, {}).value();
  return result.reading ? std::string(Name(result.reading->verdict)) : "none";
}

TEST(EncodingTest, OneEmptyCellDoesNotChangeTheVerdict) {
  OutcomeTable table = MakePositiveControl({}, RngStream(3));
  ASSERT_EQ(Answer(table), "GO");
  for (FeatureGroup& group : table.features) group.values(0, 0) = kNothing;
  EXPECT_EQ(Answer(table), "GO");
}

TEST(EncodingTest, ACategoryThatTellsWhatToDoIsLearned) {
  OutcomeTable table = MakePositiveControl({}, RngStream(3));
  // The signal alone, as words.
  FeatureGroup words{
      "words", {"side"}, FeatureMatrix(table.features[0].values.rows(), 1), {{"left", "right"}}};
  for (Eigen::Index row = 0; row < words.values.rows(); ++row) {
    const auto query = static_cast<std::size_t>(row);
    const bool first = table.cost[table.cell(query, 1)] < table.cost[table.cell(query, 2)];
    words.values(row, 0) = first ? 0.0F : 1.0F;
  }
  table.features = {std::move(words)};
  EXPECT_EQ(Answer(table), "GO");
  FeatureGroup& shuffled = table.features[0];
  for (Eigen::Index row = 0; row < shuffled.values.rows(); ++row)
    shuffled.values(row, 0) = static_cast<float>(row % 2);
  EXPECT_NE(Answer(table), "GO");
}

TEST(EncodingTest, TheOrderOfLevelsMeansNothing) {
  OutcomeTable table = SmallTable();
  EXPECT_THAT(LearnedFrom(table, {1, 1, 1}, 3)[1].levels, ElementsAre(0.0F, 1.0F, 2.0F));
  EXPECT_THAT(LearnedFrom(table, {0, 0, 1}, 3)[1].levels, ElementsAre(2.0F));
  EXPECT_THAT(LearnedFrom(table, {0, 0, 1}, 3)[0].levels, IsEmpty());
}

}  // namespace
}  // namespace gonogo::audit
