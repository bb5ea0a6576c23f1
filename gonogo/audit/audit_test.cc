// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/audit.h"

#include <algorithm>

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/table/table_reader.h"

namespace gonogo::audit {
namespace {

Protocol RidgeProtocol(std::size_t refits = 40) {
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kRidge;
  protocol.bootstrap.refits = refits;
  return protocol;
}

void Declare(const Protocol& protocol, OutcomeTable& table) {
  table.declaration = CanonicalText(protocol);
  table.declaration_sha256 = Fingerprint(protocol);
}

/// Costs that do not depend on anything observable: every candidate saves at random.
OutcomeTable HiddenSignalTable(double benefit, std::uint64_t seed) {
  OutcomeTable table = MakePositiveControl({.benefit = 0.0}, RngStream(seed));
  Rng rng = RngStream(seed).Child("hidden").Generator();
  for (std::size_t q = 0; q < table.num_queries(); ++q) {
    table.cost[table.cell(q, static_cast<ActionIndex>(1 + rng.Below(2)))] *= 1.0 - benefit;
  }
  return table;
}

TEST(AuditTest, PositiveControlIsAConfirmatoryGo) {
  const Protocol protocol = RidgeProtocol(100);
  OutcomeTable table = MakePositiveControl({}, RngStream(1));
  Declare(protocol, table);
  const AuditResult result = RunAudit(table, protocol, {}, {}).value();
  EXPECT_THAT(result.reasons, testing::IsEmpty());
  ASSERT_TRUE(result.decision.has_value());
  EXPECT_EQ(*result.decision, Verdict::kGo);
  EXPECT_EQ(result.replicates.size(), 100U);
  EXPECT_EQ(result.folds.size(), 20U);
  EXPECT_GT(result.h_alloc.interval->lower, 0.05);
}

TEST(AuditTest, NoDecisionRestsOnAReferenceThatFails) {
  const Protocol protocol = RidgeProtocol();
  OutcomeTable table = MakePositiveControl({}, RngStream(1));
  table.success.assign(table.cost.size(), 0);
  Declare(protocol, table);
  const AuditResult result = RunAudit(table, protocol, {}, {}).value();
  ASSERT_TRUE(result.obstacle.has_value());
  EXPECT_THAT(result.obstacle->reason, testing::HasSubstr("succeeds at 0.0 % of the queries"));
  EXPECT_FALSE(result.decision.has_value());
  EXPECT_FALSE(result.reading.has_value());
  EXPECT_FALSE(result.paper_reading.has_value());
  EXPECT_TRUE(result.sensitivity.empty());
}

TEST(AuditTest, AReferenceThatSucceedsAsOftenAsDeclaredIsEnough) {
  Protocol protocol = RidgeProtocol();
  OutcomeTable table = MakePositiveControl({}, RngStream(1));
  table.success.assign(table.cost.size(), 0);
  // Every action succeeds at the first half of the queries.
  std::fill_n(table.success.begin(), table.success.size() / 2, 1);
  EXPECT_TRUE(RunAudit(table, protocol, {}, {}).value().reading.has_value());
  protocol.rule.min_reference_success = 0.51;
  EXPECT_TRUE(RunAudit(table, protocol, {}, {}).value().obstacle.has_value());
  table.success.clear();  // not recorded: nothing is known about the reference
  EXPECT_FALSE(RunAudit(table, protocol, {}, {}).value().obstacle.has_value());
}

TEST(AuditTest, AForestIsDecidedByTheCalibratedRuleWhateverIsDeclared) {
  Protocol protocol = RidgeProtocol();
  protocol.learner.kind = LearnerKind::kForest;
  protocol.learner.forest.members = 2;
  protocol.learner.forest.trees = 1;
  protocol.bootstrap.refits = 20;
  OutcomeTable table = MakePositiveControl({}, RngStream(1));
  Declare(protocol, table);
  const AuditResult result = RunAudit(table, protocol, {}, {}).value();
  EXPECT_THAT(result.reasons, testing::IsEmpty());
  EXPECT_FALSE(result.pairs.has_value());
  EXPECT_EQ(result.decision, result.calibrated->verdict);
  EXPECT_THAT(result.why_this_rule, testing::HasSubstr("not tried with the learner forest"));
}

TEST(AuditTest, WhatDecidesWithoutADeclaredRuleIsSaid) {
  const OutcomeTable few = MakePositiveControl({.clusters = 11}, RngStream(1));
  const AuditResult result = RunAudit(few, RidgeProtocol(), {}, {}).value();
  EXPECT_FALSE(result.pairs.has_value());
  EXPECT_TRUE(result.pair_fits.empty());
  EXPECT_THAT(result.why_this_rule, testing::HasSubstr("needs 12 clusters"));
  const OutcomeTable enough = MakePositiveControl({.clusters = 12}, RngStream(1));
  const AuditResult other = RunAudit(enough, RidgeProtocol(), {}, {}).value();
  EXPECT_TRUE(other.pairs.has_value());
  EXPECT_EQ(other.why_this_rule, "");
}

TEST(AuditTest, TheLeavePairOutRuleDecidesWhereNothingElseIsDeclared) {
  Protocol protocol = RidgeProtocol();
  OutcomeTable table = MakePositiveControl({}, RngStream(1));
  Declare(protocol, table);
  const AuditResult one = RunAudit(table, protocol, {}, {.jobs = 1}).value();
  ASSERT_TRUE(one.pairs.has_value());
  EXPECT_EQ(one.pair_fits.size(), 121U);
  EXPECT_EQ(one.pairs->fits, 120U);
  EXPECT_EQ(one.decision, one.pairs->verdict);
  EXPECT_EQ(*one.decision, Verdict::kGo);
  const AuditResult three = RunAudit(table, protocol, {}, {.jobs = 3}).value();
  EXPECT_EQ(one.pair_fits, three.pair_fits);
  EXPECT_EQ(one.pairs->h_dep.interval, three.pairs->h_dep.interval);
  // The other rules are not touched by the fits that were added.
  protocol.rule.kind = DecisionRule::kCalibrated;
  const AuditResult other = RunAudit(table, protocol, {}, {}).value();
  EXPECT_FALSE(other.pairs.has_value());
  EXPECT_EQ(other.calibrated->h_dep->interval, one.calibrated->h_dep->interval);
  EXPECT_EQ(other.h_dep.interval, one.h_dep.interval);
}

TEST(AuditTest, HiddenSignalNeverGoes) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const OutcomeTable table = HiddenSignalTable(0.05, seed);
    const AuditResult result = RunAudit(table, RidgeProtocol(), {}, {}).value();
    EXPECT_GT(result.h_avail.point, 0.04);
    EXPECT_NE(result.reading->verdict, Verdict::kGo) << "seed " << seed;
  }
}

