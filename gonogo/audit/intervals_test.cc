// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/result/readings.h"

namespace gonogo::audit {
namespace {

/// A table of any kind: heavy or light tails, actions that differ much or not at all, clusters of
/// one query, constraints that are never, sometimes or always broken, or not there.
OutcomeTable AnyTable(std::uint64_t seed) {
  Rng rng = RngStream(seed).Child("any").Generator();
  OutcomeTable table;
  const std::size_t actions = 2 + rng.Below(4);
  for (std::size_t a = 0; a < actions; ++a) table.actions.push_back(std::to_string(a));
  table.cluster_begin = {0};
  const std::size_t clusters = 4 + rng.Below(20);
  const double tail = rng.Uniform() < 0.3 ? 2.5 : 0.4;
  const double effect = rng.Uniform() < 0.3 ? 0.0 : 0.8 * rng.Uniform();
  const std::size_t constraint = rng.Below(3);
  std::vector<double> x;
  for (std::size_t k = 0; k < clusters; ++k) {
    table.clusters.push_back(std::to_string(k));
    const std::size_t size = 1 + rng.Below(12);
    table.cluster_begin.push_back(table.cluster_begin.back() + size);
    for (std::size_t i = 0; i < size; ++i) {
      x.push_back(rng.Normal());
      const double direct = std::exp(tail * rng.Normal());
      for (std::size_t a = 0; a < actions; ++a) {
        const double sign = x.back() * (a % 2 == 0 ? 1.0 : -1.0);
        table.cost.push_back(a == 0 ? direct
                                    : direct * std::exp(-effect * sign + 0.1 * rng.Normal()));
        if (constraint == 0) continue;
        const double broken = constraint == 1 ? 0.05 : 0.9;
        table.eligible.push_back(a == 0 || rng.Uniform() >= broken ? 1 : 0);
      }
    }
  }
  FeatureGroup group{.name = "x", .columns = {"x", "noise"}};
  group.values.resize(static_cast<Eigen::Index>(x.size()), 2);
  for (std::size_t i = 0; i < x.size(); ++i) {
    group.values(static_cast<Eigen::Index>(i), 0) = static_cast<float>(x[i]);
    group.values(static_cast<Eigen::Index>(i), 1) = static_cast<float>(rng.Normal());
  }
  table.features.push_back(std::move(group));
  return table;
}

Protocol AnyTableProtocol(LearnerKind learner) {
  Protocol protocol;
  protocol.min_clusters = 2;
  protocol.learner.kind = learner;
  protocol.learner.forest.members = 2;
  protocol.learner.forest.trees = 1;
  protocol.bootstrap.refits = 30;
  return protocol;
}

TEST(IntervalsTest, EveryPrintedPointLiesInItsIntervalAndEveryEndIsPossible) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const OutcomeTable table = AnyTable(seed);
    const LearnerKind learner = seed % 4 == 0 ? LearnerKind::kForest : LearnerKind::kRidge;
    const AuditResult result = RunAudit(table, AnyTableProtocol(learner), {}, {}).value();
    EXPECT_EQ(result.pairs.has_value(),
              learner == LearnerKind::kRidge && table.num_clusters() >= 12)
        << seed;
    for (const RuleReading& rule : ReadRules(result)) {
      for (const ChannelReading& channel : rule.channels) {
        if (!channel.interval.has_value()) continue;
        const auto where = testing::Message()
                           << Name(rule.rule) << " " << channel.key << " of " << seed;
        EXPECT_LE(channel.interval->lower, channel.point) << where;
        EXPECT_GE(channel.interval->upper, channel.point) << where;
        EXPECT_LE(channel.interval->upper, 1.0) << where;
        EXPECT_GE(channel.interval->lower, channel.key == "q" ? 0.0 : -HUGE_VAL) << where;
      }
    }
    for (const Estimate* estimate : {&result.h_global, &result.h_avail, &result.h_total,
                                     &result.h_alloc, &result.h_dep, &result.q}) {
      if (!estimate->interval.has_value()) continue;
      EXPECT_LE(estimate->interval->lower, estimate->point) << seed;
      EXPECT_GE(estimate->interval->upper, estimate->point) << seed;
    }
  }
}

TEST(IntervalsTest, WithoutAConstraintNothingIsBrokenForCertain) {
  OutcomeTable table = AnyTable(3);
  table.eligible.clear();
  const AuditResult result = RunAudit(table, AnyTableProtocol(LearnerKind::kRidge), {}, {}).value();
  for (const RuleReading& rule : ReadRules(result)) {
    for (const ChannelReading& channel : rule.channels) {
      if (channel.key != "q") continue;
      EXPECT_EQ(channel.interval->lower, 0.0);
      EXPECT_EQ(channel.interval->upper, 0.0);
    }
  }
}

TEST(IntervalsTest, AnAdapterThatNeverActsGainsNothingButNotForCertain) {
  OutcomeTable table = AnyTable(5);
  for (FeatureGroup& group : table.features) group.values.setZero();
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    for (ActionIndex a = 1; a < table.num_actions(); ++a) {
      table.cost[table.cell(query, a)] = 1.5 * table.cost[table.cell(query, kDirect)];
    }
  }
  const AuditResult result = RunAudit(table, AnyTableProtocol(LearnerKind::kRidge), {}, {}).value();
  ASSERT_EQ(result.point.activation, 0.0);
  const stats::Interval interval = result.calibrated->h_alloc->interval;
  EXPECT_LT(interval.lower, -1e-4);
  EXPECT_GT(interval.upper, 1e-4);
  EXPECT_NEAR(interval.lower, -interval.upper, 1e-12);
}

TEST(IntervalsTest, UpperEndsOfLeavePairOutAreNoLowerThanTheCalibratedOnes) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const AuditResult result =
        RunAudit(AnyTable(seed), AnyTableProtocol(LearnerKind::kRidge), {}, {}).value();
    if (!result.pairs.has_value()) continue;
    const auto expect = [&](const std::optional<CalibratedGain>& other, const PairGain& gain) {
      if (!other.has_value()) return;
      EXPECT_GE(gain.interval.upper, other->interval.upper) << seed;
      EXPECT_GE(gain.refuting_upper, other->refuting_upper) << seed;
    };
    expect(result.calibrated->h_dep, result.pairs->h_dep);
    expect(result.calibrated->h_alloc, result.pairs->h_alloc);
    expect(result.calibrated->h_total, result.pairs->h_total);
    EXPECT_GE(result.pairs->q.interval.upper, result.calibrated->q.interval.upper) << seed;
  }
}

}  // namespace
}  // namespace gonogo::audit
