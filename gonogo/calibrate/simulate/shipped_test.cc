// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/simulate/shipped.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/calibrate/simulate/solve.h"

namespace gonogo::calibrate {
namespace {

using audit::ActionIndex;

audit::Protocol Ridge() {
  audit::Protocol protocol;
  protocol.learner.kind = audit::LearnerKind::kRidge;
  return protocol;
}

TEST(TruthTest, TheBestSelectorOfOneCandidateGainsWhatTheFormulaSays) {
  // Choosing the candidate where x < 0 saves s |x| on half the queries: s / sqrt(2 pi).
  const SyntheticWorld world{
      .actions = 2, .features = 1, .signal = 0.1, .violation_logit = kNeverViolates};
  const FreshQueries fresh = DrawFreshQueries(world, 100000, RngStream(1));
  std::vector<ActionIndex> choices;
  for (Eigen::Index i = 0; i < fresh.context.rows(); ++i) {
    choices.push_back(fresh.context(i, 0) < 0.0F ? 1 : 0);
  }
  const Truth truth = EvaluateChoices(world, fresh, choices, audit::kDirect, 1, 0.05);
  const double gain = 0.1 / std::sqrt(2.0 * std::numbers::pi);
  EXPECT_NEAR(truth.h_total, gain, 3e-4);
  EXPECT_NEAR(truth.h_alloc, gain, 3e-4);  // both fixed actions cost the same
  EXPECT_NEAR(truth.h_dep, gain, 3e-4);
  EXPECT_EQ(truth.q, 0.0);
}

TEST(TruthTest, AConstantChoiceAllocatesNothingAndViolatesAsItsAction) {
  const SyntheticWorld world{.actions = 3, .features = 2, .global_gain = 0.04};
  const FreshQueries fresh = DrawFreshQueries(world, 2000, RngStream(2));
  const std::vector<ActionIndex> choices(2000, 1);
  const Truth truth = EvaluateChoices(world, fresh, choices, 1, 1, 0.05);
  EXPECT_NEAR(truth.h_alloc, 0.0, 1e-12);
  EXPECT_NEAR(truth.h_dep, 0.0, 1e-12);
  EXPECT_NEAR(truth.h_dep_best, 0.0, 1e-12);
  EXPECT_NEAR(truth.h_total, 0.04, 1e-6);
  EXPECT_GT(truth.q, 0.0);
}

TEST(TruthTest, TheBestFixedActionMustRespectTheConstraint) {
  const SyntheticWorld world{
      .actions = 2, .features = 1, .global_gain = 0.1, .violation_logit = 0.0};
  const FreshQueries fresh = DrawFreshQueries(world, 2000, RngStream(3));
  const std::vector<ActionIndex> direct(2000, audit::kDirect);
  EXPECT_EQ(EvaluateChoices(world, fresh, direct, 0, 0, 0.05).h_dep_best, 0.0);
  EXPECT_LT(EvaluateChoices(world, fresh, direct, 0, 0, 0.9).h_dep_best, -0.05);
}

TEST(TruthTest, DeservingGoNeedsEveryChannel) {
  const audit::Thresholds thresholds;
  const Truth good{.h_total = 0.03, .h_alloc = 0.02, .h_dep = 0.02, .q = 0.01};
  EXPECT_TRUE(DeservesGo(good, good.h_dep, thresholds));
  EXPECT_FALSE(DeservesGo(good, 0.01, thresholds));  // equality is not above
  Truth worse_than_direct = good;
  worse_than_direct.h_total = -0.001;
  EXPECT_FALSE(DeservesGo(worse_than_direct, good.h_dep, thresholds));
  Truth unsafe = good;
  unsafe.q = 0.051;
  EXPECT_FALSE(DeservesGo(unsafe, good.h_dep, thresholds));
}

TEST(TruthTest, AShippedRidgeAdapterFindsALargeSignal) {
  const SyntheticWorld world{.clusters = 20, .actions = 3, .features = 3, .signal = 0.2};
  const FreshQueries fresh = DrawFreshQueries(world, 2000, RngStream(4));
  const audit::OutcomeTable table = DrawTable(world, RngStream(5));
  const Result<Truth> truth = ShippedTruth(world, fresh, table, Ridge());
  ASSERT_TRUE(truth.ok());
  // E max(0, two standard normals) = 3 / (2 sqrt(2 pi)) ... times s bounds every selector.
  const double best = 0.2 * 0.6831;
  EXPECT_LT(truth.value().h_total, best + 0.003);
  EXPECT_GT(truth.value().h_total, 0.85 * best);
}

Revealed RevealAdapter(const SyntheticWorld& world, std::uint64_t seed,
                       const audit::Protocol& declared) {
  const audit::Protocol protocol = ProtocolFor(declared, world, false, RngStream(seed));
  const DataSet data = DrawDataSet(world, protocol, RngStream(seed), 0).value();
  const auto asked = audit::AskedOutcomes::Open(data.table, protocol, {}).value();
  const FreshQueries fresh = DrawFreshQueries(world, 4000, RngStream(9));
  return Reveal(world, fresh, data, asked->table(), protocol).value();
}

TEST(OracleTest, SaysGoWhereTheGainIsLargeAndNotWhereThereIsNone) {
  SyntheticWorld world{
      .actions = 3, .features = 4, .signal = 0.3, .violation_logit = kNeverViolates};
  EXPECT_EQ(RevealAdapter(world, 1, Ridge()).oracle.verdict, audit::Verdict::kGo);
  world.signal = 0.0;
  EXPECT_NE(RevealAdapter(world, 1, Ridge()).oracle.verdict, audit::Verdict::kGo);
}

TEST(OracleTest, ItsIntervalsCoverTheTruthOfTheAdapterItTested) {
  const SyntheticWorld world{.actions = 3, .features = 4, .signal = 0.1, .violation_logit = -3.0};
  std::size_t covered = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Revealed revealed = RevealAdapter(world, seed, Ridge());
    const stats::Interval interval = revealed.oracle.interval[1];
    const double truth = revealed.truth.h_alloc;
    if (interval.lower <= truth && truth <= interval.upper) ++covered;
  }
  EXPECT_GE(covered, 17U);  // 19 expected
}

TEST(OracleTest, TheDeclaredGateShipsWithTheAdapter) {
  const SyntheticWorld world{.actions = 3, .features = 4, .signal = 0.1, .violation_logit = -2.0};
  const Revealed open = RevealAdapter(world, 1, Ridge());
  EXPECT_GT(open.truth.q, 0.05);
  audit::Protocol closed = Ridge();
  closed.selector.z = 1e9;
  EXPECT_EQ(RevealAdapter(world, 1, closed).truth.q, 0.0);
  // Clusters without a violation still leave some open.
  EXPECT_GT(RevealAdapter(world, 1, closed).oracle.interval[2].upper, 0.0);
  audit::Protocol frugal = Ridge();
  frugal.selector.violation_share = 0.2;
  EXPECT_LT(RevealAdapter(world, 1, frugal).truth.q, open.truth.q);
}

TEST(KnownClustersTest, TheTruthIsWhatTheShippedAdapterSavesAtTheRest) {
  const SyntheticWorld world{
      .clusters = 6, .queries = 10, .actions = 3, .features = 2, .signal = 0.3};
  audit::Protocol protocol = Ridge();
  protocol.learner.ridge = {.members = 2, .penalties = {1.0}};
  protocol.question = {.deploy = audit::Deployment::kKnownClusters, .blocks = 12};
  DataSet data = DrawDataSet(world, protocol, RngStream(2), 0).value();
  data.rest = data.table;  // queries the adapter was trained on: counted here by hand
  const auto asked = audit::AskedProblem::Open(data.table, protocol, {}).value();
  const audit::OutcomeTable& table = asked->table();
  const Truth truth = Reveal(world, {}, data, table, protocol).value().truth;
  const std::vector<std::uint32_t> once(12, 1);
  audit::MemberPredictions predictions;
  asked->learner()
      .Fit({once}, RngStream(protocol.bootstrap.seed).Child("shipped").Child("learner"), {})
      ->Predict({0, 60}, predictions);
  std::vector<ActionIndex> choices(60);
  audit::SelectActions(predictions, asked->problem().time_limit(), {}, choices);
  double chosen = 0.0;
  double direct = 0.0;
  double broken = 0.0;
  std::vector<double> share(3, 0.0);
  for (std::size_t i = 0; i < 60; ++i) {
    chosen += table.cost[3 * i + choices[i]];
    direct += table.cost[3 * i];
    broken += 1.0 - table.eligible[3 * i + choices[i]];
    share[choices[i]] += 1.0 / 60.0;
  }
  double mixture = 0.0;
  for (std::size_t cell = 0; cell < 180; ++cell) mixture += share[cell % 3] * table.cost[cell];
  EXPECT_NEAR(truth.h_total, 1.0 - chosen / direct, 1e-12);
  EXPECT_NEAR(truth.h_alloc, 1.0 - chosen / mixture, 1e-12);
  EXPECT_NEAR(truth.q, broken / 60.0, 1e-12);
  EXPECT_GT(truth.h_total, 0.0);
}

TEST(SolveTest, BisectionPutsTheMeanTruthOnItsTarget) {
  const SyntheticWorld world{.clusters = 8, .queries = 20, .actions = 2, .features = 2};
  SolveOptions options{.trainings = 12, .fresh_queries = 1000, .steps = 12, .protocol = Ridge()};
  const SolveTarget target{&SyntheticWorld::signal, 0.0, 0.5, Quantity::kTotal, 0.03};
  const Result<SyntheticWorld> solved =
      SolveWorld(world, target, options, RngStream(7), {.jobs = 1});
  ASSERT_TRUE(solved.ok());
  const Result<Truth> truth = MeanShippedTruth(solved.value(), options, RngStream(7), {.jobs = 1});
  ASSERT_TRUE(truth.ok());
  EXPECT_NEAR(truth.value().h_total, 0.03, 0.0005);
}

TEST(SolveTest, ATargetOutOfReachIsRefusedWithTheRange) {
  const SyntheticWorld world{.clusters = 4, .queries = 6, .actions = 2, .features = 1};
  SolveOptions options{.trainings = 2, .fresh_queries = 100, .steps = 2, .protocol = Ridge()};
  const SolveTarget target{&SyntheticWorld::signal, 0.0, 0.01, Quantity::kTotal, 0.9};
  const Result<SyntheticWorld> solved =
      SolveWorld(world, target, options, RngStream(8), {.jobs = 1});
  ASSERT_FALSE(solved.ok());
  EXPECT_NE(solved.error().message.find("H_total 0.9"), std::string::npos);
}

}  // namespace
}  // namespace gonogo::calibrate
