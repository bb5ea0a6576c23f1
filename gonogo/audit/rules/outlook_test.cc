// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/outlook.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gonogo/audit/rules/looks.h"
#include "gonogo/audit/rules/verdict.h"
#include "gonogo/base/rng.h"

namespace gonogo::audit {
namespace {

constexpr double kLevel = 0.95;
constexpr double kSe = 0.005;
constexpr std::size_t kNow = 20;

const RuleConfig kTwoLooks{.looks_at = {kNow, 80}};

/// A gain whose bounds lie as a t interval at the first look puts them.
ChannelBounds GainAt(double point) {
  const BoundWidths widths = StudentWidths(kNow, LookLevel(kLevel, kTwoLooks, 1, kNow));
  return {.point = point,
          .interval = {point - widths.go * kSe, point + widths.go * kSe},
          .refuting = point + widths.refute * kSe};
}

/// Everything far on the GO side.
RuleBounds Convincing() {
  RuleBounds bounds{.deployment = GainAt(1.0),
                    .allocation = GainAt(1.0),
                    .violation = {.point = 0.0, .interval = {0.0, 1e-6}, .refuting = 0.0},
                    .total = GainAt(1.0)};
  bounds.total_must_gain = true;
  return bounds;
}

TEST(OutlookTest, TheChanceOfALaterLookIsThatOfDrawingItsClusters) {
  RuleBounds bounds = Convincing();
  bounds.deployment = GainAt(0.02);
  const std::vector<LookChance> later = LookAhead(bounds, {}, kTwoLooks, kLevel, kNow);
  ASSERT_EQ(later.size(), 1U);
  EXPECT_EQ(later[0].clusters, 80U);

  // Independently: the truth as it may be, the mean of 60 further clusters, and both together.
  const double sd = kSe * std::sqrt(20.0);  // of one cluster
  const BoundWidths then = StudentWidths(80, LookLevel(kLevel, kTwoLooks, 2, 80));
  Rng rng = RngStream(1).Generator();
  int passed = 0;
  constexpr int kDraws = 40'000;
  for (int i = 0; i < kDraws; ++i) {
    const double truth = 0.02 + kSe * rng.Normal();
    const double further = truth + sd / std::sqrt(60.0) * rng.Normal();
    const double estimate = (20.0 * 0.02 + 60.0 * further) / 80.0;
    if (estimate - then.go * sd / std::sqrt(80.0) > 0.01) ++passed;
  }
  EXPECT_NEAR(later[0].go, static_cast<double>(passed) / kDraws, 0.01);  // four standard errors
}

TEST(OutlookTest, TheLeastLikelyChannelLimitsAGoAndTheLikeliestRefutes) {
  RuleBounds bounds = Convincing();
  EXPECT_NEAR(LookAhead(bounds, {}, kTwoLooks, kLevel, kNow)[0].go, 1.0, 1e-9);
  EXPECT_NEAR(LookAhead(bounds, {}, kTwoLooks, kLevel, kNow)[0].no_go, 0.0, 1e-9);
  bounds.allocation = GainAt(-0.02);
  const LookChance hopeless = LookAhead(bounds, {}, kTwoLooks, kLevel, kNow)[0];
  EXPECT_LT(hopeless.go, 1e-6);
  EXPECT_GT(hopeless.no_go, 0.99);
}

TEST(OutlookTest, AFurtherLookIsFutileOnlyWhereNoneIsLikelyToSayGo) {
  const std::vector<LookChance> later = {{40, 0.004, 0.5}, {80, 0.02, 0.5}};
  EXPECT_FALSE(IsFutile(later, {}));
  EXPECT_TRUE(IsFutile(std::span(later).first(1), {}));
  EXPECT_FALSE(IsFutile(std::span(later).first(1), {.futility = 0.0}));
  EXPECT_FALSE(IsFutile({}, {}));  // the last look is no futile one
}

TEST(OutlookTest, WithoutABoundNothingIsRuledOut) {
  RuleBounds bounds = Convincing();
  bounds.deployment = {};
  const LookChance unknown = LookAhead(bounds, {}, kTwoLooks, kLevel, kNow)[0];
  EXPECT_NEAR(unknown.go, 1.0, 1e-9);
  EXPECT_EQ(unknown.no_go, 0.0);
}

}  // namespace
}  // namespace gonogo::audit
