// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/evaluate/time_budget.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gonogo/base/rng.h"

namespace gonogo::study {
namespace {

TEST(WorkFrontierTest, MixesOperatingPointsAlongTheLowerHull) {
  // (time, work): (1, 10), (2, 9), (3, 4): the middle one lies above the chord and is not used.
  const WorkFrontier frontier({{4.0, 3.0}, {10.0, 1.0}, {9.0, 2.0}});
  EXPECT_EQ(frontier.vertices().size(), 2U);
  EXPECT_DOUBLE_EQ(frontier.Work(1.0), 10.0);
  EXPECT_DOUBLE_EQ(frontier.Work(2.0), 7.0);
  EXPECT_DOUBLE_EQ(frontier.Work(9.0), 4.0);
  EXPECT_TRUE(std::isinf(frontier.Work(0.9)));
}

TEST(WorkFrontierTest, ASlowerPointThatCostsMoreIsNeverUsed) {
  const WorkFrontier frontier({{5.0, 1.0}, {6.0, 2.0}});
  EXPECT_DOUBLE_EQ(frontier.Work(2.0), 5.0);
}

TEST(SweepBudgetTest, TwoEqualLegsGainNothingFromTheirOwnOperatingPoints) {
  const std::vector<WorkTime> leg{{10.0, 1.0}, {8.0, 1.5}, {7.0, 2.5}};
  for (const BudgetGain& point : SweepBudget(leg, leg, 10)) {
    EXPECT_NEAR(point.gain(), 0.0, 1e-12);
  }
}

TEST(SweepBudgetTest, TimeGoesToTheLegWhereItBuysMore) {
  // A second saves 4 J on the first leg and 1 J on the second.
  const std::vector<WorkTime> steep{{10.0, 1.0}, {6.0, 2.0}};
  const std::vector<WorkTime> gentle{{10.0, 1.0}, {9.0, 2.0}};
  const std::vector<BudgetGain> sweep = SweepBudget(steep, gentle, 2);
  ASSERT_EQ(sweep.size(), 3U);
  EXPECT_DOUBLE_EQ(sweep[0].gain(), 0.0);        // no time to spare
  EXPECT_DOUBLE_EQ(sweep[1].uniform_j, 17.5);    // both half slow
  EXPECT_DOUBLE_EQ(sweep[1].allocated_j, 16.0);  // only the first slow
  EXPECT_DOUBLE_EQ(sweep[2].gain(), 0.0);        // both slow
}

TEST(SweepBudgetTest, OwnOperatingPointsAreNeverWorse) {
  Rng rng = RngStream(4).Generator();
  for (int i = 0; i < 200; ++i) {
    std::vector<WorkTime> a(4);
    std::vector<WorkTime> b(4);
    for (auto* leg : {&a, &b}) {
      for (WorkTime& point : *leg) point = {rng.Uniform(1, 2), rng.Uniform(1, 2)};
    }
    for (const BudgetGain& point : SweepBudget(a, b, 20)) EXPECT_GE(point.gain(), -1e-12);
  }
}

}  // namespace
}  // namespace gonogo::study
