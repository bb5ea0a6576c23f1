// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/verdict.h"

#include <gtest/gtest.h>

namespace gonogo::audit {
namespace {

constexpr Thresholds kThresholds{.delta_dep = 0.01, .delta_alloc = 0.01, .kappa = 0.05};
constexpr Evidence kConvincing{
    .deployment = {0.02, 0.05}, .allocation = {0.015, 0.04}, .violation = {0.0, 0.03}};

TEST(VerdictTest, GoesWhenEveryIntervalIsOnTheGoSide) {
  EXPECT_EQ(Decide(kConvincing, kThresholds).verdict, Verdict::kGo);
}

TEST(VerdictTest, AbstainsWhenOneIntervalStraddlesItsThreshold) {
  Evidence unresolved = kConvincing;
  unresolved.allocation.lower = 0.0009;
  const Decision decision = Decide(unresolved, kThresholds);
  EXPECT_EQ(decision.verdict, Verdict::kAbstain);
  EXPECT_EQ(decision.deployment, Channel::kSatisfied);
  EXPECT_EQ(decision.allocation, Channel::kUnresolved);
}

TEST(VerdictTest, OneRefutedChannelIsEnoughForNoGo) {
  Evidence refuted = kConvincing;
  refuted.violation = {0.06, 0.08};
  const Decision decision = Decide(refuted, kThresholds);
  EXPECT_EQ(decision.verdict, Verdict::kNoGo);
  EXPECT_EQ(decision.violation, Channel::kRefuted);
}

TEST(VerdictTest, AGainExactlyAtItsThresholdAbstains) {
  Evidence edge = kConvincing;
  edge.deployment = {0.01, 0.01};
  EXPECT_EQ(Decide(edge, kThresholds).deployment, Channel::kUnresolved);
}

TEST(VerdictTest, AViolationBoundExactlyAtKappaIsTolerated) {
  Evidence edge = kConvincing;
  edge.violation = {0.05, 0.05};
  EXPECT_EQ(Decide(edge, kThresholds).verdict, Verdict::kGo);
}

TEST(VerdictTest, SpellsItsAnswers) {
  EXPECT_EQ(Name(Verdict::kGo), "GO");
  EXPECT_EQ(Name(Verdict::kNoGo), "NO-GO");
  EXPECT_EQ(Name(Verdict::kAbstain), "ABSTAIN");
}

}  // namespace
}  // namespace gonogo::audit
