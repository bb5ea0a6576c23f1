// SPDX-License-Identifier: Apache-2.0
// What the benchmark certifies is what an audit says: on the same table and fits both give the same
// intervals, to the last bit, and the same answer.
#include "gonogo/calibrate/trials/rules.h"

#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/table/check_table.h"
#include "gonogo/calibrate/trials/trial.h"

namespace gonogo::calibrate {
namespace {

World WorldOf(std::uint64_t seed) {
  return {.clusters = 8 + seed,
          .queries = 12,
          .unequal_clusters = seed % 2 == 1,
          .actions = 3,
          .features = 2,
          .signal = 0.1 * static_cast<double>(seed),
          .violation_logit = -3.0};
}

audit::Protocol Declared(std::uint64_t seed) {
  audit::Protocol protocol;
  protocol.min_clusters = 2;
  protocol.learner.kind = audit::LearnerKind::kRidge;
  protocol.bootstrap.refits = 40;
  protocol.bootstrap.seed = seed;
  return protocol;
}

/// A data set of the benchmark, audited as a user would, and judged by the benchmark from that
/// audit's fits.
struct Judged {
  explicit Judged(std::uint64_t seed, double level = 0.95,
                  audit::DecisionRule kind = audit::DecisionRule::kCalibrated) {
    const RngStream stream(seed);
    audit::Protocol protocol = Declared(seed);
    protocol.bootstrap.level = level;
    protocol.rule.kind = kind;
    result =
        audit::RunAudit(DrawTable(WorldOf(seed), stream.Child("table")), protocol, {}, {.jobs = 1})
            .value();
    const TrialFits fits{
        .folds = result.cross_fit, .replicates = result.bootstrap, .pairs = result.pair_fits};
    trial = JudgeTrial(WorldOf(seed), fits, {.level = level, .halves = 20}, stream);
  }
  [[nodiscard]] const RuleOutcome& outcome(Rule rule) const {
    return trial.outcome[static_cast<std::size_t>(rule)];
  }

  audit::AuditResult result;
  Trial trial;
};

constexpr std::uint64_t kSeeds[] = {0, 1, 2, 3};

TEST(RulesTest, TheBenchmarkAppliesThePapersRuleOfTheAudit) {
  for (const std::uint64_t seed : kSeeds) {
    const Judged judged(seed);
    const RuleOutcome& paper = judged.outcome(Rule::kPaper);
    EXPECT_EQ(paper.interval[0], judged.result.h_dep.interval);
    EXPECT_EQ(paper.interval[1], judged.result.h_alloc.interval);
    EXPECT_EQ(paper.interval[2], judged.result.q.interval);
    EXPECT_EQ(paper.interval[3], judged.result.h_total.interval);
    EXPECT_EQ(paper.verdict, judged.result.paper_reading->verdict);
  }
}

TEST(RulesTest, TheBenchmarkAppliesTheCalibratedRuleOfTheAudit) {
  for (const std::uint64_t seed : kSeeds) {
    const Judged judged(seed, 0.9);
    const RuleOutcome& calibrated = judged.outcome(Rule::kCalibrated);
    EXPECT_EQ(calibrated.interval[0], judged.result.calibrated->h_dep->interval);
    EXPECT_EQ(calibrated.interval[1], judged.result.calibrated->h_alloc->interval);
    EXPECT_EQ(calibrated.interval[2], judged.result.calibrated->q.interval);
    EXPECT_EQ(calibrated.interval[3], judged.result.calibrated->h_total->interval);
    EXPECT_EQ(calibrated.verdict, judged.result.reading->verdict);
    EXPECT_EQ(judged.trial.modal_share, judged.result.calibrated->reference.modal_share);
  }
}

TEST(RulesTest, TheBenchmarkAppliesTheLeavePairOutRuleOfTheAudit) {
  for (const std::uint64_t seed : kSeeds) {
    const Judged judged(seed, 0.9, audit::DecisionRule::kLeavePairOut);
    const RuleOutcome& pairs = judged.outcome(Rule::kLeavePairOut);
    EXPECT_EQ(pairs.interval[0], judged.result.pairs->h_dep.interval);
    EXPECT_EQ(pairs.interval[1], judged.result.pairs->h_alloc.interval);
    EXPECT_EQ(pairs.interval[2], judged.result.pairs->q.interval);
    EXPECT_EQ(pairs.interval[3], judged.result.pairs->h_total.interval);
    EXPECT_EQ(pairs.verdict, judged.result.reading->verdict);
  }
}

TEST(RulesTest, ThePapersIntervalsArePercentilesOfTheReplicatesInTheResult) {
  const Judged judged(2);
  std::vector<double> deployment;
  std::vector<double> violation;
  for (const audit::ReplicateResult& replicate : judged.result.replicates) {
    deployment.push_back(replicate.estimands.h_dep);
    violation.push_back(replicate.estimands.q);
  }
  EXPECT_EQ(judged.outcome(Rule::kPaper).interval[0], stats::PercentileInterval(deployment, 0.95));
  EXPECT_EQ(judged.outcome(Rule::kPaper).interval[2], stats::PercentileInterval(violation, 0.95));
}

TEST(RulesTest, ThePointsOfBothRulesAreThoseOfTheAudit) {
  const Judged judged(1);
  const audit::OutcomeTable table = DrawTable(WorldOf(1), RngStream(1).Child("table"));
  const audit::PotentialOutcomes outcomes =
      audit::DeriveOutcomes(table, judged.result.protocol.time_budget);
  const audit::RuleEvidence evidence{
      outcomes.totals, judged.result.cross_fit, judged.result.bootstrap, {}};
  const audit::RuleBounds paper =
      audit::BoundsUnder(0.05, audit::DecisionRule::kPaper, evidence, {});
  EXPECT_EQ(paper.deployment.point, judged.result.h_dep.point);
  EXPECT_EQ(paper.allocation.point, judged.result.h_alloc.point);
  EXPECT_EQ(paper.violation.point, judged.result.q.point);
  EXPECT_EQ(paper.total.point, judged.result.h_total.point);
  const audit::RuleBounds calibrated =
      audit::BoundsUnder(0.05, audit::DecisionRule::kCalibrated, evidence, {});
  EXPECT_EQ(calibrated.deployment.point, judged.result.calibrated->h_dep->point);
  EXPECT_EQ(calibrated.violation.point, judged.result.calibrated->q.point);
}

TEST(RulesTest, SimulatedTablesAreSound) {
  for (const std::uint64_t seed : kSeeds) {
    EXPECT_TRUE(audit::CheckTable(DrawTable(WorldOf(seed), RngStream(seed))).ok());
  }
}

}  // namespace
}  // namespace gonogo::calibrate
