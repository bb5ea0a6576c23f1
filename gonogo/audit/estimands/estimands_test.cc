// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/estimands/estimands.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gonogo/base/rng.h"

namespace gonogo::audit {
namespace {

/// Random costs for `clusters` clusters of growing size; choices are random too.
struct RandomTable {
  RandomTable(std::size_t clusters, std::size_t actions, std::uint64_t seed) {
    Rng rng = RngStream(seed).Generator();
    for (std::size_t a = 0; a < actions; ++a) table.actions.push_back(std::to_string(a));
    table.cluster_begin = {0};
    for (std::size_t k = 0; k < clusters; ++k) {
      table.clusters.push_back(std::to_string(k));
      table.cluster_begin.push_back(table.cluster_begin.back() + 5 + 3 * k);
    }
    for (std::size_t i = 0; i < table.num_queries() * actions; ++i) {
      table.cost.push_back(std::exp(rng.Normal()));
      table.success.push_back(rng.Uniform() < 0.8 ? 1 : 0);
    }
    for (std::size_t i = 0; i < table.num_queries(); ++i) {
      choice.push_back(static_cast<ActionIndex>(rng.Below(actions)));
    }
    Derive();
  }

  void Derive() {
    outcomes = DeriveOutcomes(table, 1.1);
    choices.clear();
    for (std::size_t k = 0; k < table.num_clusters(); ++k) {
      const QueryRange range = table.queries_of(k);
      choices.push_back(SummariseChoices(
          outcomes, k, std::span<const ActionIndex>(choice).subspan(range.begin, range.size())));
    }
  }

  [[nodiscard]] Estimands Evaluate(Mixture mixture = Mixture::kWithinCluster) const {
    std::vector<HeldOutCluster> held_out;
    for (const ChoiceTotals& c : choices) held_out.push_back({&c, kDirect});
    return audit::Evaluate(outcomes.totals, held_out, 0.05, mixture);
  }

  OutcomeTable table;
  std::vector<ActionIndex> choice;
  PotentialOutcomes outcomes;
  std::vector<ChoiceTotals> choices;
};

TEST(EstimandsTest, CovarianceIdentityHoldsOnRandomTables) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const RandomTable random(4, 2 + seed % 5, seed);
    for (const ChoiceTotals& choices : random.choices) {
      EXPECT_LT(CovarianceResidual(random.outcomes.totals, choices), 1e-12);
    }
  }
}

TEST(EstimandsTest, AllocationOfTwoActionsIsThePopulationAveragePrescriptiveEffect) {
  // Imai & Li: PAPE = mean W(pi) - p mean W(1) - (1 - p) mean W(0), with n / (n - 1) for an
  // unbiased estimate. Ours is the plug-in numerator with the sign of a cost.
  const RandomTable random(1, 2, 7);
  const auto n = static_cast<double>(random.table.num_queries());
  double p = 0.0;
  double policy = 0.0;
  double treated = 0.0;
  double control = 0.0;
  for (std::size_t i = 0; i < random.choice.size(); ++i) {
    p += random.choice[i] / n;
    policy += random.table.cost[2 * i + random.choice[i]] / n;
    control += random.table.cost[2 * i] / n;
    treated += random.table.cost[2 * i + 1] / n;
  }
  const double pape = n / (n - 1.0) * (policy - p * treated - (1.0 - p) * control);
  EXPECT_NEAR(random.Evaluate().covariance_gain * n / (n - 1.0), -pape, 1e-12);
}

TEST(EstimandsTest, RescalingEveryCostChangesNoRatio) {
  RandomTable random(5, 4, 3);
  const Estimands before = random.Evaluate();
  for (double& cost : random.table.cost) cost *= 1024.0;  // exact in binary
  random.Derive();
  const Estimands after = random.Evaluate();
  EXPECT_EQ(after.h_alloc, before.h_alloc);
  EXPECT_EQ(after.h_dep, before.h_dep);
  EXPECT_EQ(after.h_avail, before.h_avail);
  EXPECT_EQ(after.q, before.q);
  EXPECT_EQ(after.global_action, before.global_action);
}

TEST(EstimandsTest, AConstantChoiceHasNoAllocationValue) {
  RandomTable random(5, 3, 11);
  std::fill(random.choice.begin(), random.choice.end(), 2U);
  random.Derive();
  for (const Mixture mixture : {Mixture::kWithinCluster, Mixture::kPooled}) {
    const Estimands result = random.Evaluate(mixture);
    EXPECT_NEAR(result.h_alloc, 0.0, 1e-14);
    EXPECT_EQ(result.folds_beating_mixture, 0U);
    EXPECT_EQ(result.activation, 1.0);
  }
}

TEST(EstimandsTest, NoSelectorBeatsTheOracleOnEligibleChoices) {
  RandomTable random(5, 4, 13);
  random.choice = random.outcomes.oracle;
  random.Derive();
  const Estimands result = random.Evaluate();
  EXPECT_DOUBLE_EQ(result.h_total, result.h_avail);
  EXPECT_EQ(result.oracle_agreement, 1.0);
  EXPECT_EQ(result.q, 0.0);
}

TEST(EstimandsTest, MissingSuccessIsReportedAsMissing) {
  RandomTable random(2, 3, 17);
  random.table.success.clear();
  random.Derive();
  const Estimands result = random.Evaluate();
  EXPECT_FALSE(result.success.has_value());
  EXPECT_EQ(result.q, 0.0);  // without time and success every action is eligible
}

TEST(RelativeGainTest, OfNothingOverNothingIsZero) {
  EXPECT_EQ(RelativeGain(0.0, 0.0), 0.0);
  EXPECT_EQ(RelativeGain(3.0, 4.0), 0.25);
}

}  // namespace
}  // namespace gonogo::audit
