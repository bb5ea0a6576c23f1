// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/run/explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"

namespace gonogo::audit {
namespace {

using testing::HasSubstr;

Protocol With(LearnerKind kind) {
  Protocol protocol;
  protocol.learner.kind = kind;
  protocol.learner.forest.members = 6;
  protocol.learner.pairwise.members = 4;
  protocol.learner.trees.rounds = 20;
  protocol.learner.mlp.members = 2;
  protocol.learner.mlp.epochs = 40;
  protocol.bootstrap.refits = 2;
  return protocol;
}

Explanation Explained(const OutcomeTable& table, const Protocol& protocol, int jobs) {
  const AuditResult result = RunAudit(table, protocol, {}, {}).value();
  const PotentialOutcomes outcomes = DeriveOutcomes(table, protocol.time_budget);
  const Explanation explanation = Explain(outcomes, result, {.jobs = jobs}).value();
  EXPECT_NEAR(explanation.gain, result.h_total.point, 1e-9);
  return explanation;
}

class ExplanationOfEveryLearnerTest : public testing::TestWithParam<LearnerKind> {};

TEST_P(ExplanationOfEveryLearnerTest, FindsTheOneFeatureOnWhichTheGainHangs) {
  // In the positive control target_y alone tells which candidate saves.
  const OutcomeTable table =
      MakePositiveControl({.clusters = 10, .queries_per_cluster = 24}, RngStream(1));
  const Explanation explanation = Explained(table, With(GetParam()), 2);
  ASSERT_GT(explanation.gain, 0.05);
  ASSERT_EQ(explanation.features.size(), table.features[0].columns.size() + 2);
  EXPECT_EQ(explanation.features[0].feature, "target_y");
  EXPECT_GT(explanation.features[0].lower, 0.0);
  // With the sides exchanged at random the choice is right half of the time: half of the gain goes,
  // and a choice that loses nothing when it is wrong never costs more than the reference.
  EXPECT_NEAR(explanation.features[0].loss, explanation.gain / 2.0, 0.25 * explanation.gain);
  for (std::size_t j = 1; j < explanation.features.size(); ++j) {
    EXPECT_LT(explanation.features[j].loss, 0.2 * explanation.gain);
  }
  // Two or three questions about that feature are all there is to say.
  EXPECT_GT(explanation.kept, 0.8 * explanation.gain);
  EXPECT_THAT(explanation.rules[0], HasSubstr("target_y < "));
}

TEST_P(ExplanationOfEveryLearnerTest, NamesTheFeatureThatTippedTheChoices) {
  const OutcomeTable table =
      MakePositiveControl({.clusters = 10, .queries_per_cluster = 24}, RngStream(1));
  const Explanation explanation = Explained(table, With(GetParam()), 2);
  std::size_t named = 0;
  std::size_t departures = 0;
  for (const std::vector<ChoiceReason>& reasons : explanation.reasons) {
    if (reasons.empty()) continue;
    ++departures;
    named += reasons[0].feature == "target_y" ? 1 : 0;
    EXPECT_LE(reasons.size(), 3U);
  }
  EXPECT_GT(departures, 100U);
  EXPECT_GT(static_cast<double>(named), 0.8 * static_cast<double>(departures));
}

INSTANTIATE_TEST_SUITE_P(All, ExplanationOfEveryLearnerTest,
                         testing::Values(LearnerKind::kRidge, LearnerKind::kMlp,
                                         LearnerKind::kTrees, LearnerKind::kForest,
                                         LearnerKind::kPolicy, LearnerKind::kPairwise,
                                         LearnerKind::kAuto),
                         [](const auto& kind) { return std::string(Name(kind.param)); });

TEST(ExplanationTest, IsTheSameForAnyNumberOfJobs) {
  const OutcomeTable table =
      MakePositiveControl({.clusters = 6, .queries_per_cluster = 12}, RngStream(2));
  const auto text = [&](int jobs) {
    return ToJson(Explained(table, With(LearnerKind::kForest), jobs)).dump();
  };
  EXPECT_EQ(text(1), text(4));
}

TEST(ExplanationTest, RefusesGivenChoices) {
  OutcomeTable table =
      MakePositiveControl({.clusters = 6, .queries_per_cluster = 12}, RngStream(2));
  table.choice.assign(table.num_queries(), 1);
  const AuditResult result = AuditChoices(table, With(LearnerKind::kRidge)).value();
  const PotentialOutcomes outcomes = DeriveOutcomes(table, 1.1);
  EXPECT_THAT(Explain(outcomes, result, {}).error().message, HasSubstr("no learner"));
}

}  // namespace
}  // namespace gonogo::audit
