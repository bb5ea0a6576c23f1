// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/worlds/synthetic_world.h"

#include <gtest/gtest.h>

#include "gonogo/stats/moments.h"

namespace gonogo::calibrate {
namespace {

TEST(WorldTest, TablesHaveTheDeclaredShapeAndDirectNeverViolates) {
  const SyntheticWorld world{.clusters = 6, .queries = 11, .actions = 4, .features = 3};
  const audit::OutcomeTable table = DrawTable(world, RngStream(1));
  EXPECT_EQ(table.num_clusters(), 6U);
  EXPECT_EQ(table.num_queries(), 66U);
  EXPECT_EQ(table.cost.size(), 66U * 4U);
  EXPECT_EQ(table.features[0].values.cols(), 3);
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    EXPECT_EQ(table.eligible[table.cell(query, audit::kDirect)], 1);
    EXPECT_GT(table.cost[table.cell(query, audit::kDirect)], 0.0);
  }
}

TEST(WorldTest, UnequalClustersStayWithinAQuarterAndThreeTimesTheMean) {
  const SyntheticWorld world{
      .clusters = 200, .queries = 48, .unequal_clusters = true, .features = 1};
  const audit::OutcomeTable table = DrawTable(world, RngStream(2));
  std::vector<double> sizes;
  for (std::size_t k = 0; k < 200; ++k) {
    sizes.push_back(static_cast<double>(table.queries_of(k).size()));
    EXPECT_GE(sizes.back(), 12.0);
    EXPECT_LE(sizes.back(), 144.0);
  }
  EXPECT_NEAR(stats::Mean(sizes), 48.0, 8.0);
  EXPECT_GT(stats::StandardDeviation(sizes), 20.0);
}

TEST(WorldTest, ContextCorrelationIsTheCorrelationWithinAClusterSquared) {
  // x = rho c + sqrt(1 - rho^2) e: two queries of a cluster correlate by rho^2.
  const SyntheticWorld world{
      .clusters = 4000, .queries = 2, .actions = 2, .features = 1, .context_correlation = 0.8};
  const audit::OutcomeTable table = DrawTable(world, RngStream(3));
  std::vector<double> first;
  std::vector<double> second;
  for (Eigen::Index k = 0; k < 4000; ++k) {
    first.push_back(table.features[0].values(2 * k, 0));
    second.push_back(table.features[0].values(2 * k + 1, 0));
  }
  EXPECT_NEAR(stats::Covariance(first, second), 0.64, 0.05);
  EXPECT_NEAR(stats::Variance(first), 1.0, 0.08);
}

TEST(WorldTest, ExpectedCostsAndViolationsAreWhatDataSetsShowOnAverage) {
  const SyntheticWorld world{.clusters = 3000,
                             .queries = 4,
                             .actions = 3,
                             .features = 2,
                             .signal = 0.1,
                             .handicap = 0.03,
                             .global_gain = 0.05,
                             .violation_logit = -2.0};
  const audit::OutcomeTable table = DrawTable(world, RngStream(4));
  const FreshQueries fresh = DrawFreshQueries(world, 4000, RngStream(5));
  std::vector<double> relative(3, 0.0);
  double violations = 0.0;
  const auto queries = static_cast<double>(table.num_queries());
  double direct = 0.0;
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    direct += table.cost[3 * query];
    for (std::size_t a = 0; a < 3; ++a) relative[a] += table.cost[3 * query + a];
    violations += (1.0 - table.eligible[3 * query + 1]) / queries;
  }
  std::vector<double> expected(3, 0.0);
  double expected_violations = 0.0;
  for (std::size_t i = 0; i < 4000; ++i) {
    for (std::size_t a = 0; a < 3; ++a) expected[a] += fresh.cost[3 * i + a] / 4000.0;
    expected_violations += fresh.violation[i] / 4000.0;
  }
  // Antithetic contexts make the linear part exact: 1, 1 + 0.03 - 0.05 and 1 + 0.03.
  EXPECT_NEAR(expected[0], 1.0, 1e-9);
  EXPECT_NEAR(expected[1], 0.98, 1e-6);
  EXPECT_NEAR(expected[2], 1.03, 1e-6);
  EXPECT_NEAR(relative[1] / direct, 0.98, 0.004);
  EXPECT_NEAR(relative[2] / direct, 1.03, 0.004);
  EXPECT_NEAR(violations, expected_violations, 0.01);
}

TEST(WorldTest, NothingViolatesInAWorldWithoutViolations) {
  const SyntheticWorld world{.clusters = 10, .violation_logit = kNeverViolates};
  const audit::OutcomeTable table = DrawTable(world, RngStream(6));
  for (const auto eligible : table.eligible) EXPECT_EQ(eligible, 1);
  const FreshQueries fresh = DrawFreshQueries(world, 10, RngStream(6));
  for (const double violation : fresh.violation) EXPECT_EQ(violation, 0.0);
}

}  // namespace
}  // namespace gonogo::calibrate
