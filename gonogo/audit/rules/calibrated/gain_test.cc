// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/calibrated/gain.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "gonogo/audit/refit/audit_tasks.h"
#include "gonogo/audit/rules/calibrated/terms.h"
#include "gonogo/audit/testing/synthetic_refits.h"
#include "gonogo/stats/moments.h"

namespace gonogo::audit {
namespace {

using internal::SyntheticAudit;
using internal::SyntheticSizes;

/// A "learner" that ignores its training clusters.
ActionIndex Untrained(const std::vector<std::uint32_t>& /*multiplicity*/, std::size_t query) {
  return static_cast<ActionIndex>(query % 3);
}

/// One that leans on them: the action follows the number of even clusters drawn.
ActionIndex Trained(const std::vector<std::uint32_t>& multiplicity, std::size_t query) {
  std::size_t even = 0;
  for (std::size_t k = 0; k < multiplicity.size(); k += 2) even += multiplicity[k];
  return static_cast<ActionIndex>((even + query / 2) % 3);
}

void Fill(const internal::SyntheticSelector& selector, const SyntheticSizes& sizes,
          std::uint64_t seed, SyntheticAudit& audit) {
  audit.table = internal::MakeSyntheticTable(sizes, seed);
  internal::RunSyntheticRefits(selector, sizes.replicates, seed, audit);
}

GainTerms AgainstDirect(const SyntheticAudit& audit) {
  const std::vector<ActionIndex> direct(audit.replicates.size(), kDirect);
  return FixedActionTerms(audit.outcomes.totals, audit.replicates, direct, 0.0);
}

/// Ratio and plain cluster standard error of fixed choices.
struct Plain {
  double gain = 0.0;
  double se = 0.0;
};

Plain PlainClusterRatio(const SyntheticAudit& audit) {
  double chosen = 0.0;
  double direct = 0.0;
  std::vector<double> p;
  std::vector<double> d;
  for (const Refit& fold : audit.folds) {
    p.push_back(PolicyCost(fold.held_out[0]));
    d.push_back(audit.outcomes.totals.cost(fold.held_out[0].cluster, kDirect));
    chosen += p.back();
    direct += d.back();
  }
  double squares = 0.0;
  for (std::size_t k = 0; k < p.size(); ++k) {
    squares += std::pow(p[k] - chosen / direct * d[k], 2);
  }
  const auto clusters = static_cast<double>(p.size());
  return {1.0 - chosen / direct, std::sqrt(clusters / (clusters - 1.0) * squares) / direct};
}

/// Efron and Tibshirani's formula as printed, with no part in closed form and no K / (K - 1).
double PrintedStandardError(const GainTerms& gain, double rho, double reference_sum) {
  const std::size_t clusters = gain.refits.front().split.num_clusters();
  const auto k_count = static_cast<double>(clusters);
  std::vector<double> mean(clusters, 0.0);
  std::vector<double> held(clusters, 0.0);
  std::vector<double> g;
  for (std::size_t b = 0; b < gain.refits.size(); ++b) {
    g.push_back(0.0);
    for (std::size_t i = 0; i < gain.terms[b].size(); ++i) {
      const GainTerm& term = gain.terms[b][i];
      const std::size_t k = gain.refits[b].held_out[i].cluster;
      const double z = k_count * (term.chosen - rho * term.reference) / reference_sum;
      mean[k] += z;
      held[k] += 1.0;
      g.back() += z / k_count;
    }
  }
  for (std::size_t k = 0; k < clusters; ++k) mean[k] /= held[k];
  const double overall = stats::Mean(mean);
  double squares = 0.0;
  for (std::size_t k = 0; k < clusters; ++k) {
    std::vector<double> count;
    for (const Refit& refit : gain.refits) count.push_back(refit.split.multiplicity[k]);
    const double d = (2.0 + 1.0 / (k_count - 1.0)) * (mean[k] - overall) / k_count +
                     std::pow(1.0 - 1.0 / k_count, -k_count) * stats::Covariance(count, g);
    squares += d * d;
  }
  const double correction = std::pow(1.0 - 1.0 / k_count, -2.0 * k_count) * (k_count - 1.0) *
                            stats::Variance(g) / static_cast<double>(g.size());
  return std::sqrt(squares - correction);
}

TEST(CalibratedGainTest, ChoicesThatIgnoreTheTrainingDataHaveThePlainClusterStandardError) {
  for (const std::size_t clusters : {2U, 5U, 20U}) {
    SyntheticAudit audit;
    Fill(Untrained, {.clusters = clusters, .growth = 2, .replicates = 100}, clusters, audit);
    const auto gain = EstimateGain(AgainstDirect(audit), AllOf(100));
    ASSERT_TRUE(gain.has_value());
    const Plain plain = PlainClusterRatio(audit);
    EXPECT_NEAR(gain->point, plain.gain, 1e-12);
    EXPECT_NEAR(gain->se, plain.se, 1e-12);
    EXPECT_NEAR(gain->shipped_se, plain.se, 1e-12);
  }
}

/// Replicates of K clusters whose selectors cost 1 + shift(multiplicities, b) everywhere, where
/// direct costs 1: nothing but the learner varies.
struct ShiftedSelectors {
  template <typename Shift>
  ShiftedSelectors(std::size_t clusters, std::size_t replicates, Shift&& shift) {
    for (const RefitTask& task : BootstrapTasks(clusters, replicates, RngStream(8))) {
      Refit refit{.split = task.split};
      const double cost = 1.0 + shift(task.split.multiplicity, refits.size());
      terms.emplace_back();
      for (const std::size_t k : stats::HeldOut(task.split)) {
        refit.held_out.push_back({.cluster = static_cast<std::uint32_t>(k)});
        terms.back().push_back({cost, 1.0, cost, 1.0});
      }
      refits.push_back(std::move(refit));
    }
  }
  [[nodiscard]] GainTerms gain() const { return {refits, terms}; }

