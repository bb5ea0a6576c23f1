// SPDX-License-Identifier: Apache-2.0
// Every formula of the leave-pair-out rule against numbers worked out by a second implementation,
// in plain Python from the formulas of docs/concepts/intervals.md: four clusters, six pairs, each
// cluster left out by three fits.
#include "gonogo/audit/rules/pairs/channels.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gonogo/audit/rules/pairs/rule.h"

namespace gonogo::audit {
namespace {

constexpr std::size_t kClusters = 4;
constexpr std::size_t kPairs[6][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}};
const std::vector<double> kQueries = {10, 12, 8, 10};

OutcomeTotals PairTotals() {
  OutcomeTotals totals{.queries = kQueries};
  totals.cost.resize(4, 3);
  for (int k = 0; k < 4; ++k) {
    for (int a = 0; a < 3; ++a) {
      totals.cost(k, a) = kQueries[k] * (1.0 + 0.1 * k - 0.05 * a + 0.02 * ((k * a) % 3));
    }
  }
  return totals;
}

ChoiceTotals PairChoices(std::size_t b, std::size_t k) {
  const auto first = static_cast<std::uint32_t>(2 + (b + k) % 3);
  const auto second = static_cast<std::uint32_t>(1 + (2 * b + k) % 2);
  const auto direct = static_cast<std::uint32_t>(kQueries[k]) - first - second;
  const double cost = 0.9 * kQueries[k] + 0.05 * static_cast<double>((3 * b + k) % 4) +
                      0.1 * static_cast<double>(k);
  return {.cluster = static_cast<std::uint32_t>(k),
          .count = {direct, first, second},
          .cost = {cost, 0.0, 0.0},
          .violations = static_cast<double>((b + 2 * k) % 3)};
}

std::vector<Refit> HandFits() {
  std::vector<Refit> fits;
  for (std::size_t b = 0; b < 6; ++b) {
    Refit fit{.split = {std::vector<std::uint32_t>(kClusters, 1)}};
    for (const std::size_t k : kPairs[b]) {
      fit.split.multiplicity[k] = 0;
      fit.held_out.push_back(PairChoices(b, k));
    }
    for (std::size_t k = 0; k < kClusters; ++k) {
      fit.departures.push_back(static_cast<std::uint32_t>(3 + (b * k + b) % 4));
    }
    fits.push_back(std::move(fit));
  }
  fits.push_back({.split = {std::vector<std::uint32_t>(kClusters, 1)},
                  .held_out = {},
                  .departures = {4, 5, 4, 5}});
  return fits;
}

struct ExpectedPairs {
  double point, shipped, testing, instability, slope, correction;
};

void ExpectEstimate(const PairEstimate& found, const ExpectedPairs& expected) {
  EXPECT_NEAR(found.point, expected.point, 1e-11);
  EXPECT_NEAR(found.shipped, expected.shipped, 1e-11);
  EXPECT_NEAR(found.testing, expected.testing, 1e-12);
  EXPECT_NEAR(found.instability, expected.instability, 1e-12);
  EXPECT_NEAR(found.slope, expected.slope, 1e-11);
  EXPECT_NEAR(found.correction, expected.correction, 1e-12);
}

TEST(PairChannelsTest, FitsAreComparedWithTheShippedOneWhereBothWereTrained) {
  const OutcomeTotals totals = PairTotals();
  const std::vector<Refit> fits = HandFits();
  const PairDesign design = DesignOf(totals, SplitPairFits(fits));
  ASSERT_EQ(design.departs_more.size(), 6U);
  // The first fit was trained on clusters 2 and 3: (3 - 4 + 3 - 5) / 18.
  EXPECT_NEAR(design.departs_more[0], -3.0 / 18.0, 1e-12);
  double mean = 0.0;
  for (const double x : design.departs_more) mean += x / 6.0;
  EXPECT_NEAR(mean, -0.081228956229, 1e-12);
}

TEST(PairChannelsTest, AGainOverAFixedActionIsWhatTheFormulasSay) {
  const OutcomeTotals totals = PairTotals();
  const std::vector<Refit> fits = HandFits();
  const PairFits split = SplitPairFits(fits);
  ExpectEstimate(EstimatePairs(AgainstFixed(totals, split, 1, 0.0), DesignOf(totals, split)),
                 {.point = 0.17042380523,
                  .shipped = 0.170912151341,
                  .testing = 0.0017652899326,
                  .instability = -2.83479971862e-05,
                  .slope = 0.00601197077674,
                  .correction = 7.01368014332e-07});
}

TEST(PairChannelsTest, AGainOverTheMixtureIsWhatTheFormulasSay) {
  const OutcomeTotals totals = PairTotals();
  const std::vector<Refit> fits = HandFits();
  const PairFits split = SplitPairFits(fits);
  ExpectEstimate(EstimatePairs(AgainstMixture(totals, split, 0.0), DesignOf(totals, split)),
                 {.point = 0.180407989537,
                  .shipped = 0.181338730304,
                  .testing = 0.00152352410699,
                  .instability = -4.16749894739e-05,
                  .slope = 0.0114582386628,
                  .correction = 1.36929352176e-06});
}

TEST(PairChannelsTest, TheViolationRateIsWhatTheFormulasSay) {
  const OutcomeTotals totals = PairTotals();
  const std::vector<Refit> fits = HandFits();
  const PairFits split = SplitPairFits(fits);
  ExpectEstimate(EstimatePairs(Violations(totals, split), DesignOf(totals, split)),
                 {.point = 0.1,
                  .shipped = 0.108922811071,
                  .testing = 0.000288888888889,
                  .instability = -0.00138291752243,
                  .slope = 0.109847663755,
                  .correction = 0.000728836093999});
}

TEST(PairChannelsTest, TheAdaptersOwnCostIsChargedToItAndToNobodyElse) {
  const OutcomeTotals totals = PairTotals();
  const std::vector<Refit> fits = HandFits();
  const PairFits split = SplitPairFits(fits);
  // 40 queries at 0.5 against the summed cost of action 1.
  const double expected = 0.5 * 40.0 / totals.cost.col(1).sum();
  EXPECT_NEAR(AgainstFixed(totals, split, 1, 0.0).point - AgainstFixed(totals, split, 1, 0.5).point,
              expected, 1e-12);
}

TEST(PairChannelsTest, WhereEveryFitChoosesTheSameReferenceItIsThatFixedAction) {
  OutcomeTotals totals = PairTotals();
  totals.violations = ClusterActionTotals::Zero(4, 3);
  totals.violations.col(2) = 5.0;  // inadmissible, so that action 1 is the cheapest for everybody
  totals.cost.col(1) = 0.5 * totals.cost.col(0);
  const std::vector<Refit> fits = HandFits();
  const PairFits split = SplitPairFits(fits);
  const PairChannel chosen = AgainstChosen(totals, split, 0.05, 0.1);
  const PairChannel fixed = AgainstFixed(totals, split, 1, 0.1);
  EXPECT_NEAR(chosen.point, fixed.point, 1e-12);
  const PairDesign design = DesignOf(totals, split);
  const PairEstimate one = EstimatePairs(chosen, design);
  const PairEstimate other = EstimatePairs(fixed, design);
  EXPECT_NEAR(one.testing, other.testing, 1e-12);
  EXPECT_NEAR(one.instability, other.instability, 1e-12);
  EXPECT_NEAR(one.shipped, other.shipped, 1e-12);
}

// Student's t on 3 degrees of freedom: 3.18244630528. The estimate without the correction is the
// lower one here, so only the lower end moves. Folds that gain nothing raise no upper end.
TEST(PairRuleTest, BothEndsAgainstTheMixtureAllowForTheEstimateWithoutTheCorrection) {
  OutcomeTotals totals = PairTotals();
  totals.violations = ClusterActionTotals::Zero(4, 3);
  const std::vector<Refit> fits = HandFits();
  std::vector<Refit> folds;
  for (std::size_t k = 0; k < kClusters; ++k) {
    Refit fold{.split = {std::vector<std::uint32_t>(kClusters, 1)},
               .held_out = {PairChoices(0, k)}};
    fold.split.multiplicity[k] = 0;
    fold.held_out[0].cost = {totals.cost.row(static_cast<Eigen::Index>(k)).sum(), 0.0, 0.0};
    folds.push_back(std::move(fold));
  }
  const PairAudit audit = AuditPairs(totals, SplitPairFits(fits), folds, {}, {}, {});
  const double margin = 3.18244630528 * std::sqrt(0.00152352410699 + 1.36929352176e-06);
  EXPECT_NEAR(audit.h_alloc.interval.lower, 0.180407989537 - margin, 1e-9);
  EXPECT_NEAR(audit.h_alloc.interval.upper, 0.181338730304 + margin, 1e-9);
  EXPECT_EQ(audit.h_dep.credit, 0.0);  // no refits, no learning curve
}

// With V = 0 the expectation of a normal variable above 0 is s sqrt(2 / pi) = 0.797885 s; far below
// 0 it is s^2 / |V|; far above it V stays.
TEST(PairEstimateTest, ExpectsInstabilityOnTheSideWhereItCanLie) {
  const auto expected = [](double instability) {
    PairEstimate estimate{.instability = instability, .instability_se = 2.0};
    estimate.ExpectInstability();
    return estimate.instability;
  };
  EXPECT_NEAR(expected(0.0), 1.595769, 1e-6);
  EXPECT_NEAR(expected(40.0), 40.0, 1e-12);
  EXPECT_NEAR(expected(-80.0), 0.05, 1e-12);
  EXPECT_NEAR(expected(-59.9), expected(-60.1), 3e-4);
  PairEstimate certain{.instability = -1.0};
  certain.ExpectInstability();
  EXPECT_EQ(certain.instability, -1.0);
}

TEST(PairEstimateTest, FitsThatAllActAlikeNeedNoCorrection) {
  PairDesign design{.clusters = 4, .pair = {}, .departs_more = std::vector<double>(6, -0.1)};
  PairChannel channel{.point = 0.02, .score = {0.01, -0.01, 0.03, -0.03}};
  for (const auto& pair : kPairs) {
    design.pair.push_back({pair[0], pair[1]});
    channel.value.push_back({0.5, 0.5});
  }
  const PairEstimate estimate = EstimatePairs(channel, design);
  EXPECT_EQ(estimate.shipped, 0.02);
  EXPECT_EQ(estimate.instability, 0.0);
  EXPECT_EQ(estimate.correction, 0.0);
  // 2 (1 + 9) 1e-4 / (4 * 3)
  EXPECT_NEAR(estimate.se(), std::sqrt(0.002 / 12.0), 1e-15);
}

}  // namespace
}  // namespace gonogo::audit