TEST(AuditTest, AGloballyBetterActionIsNotAllocationValue) {
  OutcomeTable table = MakePositiveControl({.benefit = 0.0}, RngStream(3));
  for (std::size_t q = 0; q < table.num_queries(); ++q) table.cost[table.cell(q, 1)] *= 0.95;
  const AuditResult result = RunAudit(table, RidgeProtocol(), {}, {}).value();
  EXPECT_NEAR(result.h_total.point, 0.05, 0.005);
  EXPECT_NEAR(result.h_alloc.point, 0.0, 0.005);
  EXPECT_EQ(result.reading->verdict, Verdict::kNoGo);
  EXPECT_EQ(result.actions[1].reference_folds, 20U);
}

TEST(AuditTest, GivesTheSameResultOnOneThreadAndOnFour) {
  const OutcomeTable table = MakePositiveControl({.clusters = 6}, RngStream(4));
  const AuditResult one = RunAudit(table, RidgeProtocol(), {}, {.jobs = 1}).value();
  const AuditResult four = RunAudit(table, RidgeProtocol(), {}, {.jobs = 4}).value();
  EXPECT_EQ(one.cross_fit, four.cross_fit);
  EXPECT_EQ(one.bootstrap, four.bootstrap);
  EXPECT_EQ(one.h_dep.interval, four.h_dep.interval);
}

TEST(AuditTest, RescalingEveryCostChangesNothing) {
  OutcomeTable table = MakePositiveControl({.clusters = 6}, RngStream(5));
  const AuditResult before = RunAudit(table, RidgeProtocol(), {}, {}).value();
  for (double& cost : table.cost) cost *= 4.0;  // exact in binary
  const AuditResult after = RunAudit(table, RidgeProtocol(), {}, {}).value();
  EXPECT_EQ(after.h_dep.interval, before.h_dep.interval);
  EXPECT_EQ(after.h_alloc.point, before.h_alloc.point);
  EXPECT_EQ(after.q.interval, before.q.interval);
}

