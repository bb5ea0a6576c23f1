// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/protocol/deciding_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::audit {
namespace {

constexpr Circumstances kUsual{.clusters = 20};

Protocol WithLearner(LearnerKind learner) {
  Protocol protocol;
  protocol.learner.kind = learner;
  return protocol;
}

TEST(DecidingRuleTest, IsLeavePairOutWhereNothingIsDeclaredAndItWasTried) {
  for (const LearnerKind learner : {LearnerKind::kRidge, LearnerKind::kTrees, LearnerKind::kMlp}) {
    EXPECT_EQ(DecidingRule(WithLearner(learner), kUsual), DecisionRule::kLeavePairOut);
    EXPECT_EQ(WhyNotPairs(WithLearner(learner), kUsual), "");
  }
}

TEST(DecidingRuleTest, IsTheCalibratedOneElsewhereAndSaysWhy) {
  const Protocol ridge = WithLearner(LearnerKind::kRidge);
  const auto why = [&](const Protocol& protocol, const Circumstances& circumstances) {
    EXPECT_EQ(DecidingRule(protocol, circumstances), DecisionRule::kCalibrated);
    return WhyNotPairs(protocol, circumstances);
  };
  EXPECT_EQ(why(ridge, {.clusters = 11}),
            "The calibrated rule decides in place of leave-pair-out: that rule needs 12 clusters, "
            "and there are 11.");
  EXPECT_THAT(why(ridge, {.clusters = 20, .of_log = true}), testing::HasSubstr("of a log"));
  EXPECT_THAT(why(ridge, {.clusters = 20, .given = true}), testing::HasSubstr("given"));
  EXPECT_THAT(why(WithLearner(LearnerKind::kPolicy), kUsual), testing::HasSubstr("policy"));
  EXPECT_THAT(why(WithLearner(LearnerKind::kForest), kUsual), testing::HasSubstr("forest"));
  EXPECT_THAT(why(ridge, {.clusters = 20, .of_values = true}), testing::HasSubstr("rewards"));
  Protocol folds = ridge;
  folds.bootstrap.method = IntervalMethod::kFolds;
  EXPECT_THAT(why(folds, kUsual), testing::HasSubstr("folds"));
}

TEST(DecidingRuleTest, AnotherDeclaredRuleDecidesEverywhere) {
  Protocol protocol = WithLearner(LearnerKind::kRidge);
  for (const DecisionRule rule : {DecisionRule::kPaper, DecisionRule::kCalibrated}) {
    protocol.rule.kind = rule;
    EXPECT_EQ(DecidingRule(protocol, {.clusters = 5, .of_log = true}), rule);
    EXPECT_EQ(WhyNotPairs(protocol, {.clusters = 5, .of_log = true}), "");
  }
}

TEST(DecidingRuleTest, ThePapersPresetIsDecidedByThePapersRule) {
  EXPECT_EQ(DecidingRule(Archived({}), kUsual), DecisionRule::kPaper);
}

}  // namespace
}  // namespace gonogo::audit