  std::vector<Refit> refits;
  std::vector<std::vector<GainTerm>> terms;
};

TEST(CalibratedGainTest, HalfOfTheLinearInfluenceIsSharedWithTheShippedAdapter) {
  // Linear in the clusters drawn, weights +-0.01: L = 10 * 0.01^2 and nothing is unstable.
  const ShiftedSelectors linear(10, 20000, [](const auto& count, std::size_t) {
    double shift = 0.0;
    for (std::size_t k = 0; k < count.size(); ++k) {
      shift += (k % 2 == 0 ? 0.01 : -0.01) * (static_cast<double>(count[k]) - 1.0);
    }
    return shift;
  });
  const auto gain = EstimateGain(linear.gain(), AllOf(20000));
  ASSERT_TRUE(gain.has_value());
  // A replicate's training clusters exclude the ones it is tested on, so ten clusters tell a little
  // less than all of it.
  EXPECT_NEAR(gain->se, std::sqrt(10.0) * 0.01, 0.004);
  EXPECT_NEAR(gain->shipped_se / gain->se, std::sqrt(0.5), 0.1);
}

TEST(CalibratedGainTest, ASelectorThatFlipsWhateverItIsTrainedOnIsMissedThoughNoClusterMovesIt) {
  const ShiftedSelectors coin(10, 20000,
                              [](const auto&, std::size_t b) { return b % 2 == 0 ? 0.02 : -0.02; });
  const auto gain = EstimateGain(coin.gain(), AllOf(20000));
  ASSERT_TRUE(gain.has_value());
  EXPECT_NEAR(gain->shipped_se, std::sqrt(0.4) * 0.02, 0.001);
  EXPECT_NEAR(gain->widest_se, 0.02, 0.001);
  EXPECT_LT(gain->se, 0.005);  // other clusters would not change it
}

TEST(CalibratedGainTest, AnAdvantageOfMoreTrainingCountsBeyondOneStandardError) {
  const SmoothedGain smoothed{.point = 0.02, .drop_one = {}, .scores = {0.01, -0.01, 0.01, -0.01}};
  SmoothedGain cross_fit = smoothed;
  cross_fit.point = 0.03;  // by as much in every cluster: that is certain
  EXPECT_NEAR(CertainAdvantage(smoothed, cross_fit), 0.01, 1e-12);
  // Differences -0.02, 0.02, 0, 0 have mean 0 and standard error sqrt(0.0008 / 12).
  cross_fit.scores = {0.03, -0.03, 0.01, -0.01};
  EXPECT_NEAR(CertainAdvantage(smoothed, cross_fit), 0.01 - std::sqrt(0.0008 / 12.0), 1e-12);
  cross_fit.point = 0.01;
  EXPECT_EQ(CertainAdvantage(smoothed, cross_fit), 0.0);
}

TEST(CalibratedGainTest, MeanOfMeansHasItsTextbookStandardError) {
  // Reference cost 1 everywhere and equal sizes: the gain is 1 minus a mean of cluster means.
  SyntheticAudit audit;
  audit.table = internal::MakeSyntheticTable({.clusters = 10}, 3);
  for (std::size_t query = 0; query < audit.table.num_queries(); ++query) {
    audit.table.cost[audit.table.cell(query, kDirect)] = 1.0;
  }
  const auto always_one = [](const auto&, std::size_t) { return ActionIndex{1}; };
  internal::RunSyntheticRefits(always_one, 60, 3, audit);
  std::vector<double> means;
  for (std::size_t k = 0; k < 10; ++k) {
    means.push_back(audit.outcomes.totals.cost(static_cast<Eigen::Index>(k), 1) / 6.0);
  }
  const auto gain = EstimateGain(AgainstDirect(audit), AllOf(60));
  ASSERT_TRUE(gain.has_value());
  EXPECT_NEAR(gain->point, 1.0 - stats::Mean(means), 1e-12);
  EXPECT_NEAR(gain->se, std::sqrt(stats::Variance(means) / 10.0), 1e-12);
  EXPECT_NEAR(gain->shipped_se, gain->se, 1e-12);
}

TEST(CalibratedGainTest, ClosedFormAgreesWithThePrintedFormulaForManyReplicates) {
  SyntheticAudit audit;
  Fill(Trained, {.clusters = 8, .replicates = 40000}, 5, audit);
  const GainTerms terms = AgainstDirect(audit);
  const auto gain = EstimateGain(terms, AllOf(40000));
  ASSERT_TRUE(gain.has_value());
  double reference = 0.0;  // the same in every replicate
  for (Eigen::Index k = 0; k < 8; ++k) reference += audit.outcomes.totals.cost(k, kDirect);
  const double printed = PrintedStandardError(terms, 1.0 - gain->point, reference);
  // Monte-Carlo noise of the printed form; 8 clusters make the redrawn replicates 0.24 %.
  EXPECT_NEAR(gain->se * std::sqrt(7.0 / 8.0) / printed, 1.0, 0.02);
  // The learner's part is really there.
  EXPECT_GT(std::abs(gain->se / PlainClusterRatio(audit).se - 1.0), 0.05);
}

TEST(CalibratedGainTest, MultiplicitiesOfEveryReplicateSumToTheNumberOfClusters) {
  SyntheticAudit audit;
  Fill(Untrained, {.clusters = 7, .replicates = 300}, 1, audit);
  for (const Refit& refit : audit.replicates) {
    const auto& n = refit.split.multiplicity;
    EXPECT_EQ(std::accumulate(n.begin(), n.end(), 0U), 7U);
    EXPECT_EQ(refit.held_out.size(), stats::HeldOut(refit.split).size());
  }
}

TEST(CalibratedGainTest, HeldOutProbabilityIsTheShareOfReplicatesThatHoldAClusterOut) {
  EXPECT_DOUBLE_EQ(HeldOutProbability(2), 0.5);  // (2, 0) or (0, 2) after redrawing (1, 1)
  // K = 3: f = 8/27, all three drawn with probability 6/27.
  EXPECT_NEAR(HeldOutProbability(3), 8.0 / 21.0, 1e-12);
  EXPECT_NEAR(HeldOutProbability(20), std::pow(0.95, 20), 1e-7);
}

TEST(CalibratedGainTest, RescalingEveryCostOrReorderingReplicatesChangesNothing) {
  SyntheticAudit audit;
  Fill(Trained, {.clusters = 6, .replicates = 80}, 9, audit);
  const auto before = EstimateGain(AgainstDirect(audit), AllOf(80));
  std::reverse(audit.replicates.begin(), audit.replicates.end());
  const auto reordered = EstimateGain(AgainstDirect(audit), AllOf(80));
  for (double& cost : audit.table.cost) cost *= 1024.0;  // exact in binary
  internal::RunSyntheticRefits(Trained, 80, 9, audit);
  const auto rescaled = EstimateGain(AgainstDirect(audit), AllOf(80));
  ASSERT_TRUE(before && reordered && rescaled);
  EXPECT_EQ(rescaled->point, before->point);
  EXPECT_EQ(rescaled->se, before->se);
  EXPECT_NEAR(reordered->point, before->point, 1e-14);
  EXPECT_NEAR(reordered->se, before->se, 1e-14);
}

TEST(CalibratedGainTest, RenamingClustersChangesNothing) {
  SyntheticAudit audit;
  Fill(Trained, {.clusters = 6, .growth = 1, .replicates = 80}, 4, audit);
  const auto before = EstimateGain(AgainstDirect(audit), AllOf(80));
  GainTerms terms = AgainstDirect(audit);
  std::vector<Refit> renamed = audit.replicates;
  for (Refit& refit : renamed) {
    std::reverse(refit.split.multiplicity.begin(), refit.split.multiplicity.end());
    for (ChoiceTotals& choices : refit.held_out) choices.cluster = 5 - choices.cluster;
  }
  terms.refits = renamed;
  const auto after = EstimateGain(terms, AllOf(80));
  ASSERT_TRUE(before && after);
  EXPECT_NEAR(after->point, before->point, 1e-14);
  EXPECT_NEAR(after->se, before->se, 1e-14);
}

TEST(CalibratedGainTest, SaysNothingWhenAClusterWasNeverHeldOut) {
  SyntheticAudit audit;
  Fill(Untrained, {.clusters = 12, .replicates = 1}, 2, audit);
  EXPECT_FALSE(EstimateGain(AgainstDirect(audit), AllOf(1)).has_value());
}

TEST(CalibratedGainTest, DropOneRangeHoldsThePointWithoutEachCluster) {
  SyntheticAudit audit;
  Fill(Untrained, {.clusters = 4, .replicates = 60}, 6, audit);
  const auto gain = EstimateGain(AgainstDirect(audit), AllOf(60));
  ASSERT_TRUE(gain.has_value());
  std::vector<double> left;
  for (std::size_t out = 0; out < 4; ++out) {
    double chosen = 0.0;
    double direct = 0.0;
    for (std::size_t k = 0; k < 4; ++k) {
      if (k == out) continue;
      chosen += PolicyCost(audit.folds[k].held_out[0]);
      direct += audit.outcomes.totals.cost(static_cast<Eigen::Index>(k), kDirect);
    }
    left.push_back(1.0 - chosen / direct);
  }
  EXPECT_NEAR(gain->drop_one.lower, *std::min_element(left.begin(), left.end()), 1e-12);
  EXPECT_NEAR(gain->drop_one.upper, *std::max_element(left.begin(), left.end()), 1e-12);
}

}  // namespace
}  // namespace gonogo::audit