TEST(AuditTest, ShufflingTheRowsOfAFileChangesNoByte) {
  const OutcomeTable table =
      MakePositiveControl({.clusters = 5, .queries_per_cluster = 8}, RngStream(17));
  std::vector<std::string> rows;
  for (std::size_t k = 0; k < table.num_clusters(); ++k) {
    for (std::size_t q = table.queries_of(k).begin; q < table.queries_of(k).end; ++q) {
      for (ActionIndex a = 0; a < table.num_actions(); ++a) {
        const auto row = static_cast<Eigen::Index>(q);
        rows.push_back(fmt::format("{},{},{},{},{},{}\n", table.clusters[k], table.queries[q],
                                   table.actions[a], table.cost[table.cell(q, a)],
                                   table.features[1].values(row, 0),
                                   table.features[1].values(row, 1)));
      }
    }
  }
  const auto audit = [&] {
    const std::string csv =
        fmt::format("cluster,query,action,cost,target_x,target_y\n{}", fmt::join(rows, ""));
    return RunAudit(ParseCsvTable(csv, "rows.csv", {}).value(), RidgeProtocol(10), {}, {}).value();
  };
  const AuditResult sorted = audit();
  RngStream(18).Generator().Shuffle(std::span<std::string>(rows));
  const AuditResult shuffled = audit();
  EXPECT_EQ(shuffled.cross_fit, sorted.cross_fit);
  EXPECT_EQ(shuffled.bootstrap, sorted.bootstrap);
}

TEST(AuditTest, SaysWhyItIsDescriptive) {
  const Protocol declared = RidgeProtocol();
  OutcomeTable table = MakePositiveControl({.clusters = 5}, RngStream(6));
  EXPECT_THAT(RunAudit(table, declared, {}, {}).value().reasons,
              testing::ElementsAre(testing::HasSubstr("no declaration"),
                                   "5 clusters, fewer than the 20 declared"));
  Declare(declared, table);
  Protocol used = declared;
  used.bootstrap.refits = 10;
  const AuditResult result = RunAudit(table, used, {}, {}).value();
  EXPECT_THAT(result.reasons, testing::Contains("bootstrap.refits: declared 40, used 10"));
  EXPECT_FALSE(result.confirmatory);
  EXPECT_FALSE(result.decision.has_value());
  EXPECT_FALSE(result.reading.has_value());
  table.declaration += "# changed\n";
  EXPECT_THAT(RunAudit(table, declared, {}, {}).value().reasons,
              testing::Contains(testing::HasSubstr("was changed after")));
}

TEST(AuditTest, AFingerprintAloneIsEnoughWhenTheProtocolIsTheSame) {
  const Protocol protocol = RidgeProtocol(10);
  OutcomeTable table = MakePositiveControl({}, RngStream(7));
  table.declaration_sha256 = Fingerprint(protocol);
  EXPECT_TRUE(RunAudit(table, protocol, {}, {}).value().confirmatory);
  Protocol other = protocol;
  other.thresholds.kappa = 0.2;
  EXPECT_THAT(RunAudit(table, other, {}, {}).value().reasons,
              testing::ElementsAre(testing::HasSubstr("is not the one")));
}

TEST(AuditTest, FoldIntervalsAreDescriptive) {
  Protocol protocol = RidgeProtocol();
  protocol.bootstrap.method = IntervalMethod::kFolds;
  OutcomeTable table = MakePositiveControl({}, RngStream(8));
  Declare(protocol, table);
  const AuditResult result = RunAudit(table, protocol, {}, {}).value();
  EXPECT_THAT(result.reasons, testing::ElementsAre(testing::HasSubstr("learner-refit")));
  EXPECT_TRUE(result.replicates.empty());
  EXPECT_FALSE(result.h_avail.interval.has_value());
  EXPECT_TRUE(result.h_dep.interval.has_value());
}

TEST(AuditTest, TheArchivedPresetAveragesFoldRatios) {
  Protocol protocol = Archived(RidgeProtocol());
  protocol.learner.kind = LearnerKind::kRidge;
  const OutcomeTable table = MakePositiveControl({.clusters = 6}, RngStream(16));
  const AuditResult result = RunAudit(table, protocol, {}, {}).value();
  double mean = 0.0;
  for (const FoldResult& fold : result.folds) mean += fold.sums.h_alloc() / 6.0;
  EXPECT_NEAR(result.h_alloc.point, mean, 1e-12);
  EXPECT_FALSE(result.confirmatory);
}

