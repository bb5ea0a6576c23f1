// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/estimands/lottery.h"

#include <gtest/gtest.h>

#include "gonogo/audit/estimands/estimands.h"
#include "gonogo/base/rng.h"

namespace gonogo::audit {
namespace {

/// One cluster of 100 queries with these costs and violations.
OutcomeTotals OneCluster(const std::vector<double>& cost, const std::vector<double>& violations) {
  const auto actions = static_cast<Eigen::Index>(cost.size());
  OutcomeTotals totals{.queries = {100.0}, .cost = ClusterActionTotals(1, actions)};
  totals.violations = ClusterActionTotals(1, actions);
  for (Eigen::Index a = 0; a < actions; ++a) {
    totals.cost(0, a) = cost[static_cast<std::size_t>(a)];
    totals.violations(0, a) = violations[static_cast<std::size_t>(a)];
  }
  return totals;
}

const std::vector<std::uint32_t> kOnce = {1};

// The gait that breaks the constraint at 12 % of the queries may be taken in 5 / 12 of them.
TEST(LotteryTest, TakesACheapActionThatBreaksTooOftenAsOftenAsItMay) {
  const OutcomeTotals totals = OneCluster({100.0, 80.0}, {0.0, 12.0});
  const Lottery lottery = BestLottery(totals, kOnce, 0.05);
  EXPECT_NEAR(lottery[1], 5.0 / 12.0, 1e-12);
  EXPECT_NEAR(LotteryCost(totals, 0, lottery), 100.0 - 20.0 * 5.0 / 12.0, 1e-12);
}

TEST(LotteryTest, IsAFixedActionWhereNoConstraintBinds) {
  EXPECT_EQ(BestLottery(OneCluster({100.0, 80.0, 90.0}, {0.0, 4.0, 0.0}), kOnce, 0.05),
            (Lottery{0.0, 1.0, 0.0}));
  EXPECT_EQ(BestLottery(OneCluster({100.0, 120.0}, {0.0, 50.0}), kOnce, 0.05), (Lottery{1.0, 0.0}));
}

// A simplex over a fine grid of three shares cannot do better, and the lottery keeps the limit.
TEST(LotteryTest, NoMixtureOfThreeActionsIsCheaper) {
  Rng rng = RngStream(3).Generator();
  for (int round = 0; round < 50; ++round) {
    std::vector<double> cost;
    std::vector<double> violations;
    for (int a = 0; a < 3; ++a) {
      cost.push_back(50.0 + 50.0 * rng.Uniform());
      violations.push_back(a == 0 ? 0.0 : 20.0 * rng.Uniform());
    }
    const OutcomeTotals totals = OneCluster(cost, violations);
    const Lottery best = BestLottery(totals, kOnce, 0.05);
    const double least = LotteryCost(totals, 0, best);
    double broken = 0.0;
    for (std::size_t a = 0; a < 3; ++a) broken += best[a] * violations[a];
    EXPECT_LE(broken, 5.0 + 1e-9);
    for (int i = 0; i <= 100; ++i) {
      for (int j = 0; i + j <= 100; ++j) {
        const Lottery other = {1.0 - 0.01 * (i + j), 0.01 * i, 0.01 * j};
        if (other[1] * violations[1] + other[2] * violations[2] > 5.0) continue;
        EXPECT_GE(LotteryCost(totals, 0, other), least - 1e-9);
      }
    }
    const ActionIndex fixed = SelectFixedAction(totals, kOnce, 0.05);
    EXPECT_LE(least, totals.cost(0, static_cast<Eigen::Index>(fixed)) + 1e-9);
  }
}

}  // namespace
}  // namespace gonogo::audit
