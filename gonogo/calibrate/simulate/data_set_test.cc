// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/simulate/data_set.h"

#include <gtest/gtest.h>

#include "gonogo/audit/estimands/potential_outcomes.h"
#include "gonogo/audit/table/check_table.h"
#include "gonogo/audit/table/first_clusters.h"
#include "gonogo/calibrate/simulate/simulated_audit.h"

namespace gonogo::calibrate {
namespace {

SyntheticWorld SmallLog(Logging logging) {
  SyntheticWorld world{.clusters = 12, .queries = 20, .actions = 2, .features = 4, .signal = 0.3};
  world.logging = logging;
  world.baseline_feature = true;
  return world;
}

TEST(SampleLogTest, ShowsOneActionOfEveryQueryAndHowLikelyItWas) {
  const SyntheticWorld world = SmallLog(Logging::kWeak);
  const audit::OutcomeTable full = DrawTable(world, RngStream(1));
  const audit::OutcomeTable log = SampleLog(world, full, RngStream(2));
  ASSERT_TRUE(log.logged.has_value());
  double weights = 0.0;
  double least = 1.0;
  for (std::size_t query = 0; query < full.num_queries(); ++query) {
    const audit::ActionIndex action = log.logged->action[query];
    EXPECT_EQ(log.logged->cost[query], full.cost[full.cell(query, action)]);
    EXPECT_EQ(log.logged->eligible[query], full.eligible[full.cell(query, action)]);
    weights += 0.5 / log.logged->propensity[query];
    least = std::min(least, log.logged->propensity[query]);
  }
  EXPECT_NEAR(weights / static_cast<double>(full.num_queries()), 1.0, 0.15);
  EXPECT_LT(least, 0.15);
  EXPECT_TRUE(
      SampleLog(SmallLog(Logging::kEstimated), full, RngStream(2)).logged->propensity.empty());
}

TEST(SampleLogTest, TriesSomethingElseAsOftenAsItIsTold) {
  SyntheticWorld world = SmallLog(Logging::kEven);
  world.clusters = 100;
  world.actions = 3;
  world.exploration = 0.2;
  const audit::OutcomeTable full = DrawTable(world, RngStream(1));
  const audit::OutcomeTable log = SampleLog(world, full, RngStream(2));
  double others = 0.0;
  for (std::size_t query = 0; query < full.num_queries(); ++query) {
    const bool direct = log.logged->action[query] == audit::kDirect;
    EXPECT_NEAR(log.logged->propensity[query], direct ? 0.8 : 0.1, 1e-12);
    others += direct ? 0.0 : 1.0;
  }
  EXPECT_NEAR(others / static_cast<double>(full.num_queries()), 0.2, 0.03);
}

TEST(SampleLogTest, TellsTheTruthAboutAnAdapterLearnedFromALogAndKeepsItsFits) {
  const SyntheticWorld world = SmallLog(Logging::kEven);
  SimulationOptions options{.halves = 0, .fresh_queries = 4000};
  options.protocol.bootstrap.refits = 10;
  const FreshQueries fresh = DrawFreshQueries(world, 4000, RngStream(3));
  const SimulatedFits fits = Simulate(world, fresh, options, RngStream(4)).value();
  // Choosing by the sign of x alone would save 0.3 E max(0, -x) = 12 %.
  EXPECT_GT(fits.revealed.truth.h_total, 0.08);
  EXPECT_LT(fits.revealed.truth.h_total, 0.125);
  const audit::Protocol protocol = ProtocolFor(options.protocol, world, true, RngStream(4));
  const SimulatedAudit judged = Judge(fits, protocol, 0);
  const auto again = DecodeFits(EncodeFits(fits), protocol);
  ASSERT_TRUE(again.has_value());
  const SimulatedAudit judged_again = Judge(*again, protocol, 0);
  for (std::size_t rule = 0; rule < kRules.size(); ++rule) {
    EXPECT_EQ(judged_again.outcome[rule].interval, judged.outcome[rule].interval);
  }
}

TEST(DataSetTest, ACutLogIsTheLogOfItsFirstClusters) {
  const SyntheticWorld world = SmallLog(Logging::kWeak);
  const audit::OutcomeTable full = DrawTable(world, RngStream(1));
  const audit::OutcomeTable log = audit::FirstClusters(SampleLog(world, full, RngStream(2)), 5);
  EXPECT_TRUE(audit::CheckTable(log).ok());
  EXPECT_EQ(log.logged->cost.size(), 100U);
  EXPECT_EQ(log.logged->propensity.size(), 100U);
}

TEST(DataSetTest, TheDeclaredTimeBudgetMovesTimesAndNotHowOftenTheyViolate) {
  SyntheticWorld world{.clusters = 12, .queries = 40, .actions = 3, .features = 2};
  world.constraint = ShownConstraint::kTime;
  world.violation_logit = -1.0;
  audit::Protocol protocol;
  const auto eligible = [&](double budget, double tolerance) {
    protocol.time_budget = budget;
    protocol.time_tolerance = tolerance;
    const DataSet data = DrawDataSet(world, protocol, RngStream(5), 0).value();
    return audit::ComputeEligibility(data.table, budget, tolerance);
  };
  EXPECT_EQ(eligible(1.0, 0.0), eligible(1.4, 0.0));
  EXPECT_EQ(eligible(1.0, 0.0), eligible(1.1, 0.2));
}

TEST(DataSetTest, KnownClustersAreSeenOnceAndTheRestTellsTheTruth) {
  const SyntheticWorld world{.clusters = 6, .queries = 10, .actions = 3, .features = 2};
  audit::Protocol protocol;
  protocol.question = {.deploy = audit::Deployment::kKnownClusters, .blocks = 12};
  const DataSet data = DrawDataSet(world, protocol, RngStream(1), 0).value();
  for (const audit::OutcomeTable* table : {&data.table, &data.oracle, &data.rest}) {
    EXPECT_TRUE(audit::CheckTable(*table).ok());
    EXPECT_EQ(table->num_clusters(), 6U);
  }
  EXPECT_EQ(data.table.num_queries(), 60U);
  EXPECT_EQ(data.oracle.num_queries(), 60U);
  EXPECT_EQ(data.rest.num_queries(), 6U * 59U * 10U);
  EXPECT_FALSE(DrawDataSet(SmallLog(Logging::kEven), protocol, RngStream(1), 0).ok());
}

TEST(DataSetTest, WhatNoWorldCanAnswerIsRefused) {
  audit::Protocol protocol;
  EXPECT_TRUE(CheckSimulable(protocol).ok());
  protocol.rule.adapter_cost = 0.1;
  EXPECT_FALSE(CheckSimulable(protocol).ok());
  protocol = {};
  protocol.question.constraint = audit::Constraint::kNetSuccess;
  EXPECT_FALSE(CheckSimulable(protocol).ok());
  protocol = {};
  protocol.bootstrap.method = audit::IntervalMethod::kFolds;
  EXPECT_FALSE(CheckSimulable(protocol).ok());
}

}  // namespace
}  // namespace gonogo::calibrate