TEST(AuditTest, SensitivityContainsTheDeclaredThresholdsWithTheSameReading) {
  const OutcomeTable table = MakePositiveControl({.benefit = 0.03}, RngStream(9));
  Protocol protocol = RidgeProtocol();
  protocol.thresholds = {.delta_dep = 0.012, .delta_alloc = 0.012, .kappa = 0.04};
  const AuditResult result = RunAudit(table, protocol, {}, {}).value();
  const auto cell =
      std::find_if(result.sensitivity.begin(), result.sensitivity.end(),
                   [](const SensitivityCell& c) { return c.delta == 0.012 && c.kappa == 0.04; });
  ASSERT_NE(cell, result.sensitivity.end());
  EXPECT_EQ(cell->verdict, result.reading->verdict);
}

TEST(AuditTest, SensitivityIsThereForFoldsAndChoicesToo) {
  OutcomeTable table = MakePositiveControl({.benefit = 0.03}, RngStream(9));
  Protocol protocol = RidgeProtocol();
  protocol.bootstrap.method = IntervalMethod::kFolds;
  const AuditResult folds = RunAudit(table, protocol, {}, {}).value();
  table.choice.assign(table.num_queries(), 1);
  for (const AuditResult& result : {folds, AuditChoices(table, RidgeProtocol()).value()}) {
    EXPECT_EQ(result.sensitivity.size(), 63U);
    const auto cell =
        std::find_if(result.sensitivity.begin(), result.sensitivity.end(),
                     [](const SensitivityCell& c) { return c.delta == 0.01 && c.kappa == 0.05; });
    ASSERT_NE(cell, result.sensitivity.end());
    EXPECT_EQ(cell->verdict, result.reading->verdict) << result.source;
  }
}

TEST(AuditTest, ActionSharesAddUp) {
  const OutcomeTable table = MakePositiveControl({.clusters = 5}, RngStream(10));
  const AuditResult result = RunAudit(table, RidgeProtocol(5), {}, {}).value();
  double chosen = 0.0;
  double oracle = 0.0;
  for (const ActionSummary& action : result.actions) {
    chosen += action.chosen;
    oracle += action.oracle;
  }
  EXPECT_NEAR(chosen, 1.0, 1e-12);
  EXPECT_NEAR(oracle, 1.0, 1e-12);
  EXPECT_NEAR(result.actions[0].chosen, 1.0 - result.point.activation, 1e-12);
}

TEST(AuditChoicesTest, OracleChoicesRecoverTheHeadroom) {
  OutcomeTable table = MakePositiveControl({}, RngStream(11));
  table.choice = ComputeOracle(table, ComputeEligibility(table, 1.1));
  const AuditResult result = AuditChoices(table, {}).value();
  EXPECT_DOUBLE_EQ(result.h_total.point, result.h_avail.point);
  EXPECT_EQ(result.q.point, 0.0);
  EXPECT_EQ(result.reading->verdict, Verdict::kGo);
  EXPECT_THAT(result.reasons, testing::Contains(testing::HasSubstr("choices were supplied")));
}

TEST(AuditChoicesTest, RandomChoicesAreRefused) {
  OutcomeTable table = MakePositiveControl({}, RngStream(12));
  Rng rng = RngStream(13).Generator();
  for (std::size_t q = 0; q < table.num_queries(); ++q) {
    table.choice.push_back(static_cast<ActionIndex>(rng.Below(3)));
  }
  EXPECT_EQ(AuditChoices(table, {}).value().reading->verdict, Verdict::kNoGo);
}

TEST(AuditChoicesTest, NeedAChoiceColumn) {
  const OutcomeTable table = MakePositiveControl({.clusters = 2}, RngStream(14));
  const Result<AuditResult> result = AuditChoices(table, {});
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, testing::HasSubstr("'choice'"));
}

TEST(AblationTest, OnlyTheInformativeGroupRecoversTheSignal) {
  const OutcomeTable table = MakePositiveControl({}, RngStream(15));
  Protocol protocol = RidgeProtocol(20);
  protocol.feature_sets = {{"obs", {"obs"}}, {"obs+target", {"obs", "target"}}};
  const std::vector<AblationRow> rows = RunAblation(table, protocol, {}).value();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_LT(rows[0].result.h_alloc.point, 0.01);
  EXPECT_GT(rows[1].result.h_alloc.point, 0.08);
  EXPECT_EQ(rows[0].result.table.features, 12U);
}

}  // namespace
}  // namespace gonogo::audit
