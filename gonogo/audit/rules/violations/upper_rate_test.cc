// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "gonogo/audit/rules/violations/logit_normal.h"
#include "gonogo/audit/rules/violations/rate.h"
#include "gonogo/stats/distributions.h"

namespace gonogo::audit {
namespace {

/// `events` dealt to `clusters` clusters of `queries` in turn.
std::vector<ClusterEvents> Dealt(std::size_t clusters, double queries, std::size_t events,
                                 std::size_t among) {
  std::vector<ClusterEvents> dealt(clusters, {queries, 0.0});
  for (std::size_t i = 0; i < events; ++i) dealt[i % among].events += 1.0;
  return dealt;
}

TEST(LogitNormalTest, AgreesWithADirectSearchOverRateAndSpread) {
  // Worked out without a grid in the rate, with 1401 points of quadrature and bisection.
  EXPECT_NEAR(LogitNormalUpper(Dealt(20, 48.0, 24, 20), 0.025), 0.0370244, 2e-5);
  std::vector<ClusterEvents> packed(20, {48.0, 0.0});
  packed[0].events = 12.0;
  packed[1].events = 8.0;
  packed[2].events = 3.0;
  packed[3].events = 1.0;
  EXPECT_NEAR(LogitNormalUpper(packed, 0.025), 0.0438674, 2e-5);
  const std::vector<ClusterEvents> unequal = {{10, 0}, {20, 1}, {30, 0}, {40, 2}, {50, 1},
                                              {60, 3}, {70, 0}, {80, 2}, {90, 9}, {100, 2}};
  EXPECT_NEAR(LogitNormalUpper(unequal, 0.025), 0.0892906, 5e-5);
}

TEST(LogitNormalTest, OneClusterSaysNothing) {
  EXPECT_EQ(LogitNormalUpper(Dealt(1, 48.0, 3, 1), 0.025), 1.0);
}

TEST(UpperRateTest, OneViolationMoreNeverLowersTheBound) {
  for (const std::size_t clusters : {10U, 20U, 40U}) {
    for (const double queries : {12.0, 48.0}) {
      for (const std::size_t among : {clusters, clusters / 2, std::size_t{2}}) {
        double before = 0.0;
        for (std::size_t events = 0; events <= 24; ++events) {
          const double bound = BoundRate(Dealt(clusters, queries, events, among), 0.025, {}).bound;
          EXPECT_GE(bound, before)
              << clusters << " x " << queries << ", " << events << " in " << among;
          before = bound;
        }
      }
    }
  }
}

TEST(UpperRateTest, NoViolationIsWorthTheDeclaredCorrelation) {
  // 960 queries are worth 960 / (1 + 47 * 0.1) independent ones.
  const double none = BoundRate(Dealt(20, 48.0, 0, 20), 0.025, {}).bound;
  EXPECT_NEAR(none, 1.0 - std::pow(0.025, 5.7 / 960.0), 1e-9);
  EXPECT_EQ(BoundRate(Dealt(20, 48.0, 1, 20), 0.025, {}).bound, none);
}

TEST(UpperRateTest, TheLeastCorrelationCapsWhatQueriesAreWorth) {
  const std::vector<ClusterEvents> even = Dealt(20, 48.0, 40, 20);
  const UpperRate usual = BoundRate(even, 0.025, {});
  const UpperRate strict = BoundRate(even, 0.025, {.icc = 0.1, .least_icc = 0.05});
  EXPECT_NEAR(strict.effective_queries, 960.0 / (1.0 + 47.0 * 0.05), 1e-9);
  EXPECT_GT(strict.bound, usual.bound);
  EXPECT_EQ(usual.seen_icc, 0.0);
}

TEST(UpperRateTest, ViolationsThatClusterRaiseTheBound) {
  EXPECT_GT(BoundRate(Dealt(20, 48.0, 24, 4), 0.025, {}).bound,
            1.3 * BoundRate(Dealt(20, 48.0, 24, 20), 0.025, {}).bound);
}

TEST(UpperRateTest, SeesTheCorrelationThatIsThere) {
  // Clusters that agree in everything: correlation 1.
  std::vector<ClusterEvents> agreeing(10, {6.0, 0.0});
  agreeing[2].events = 6.0;
  agreeing[7].events = 6.0;
  EXPECT_NEAR(SeenIcc(agreeing), 1.0, 1e-12);
  EXPECT_EQ(SeenIcc(Dealt(10, 6.0, 10, 10)), 0.0);
  // Two clusters of four with 3 and 1 events: between = 1/2, within = 1/4; (1/4) / (1/2 + 3/4).
  EXPECT_NEAR(SeenIcc(std::vector<ClusterEvents>{{4.0, 3.0}, {4.0, 1.0}}), 0.2, 1e-12);
}

TEST(UpperRateTest, MarginsOfIndependentErrorsAddInSquares) {
  // Margin 0.03 by clusters, 2 * 0.02 by refitting: 0.05 in all.
  EXPECT_NEAR(ShippedBound(0.02, 0.05, 0.001, 0.0004, 2.0), 0.071, 1e-12);
  EXPECT_NEAR(ShippedBound(0.02, 0.05, 0.0, 0.0, 2.0), 0.05, 1e-15);
  EXPECT_EQ(ShippedBound(0.02, 0.05, -1.0, 0.0, 2.0), 0.0);
}

}  // namespace
}  // namespace gonogo::audit
