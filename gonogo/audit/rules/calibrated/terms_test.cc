// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/calibrated/terms.h"

#include <gtest/gtest.h>

#include "gonogo/audit/rules/calibrated/gain.h"
#include "gonogo/audit/testing/synthetic_refits.h"

namespace gonogo::audit {
namespace {

using internal::SyntheticAudit;

void FillGiven(const std::vector<ActionIndex>& choice, SyntheticAudit& audit) {
  audit.outcomes = DeriveOutcomes(audit.table, 1.1);
  const std::size_t clusters = audit.table.num_clusters();
  Refit given{.split = {std::vector<std::uint32_t>(clusters, 0)}};
  for (std::size_t k = 0; k < clusters; ++k) {
    const QueryRange range = audit.table.queries_of(k);
    given.held_out.push_back(
        SummariseChoices(audit.outcomes, k, std::span(choice).subspan(range.begin, range.size())));
  }
  audit.replicates = {given};
}

std::vector<ActionIndex> RandomChoices(std::size_t queries, std::size_t actions,
                                       std::uint64_t seed) {
  Rng rng = RngStream(seed).Child("choices").Generator();
  std::vector<ActionIndex> choice(queries);
  for (ActionIndex& action : choice) action = static_cast<ActionIndex>(rng.Below(actions));
  return choice;
}

double Sum(const GainTerms& gain, double GainTerm::*part) {
  double sum = 0.0;
  for (const GainTerm& term : gain.terms[0]) sum += term.*part;
  return sum;
}

TEST(CalibratedTermsTest, WithOneQueryPerClusterTheNumeratorIsThePrescriptiveEffect) {
  // Imai & Li's PAPE is n/(n-1) (mean W(pi) - p mean W(1) - (1-p) mean W(0)). With clusters of one
  // query, borrowing frequencies from the other clusters is exactly that correction.
  SyntheticAudit audit;
  const std::size_t n = 40;
  audit.table = internal::MakeSyntheticTable({.clusters = n, .actions = 2, .queries = 1}, 8);
  const std::vector<ActionIndex> choice = RandomChoices(n, 2, 8);
  FillGiven(choice, audit);
  double p = 0.0;
  double policy = 0.0;
  double treated = 0.0;
  double control = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    p += choice[i] / static_cast<double>(n);
    policy += audit.table.cost[2 * i + choice[i]] / static_cast<double>(n);
    control += audit.table.cost[2 * i] / static_cast<double>(n);
    treated += audit.table.cost[2 * i + 1] / static_cast<double>(n);
  }
  const double pape = static_cast<double>(n) / static_cast<double>(n - 1) *
                      (policy - p * treated - (1.0 - p) * control);
  const GainTerms total = MixtureTerms(audit.outcomes.totals, audit.replicates, 0.0).total;
  const double numerator = Sum(total, &GainTerm::reference) - Sum(total, &GainTerm::chosen);
  EXPECT_NEAR(numerator / static_cast<double>(n), -pape, 1e-12);
}

TEST(CalibratedTermsTest, WithinPartIsThePrescriptiveEffectOfEachCluster) {
  SyntheticAudit audit;
  audit.table = internal::MakeSyntheticTable({.clusters = 3, .actions = 2, .queries = 9}, 12);
  const std::vector<ActionIndex> choice = RandomChoices(27, 2, 12);
  FillGiven(choice, audit);
  const GainTerms within = MixtureTerms(audit.outcomes.totals, audit.replicates, 0.0).within;
  for (std::size_t k = 0; k < 3; ++k) {
    // -m/(m-1) sum over actions of the centred cross products, from the queries themselves.
    const double expected = -9.0 / 8.0 * audit.replicates[0].held_out[k].covariance;
    const GainTerm& term = within.terms[0][k];
    EXPECT_NEAR(term.reference - term.chosen, expected, 1e-12);
  }
}

TEST(CalibratedTermsTest, WithinAndBetweenAddUpToTheTotal) {
  SyntheticAudit audit;
  audit.table = internal::MakeSyntheticTable({.clusters = 9, .growth = 2}, 5);
  const auto selector = [](const std::vector<std::uint32_t>& n, std::size_t query) {
    return static_cast<ActionIndex>((query + n[0]) % 3);
  };
  internal::RunSyntheticRefits(selector, 60, 5, audit);
  const AllocationTerms terms = MixtureTerms(audit.outcomes.totals, audit.replicates, 0.02);
  const auto total = EstimateGain(terms.total, AllOf(60));
  const auto within = EstimateGain(terms.within, AllOf(60));
  const auto between = EstimateGain(terms.between, AllOf(60));
  ASSERT_TRUE(total && within && between);
  EXPECT_NEAR(within->point + between->point, total->point, 1e-12);
}

TEST(CalibratedTermsTest, AConstantChoiceAllocatesNothingAnywhere) {
  SyntheticAudit audit;
  audit.table = internal::MakeSyntheticTable({.clusters = 9, .growth = 3}, 15);
  internal::RunSyntheticRefits([](const auto&, std::size_t) { return ActionIndex{2}; }, 40, 15,
                               audit);
  const AllocationTerms terms = MixtureTerms(audit.outcomes.totals, audit.replicates, 0.0);
  for (const GainTerms* part : {&terms.total, &terms.within, &terms.between}) {
    const auto gain = EstimateGain(*part, AllOf(40));
    ASSERT_TRUE(gain.has_value());
    EXPECT_NEAR(gain->point, 0.0, 1e-12);
    EXPECT_NEAR(gain->se, 0.0, 1e-12);
  }
}

TEST(CalibratedTermsTest, ChoicesThatDependOnTheClusterOnlyAreAllocationBetweenClusters) {
  // Each cluster has one cheap action, the same for all its queries, and the selector takes it.
  SyntheticAudit audit;
  audit.table = internal::MakeSyntheticTable({.clusters = 12, .actions = 2, .queries = 5}, 1);
  std::vector<ActionIndex> choice;
  for (std::size_t query = 0; query < audit.table.num_queries(); ++query) {
    const ActionIndex cheap = query / 5 % 2;
    audit.table.cost[2 * query + cheap] = 0.8;
    audit.table.cost[2 * query + 1 - cheap] = 1.0;
    choice.push_back(cheap);
  }
  FillGiven(choice, audit);
  const AllocationTerms terms = MixtureTerms(audit.outcomes.totals, audit.replicates, 0.0);
  const auto total = EstimateGain(terms.total, AllOf(1));
  const auto within = EstimateGain(terms.within, AllOf(1));
  ASSERT_TRUE(total && within);
  // The other clusters choose this one's cheap action with frequency 5/11, not 1/2.
  EXPECT_NEAR(total->point, 1.0 - 0.8 / (1.0 - 0.2 * 5.0 / 11.0), 1e-12);
  EXPECT_NEAR(within->point, 0.0, 1e-12);
}

TEST(CalibratedTermsTest, TheAdapterPaysForItselfAndNobodyElseDoes) {
  SyntheticAudit audit;
  audit.table = internal::MakeSyntheticTable({.clusters = 5}, 2);
  FillGiven(RandomChoices(audit.table.num_queries(), 3, 2), audit);
  const std::vector<ActionIndex> direct(1, kDirect);
  const auto free = FixedActionTerms(audit.outcomes.totals, audit.replicates, direct, 0.0);
  const auto paid = FixedActionTerms(audit.outcomes.totals, audit.replicates, direct, 0.25);
  EXPECT_NEAR(Sum(paid, &GainTerm::chosen) - Sum(free, &GainTerm::chosen), 0.25 * 30.0, 1e-12);
  EXPECT_EQ(Sum(paid, &GainTerm::reference), Sum(free, &GainTerm::reference));
  const auto mixture = MixtureTerms(audit.outcomes.totals, audit.replicates, 0.25).total;
  const auto free_mixture = MixtureTerms(audit.outcomes.totals, audit.replicates, 0.0).total;
  EXPECT_EQ(Sum(mixture, &GainTerm::reference), Sum(free_mixture, &GainTerm::reference));
}

TEST(CalibratedTermsTest, ScoresOfTheMixtureAddUpToThePooledMixture) {
  SyntheticAudit audit;
  audit.table = internal::MakeSyntheticTable({.clusters = 6, .growth = 1}, 21);
  FillGiven(RandomChoices(audit.table.num_queries(), 3, 21), audit);
  const GainTerms total = MixtureTerms(audit.outcomes.totals, audit.replicates, 0.0).total;
  std::vector<HeldOutCluster> held_out;
  for (const ChoiceTotals& choices : audit.replicates[0].held_out) {
    held_out.push_back({&choices, kDirect});
  }
  const Estimands pooled = Evaluate(audit.outcomes.totals, held_out, 0.05, Mixture::kPooled);
  const double expected = Sum(total, &GainTerm::chosen) / (1.0 - pooled.h_alloc_pooled);
  EXPECT_NEAR(Sum(total, &GainTerm::reference_score), expected, 1e-10);
}

}  // namespace
}  // namespace gonogo::audit
