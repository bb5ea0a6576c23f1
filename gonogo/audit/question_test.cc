// SPDX-License-Identifier: Apache-2.0
// The same table has different answers to different questions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"

namespace gonogo::audit {
namespace {

Protocol Quick() {
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kRidge;
  protocol.bootstrap.refits = 20;
  return protocol;
}

/// Twenty clusters, each told by a feature of its own; in every other one `b` saves 30 %, in the
/// rest it costs 30 % more: what is learned of one cluster says nothing about another.
OutcomeTable OwnWays() {
  OutcomeTable table{.actions = {"a", "b"}};
  const Eigen::Index clusters = 20;
  const Eigen::Index size = 40;
  FeatureGroup group{.name = "f", .values = FeatureMatrix::Zero(clusters * size, clusters)};
  Rng rng = RngStream(1).Generator();
  for (Eigen::Index k = 0; k < clusters; ++k) {
    table.clusters.push_back("c" + std::to_string(k));
    table.cluster_begin.push_back(static_cast<std::size_t>(k * size));
    group.columns.push_back("f_" + std::to_string(k));
    for (Eigen::Index i = 0; i < size; ++i) {
      group.values(k * size + i, k) = 1.0F;
      table.queries.push_back(fmt::format("c{}-{}", k, i));
      table.cost.push_back(100.0 + rng.Normal());
      table.cost.push_back((k % 2 == 0 ? 70.0 : 130.0) + rng.Normal());
    }
  }
  table.cluster_begin.push_back(static_cast<std::size_t>(clusters * size));
  table.features.push_back(std::move(group));
  return table;
}

TEST(QuestionTest, WhatHelpsAtKnownClustersNeedNotHelpAtNewOnes) {
  Protocol protocol = Quick();
  const AuditResult at_new = RunAudit(OwnWays(), protocol, {}, {}).value();
  EXPECT_NE(at_new.reading->verdict, Verdict::kGo);
  EXPECT_EQ(at_new.question, "");
  protocol.question.deploy = Deployment::kKnownClusters;
  const AuditResult at_known = RunAudit(OwnWays(), protocol, {}, {}).value();
  EXPECT_EQ(at_known.reading->verdict, Verdict::kGo);
  EXPECT_NEAR(at_known.h_total.point, 0.15, 0.01);  // 30 % at half of the clusters
  EXPECT_EQ(at_known.clusters.size(), 40U);
  EXPECT_THAT(at_known.question, testing::HasSubstr("further queries of the clusters"));
}

TEST(QuestionTest, KnownClustersGiveTheSameBitsOnOneThreadAndOnFour) {
  Protocol protocol = Quick();
  protocol.question = {.deploy = Deployment::kKnownClusters, .blocks = 20};
  const OutcomeTable table = OwnWays();
  EXPECT_EQ(RunAudit(table, protocol, {}, {.jobs = 1}).value().bootstrap,
            RunAudit(table, protocol, {}, {.jobs = 4}).value().bootstrap);
}

/// The positive control in which the reference fails at a tenth of the queries, where candidates
/// succeed, and candidates at every twentieth.
OutcomeTable LossesAndGains() {
  OutcomeTable table = MakePositiveControl({}, RngStream(2));
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    const std::size_t direct = table.cell(query, kDirect);
    if (query % 10 == 3) table.success[direct] = 0;
    if (query % 20 == 7) table.success[direct + 1] = table.success[direct + 2] = 0;
  }
  return table;
}

TEST(QuestionTest, GainsMakeUpForLossesWhereNetSuccessIsDeclared) {
  Protocol protocol = Quick();
  protocol.selector.min_eligibility = 0.0;
  const AuditResult plain = RunAudit(LossesAndGains(), protocol, {}, {}).value();
  protocol.question.constraint = Constraint::kNetSuccess;
  const AuditResult net = RunAudit(LossesAndGains(), protocol, {}, {}).value();
  // The adapter departs everywhere: every twentieth is lost, every tenth gained.
  EXPECT_NEAR(plain.point.q, 0.05, 0.01);
  EXPECT_NEAR(net.point.q, -0.05, 0.01);
  EXPECT_LT(net.calibrated->q.interval.upper, 0.0);
  EXPECT_EQ(net.calibrated->violation, Channel::kSatisfied);
  EXPECT_NE(plain.calibrated->violation, Channel::kSatisfied);
}

TEST(QuestionTest, NetSuccessIsBoundedByTheLeavePairOutRuleToo) {
  Protocol protocol = Quick();
  protocol.selector.min_eligibility = 0.0;
  protocol.rule.kind = DecisionRule::kLeavePairOut;
  protocol.question.constraint = Constraint::kNetSuccess;
  const AuditResult net = RunAudit(LossesAndGains(), protocol, {}, {}).value();
  EXPECT_LT(net.pairs->q.interval.upper, 0.0);
  EXPECT_LT(net.pairs->q.interval.lower, net.pairs->q.interval.upper);
}

TEST(QuestionTest, WithoutAConstraintNothingIsBroken) {
  Protocol protocol = Quick();
  protocol.question.constraint = Constraint::kNone;
  const AuditResult result = RunAudit(LossesAndGains(), protocol, {}, {}).value();
  EXPECT_EQ(result.point.q, 0.0);
  EXPECT_FALSE(result.table.has_time);
}

TEST(QuestionTest, AColumnOfAdapterCostsIsChargedLikeAConstant) {
  Protocol protocol = Quick();
  OutcomeTable table = MakePositiveControl({.clusters = 8}, RngStream(3));
  const double mean = table.cost[0];
  Protocol constant = protocol;
  constant.rule.adapter_cost = 0.02 * mean;
  const CalibratedAudit charged = *RunAudit(table, constant, {}, {}).value().calibrated;
  const CalibratedAudit free = *RunAudit(table, protocol, {}, {}).value().calibrated;
  table.adapter_cost.assign(table.num_queries(), 0.02 * mean);
  const CalibratedAudit column = *RunAudit(table, protocol, {}, {}).value().calibrated;
  EXPECT_NEAR(column.h_dep->point, charged.h_dep->point, 1e-12);
  EXPECT_NEAR(column.h_alloc->interval.lower, charged.h_alloc->interval.lower, 1e-12);
  EXPECT_NEAR(column.h_total->interval.upper, charged.h_total->interval.upper, 1e-12);
  EXPECT_LT(column.h_dep->point, free.h_dep->point);
}

}  // namespace
}  // namespace gonogo::audit
