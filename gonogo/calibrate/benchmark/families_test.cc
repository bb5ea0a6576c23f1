// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <gtest/gtest.h>

#include "gonogo/audit/estimands/potential_outcomes.h"
#include "gonogo/audit/table/check_table.h"
#include "gonogo/calibrate/benchmark/cells.h"

namespace gonogo::calibrate {
namespace {

/// Enough clusters for means to be close to what is expected.
SyntheticWorld Large(Family family) {
  SyntheticWorld world =
      InFamily(family, {.signal = 0.05, .handicap = 0.02, .violation_logit = -3.0});
  world.clusters = 1200;
  world.queries = 24;
  world.baseline_spread = 0.2;  // lognormal costs with sd 1 would need far more
  return world;
}

TEST(FamiliesTest, WhatIsExpectedOfFreshQueriesIsWhatTablesShow) {
  for (const Family family : kFamilies) {
    const SyntheticWorld world = Large(family);
    const audit::OutcomeTable table = DrawTable(world, RngStream(3));
    const audit::OutcomeTotals totals = audit::DeriveOutcomes(table, 1.0).totals;
    const auto queries = static_cast<double>(table.num_queries());
    const FreshQueries fresh = DrawFreshQueries(world, 40'000, RngStream(4));
    double direct = 0.0;
    double violation = 0.0;
    std::vector<double> cost(world.actions, 0.0);
    for (std::size_t i = 0; i < fresh.violation.size(); ++i) {
      direct += fresh.cost[i * world.actions];
      violation += fresh.violation[i] / static_cast<double>(fresh.violation.size());
      for (std::size_t a = 1; a < world.actions; ++a) cost[a] += fresh.cost[i * world.actions + a];
    }
    const double drawn_direct = totals.cost.col(0).sum();
    for (std::size_t a = 1; a < world.actions; ++a) {
      const auto action = static_cast<Eigen::Index>(a);
      EXPECT_NEAR(totals.cost.col(action).sum() / drawn_direct, cost[a] / direct, 0.006)
          << Name(family) << ", action " << a;
      EXPECT_NEAR(totals.violations.col(action).sum() / queries, violation, 0.012)
          << Name(family) << ", action " << a;
    }
  }
}

TEST(FamiliesTest, TheirTablesAreSound) {
  for (const Family family : kFamilies) {
    SyntheticWorld world = InFamily(family, {});
    world.clusters = 6;
    const Status sound = audit::CheckTable(DrawTable(world, RngStream(1)));
    EXPECT_TRUE(sound.ok()) << Name(family);
  }
}

TEST(FamiliesTest, TodaysFamilyChangesNothing) {
  const SyntheticWorld world{.signal = 0.1, .violation_cluster_sd = 0.7};
  EXPECT_EQ(InFamily(Family::kLinear, world), world);
}

TEST(FamiliesTest, ConstantsMayBeTunedOnHalfOfThem) {
  std::set<std::string_view> tuned;
  for (const Family family : kFamilies) {
    if (MayTuneOn(family)) tuned.insert(Name(family));
  }
  EXPECT_EQ(tuned, (std::set<std::string_view>{"linear", "robot", "clustered"}));
}

TEST(FamiliesTest, LargeClustersOfTheInformativeFamilyHaveOtherQueries) {
  SyntheticWorld world = InFamily(Family::kInformative, {});
  world.clusters = 400;
  const audit::OutcomeTable table = DrawTable(world, RngStream(5));
  double large = 0.0;
  double small = 0.0;
  std::size_t large_count = 0;
  std::size_t small_count = 0;
  for (std::size_t k = 0; k < table.num_clusters(); ++k) {
    const audit::QueryRange range = table.queries_of(k);
    const bool is_large = range.size() > world.queries;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      (is_large ? large : small) += table.features[0].values(static_cast<Eigen::Index>(i), 0);
      ++(is_large ? large_count : small_count);
    }
  }
  EXPECT_GT(large / static_cast<double>(large_count),
            small / static_cast<double>(small_count) + 0.5);
}

}  // namespace
}  // namespace gonogo::calibrate
