// SPDX-License-Identifier: Apache-2.0
// What the benchmark certifies is what users run: a data set that it draws, written to a file and
// audited from there as `gonogo audit` does, has the same bounds under every rule, to the last bit,
// and the same answer.
#include <filesystem>

#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/rules/rule.h"
#include "gonogo/audit/run/run.h"
#include "gonogo/audit/table/check_table.h"
#include "gonogo/audit/table/first_clusters.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/calibrate/simulate/series.h"

namespace gonogo::calibrate {
namespace {

/// A world, what is declared, and the stream of one of its data sets.
struct Case {
  const char* name;
  SyntheticWorld world;
  audit::Protocol protocol;
};

audit::Protocol Declared() {
  audit::Protocol protocol;
  protocol.min_clusters = 4;
  protocol.learner.kind = audit::LearnerKind::kRidge;
  protocol.bootstrap.refits = 24;
  return protocol;
}

SyntheticWorld FullWorld() {
  return {.clusters = 12,
          .queries = 14,
          .unequal_clusters = true,
          .actions = 3,
          .features = 3,
          .signal = 0.2,
          .violation_logit = -2.0};
}

SyntheticWorld LoggedWorld(Logging logging) {
  SyntheticWorld world = FullWorld();
  world.clusters = 12;
  world.queries = 30;
  world.unequal_clusters = false;
  world.actions = 2;
  world.logging = logging;
  world.baseline_feature = true;
  return world;
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  const auto add = [&](const char* name, const SyntheticWorld& world) -> audit::Protocol& {
    cases.push_back({name, world, Declared()});
    return cases.back().protocol;
  };
  add("defaults", FullWorld());
  audit::Protocol& thresholds = add("thresholds and level", FullWorld());
  thresholds.thresholds = {.delta_dep = 0.03, .delta_alloc = 0.002, .kappa = 0.12};
  thresholds.bootstrap.level = 0.9;
  thresholds.bootstrap.mixture = audit::Mixture::kPooled;
  thresholds.rule.icc = 0.3;
  thresholds.rule.least_icc = 0.05;
  SyntheticWorld timed = FullWorld();
  timed.constraint = ShownConstraint::kTime;
  timed.violation_logit = -1.0;
  add("times", timed);
  audit::Protocol& budget = add("time budget", timed);
  budget.time_budget = 1.3;
  budget.time_tolerance = 0.05;
  audit::Protocol& gate = add("gate", FullWorld());
  gate.selector = {.z = 0.3, .ddof = 0, .min_eligibility = 0.7};
  audit::Protocol& spending = add("gate that spends a share of kappa", FullWorld());
  spending.selector.violation_share = 0.5;
  SyntheticWorld failing = FullWorld();
  failing.constraint = ShownConstraint::kFailure;
  add("failures", failing);
  audit::Protocol& free = add("no constraint", FullWorld());
  free.question.constraint = audit::Constraint::kNone;
  audit::Protocol& forest = add("forest of differences", FullWorld());
  forest.learner.kind = audit::LearnerKind::kForest;
  forest.learner.forest = {.members = 3, .trees = 2};
  audit::Protocol& log_target = add("ridge of logarithms", FullWorld());
  log_target.learner.target = audit::LearnerTarget::kLog;
  audit::Protocol& known = add("known clusters", FullWorld());
  known.question = {.deploy = audit::Deployment::kKnownClusters, .blocks = 13};
  audit::Protocol& looks = add("first of two looks", FullWorld());
  looks.rule.looks = 2;
  add("log", LoggedWorld(Logging::kEven));
  audit::Protocol& weak = add("weak log, other folds and gate", LoggedWorld(Logging::kWeak));
  weak.logging.folds = 4;
  weak.selector.z = 0.5;
  add("log without propensities", LoggedWorld(Logging::kEstimated));
  return cases;
}

/// The audit of a table as a user runs it: from a file, in a folder, under a protocol that was read
/// from its text.
audit::AuditResult AuditOf(const audit::OutcomeTable& table, const audit::Protocol& protocol) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "gonogo_same_as_audit_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::filesystem::path file = folder / "table.h5";
  EXPECT_TRUE(audit::WriteTable(table, file).ok());
  const audit::Protocol read =
      audit::ParseProtocol(audit::CanonicalText(protocol), "audit.toml").value();
  EXPECT_EQ(read, protocol);
  audit::AuditReport report = audit::Run({.table = audit::ReadTable(file, read).value(),
                                          .protocol = read,
                                          .declared = read,
                                          .folder = folder / "run"},
                                         audit::Everywhere({.jobs = 1}))
                                  .value();
  std::filesystem::remove_all(folder);
  return report.result();
}

/// What a user would declare to get the fits of a data set: the declared protocol, with the seed of
/// the data set and the rule whose fits serve all of them.
audit::Protocol AsUser(const audit::Protocol& declared, const SyntheticWorld& world,
                       const RngStream& data) {
  audit::Protocol protocol = declared;
  protocol.bootstrap.seed = ProtocolFor(declared, world, true, data).bootstrap.seed;
  protocol.rule.kind = audit::DecisionRule::kLeavePairOut;
  protocol.logging.estimate = world.logging == Logging::kEstimated;
  return protocol;
}

/// The intervals an audit shows for a rule, in the order of `kQuantities`.
std::array<stats::Interval, 4> IntervalsOf(const audit::AuditResult& result, RuleUnderTest rule) {
  switch (rule) {
    case RuleUnderTest::kPaper:
      return {*result.h_dep.interval, *result.h_alloc.interval, *result.q.interval,
              *result.h_total.interval};
    case RuleUnderTest::kCalibrated:
      return {result.calibrated->h_dep->interval, result.calibrated->h_alloc->interval,
              result.calibrated->q.interval, result.calibrated->h_total->interval};
    case RuleUnderTest::kLeavePairOut:
      // Of a log and with few clusters the calibrated one stands in for it.
      if (!result.pairs.has_value()) return IntervalsOf(result, RuleUnderTest::kCalibrated);
      return {result.pairs->h_dep.interval, result.pairs->h_alloc.interval,
              result.pairs->q.interval, result.pairs->h_total.interval};
    case RuleUnderTest::kContenders:
      break;
  }
  ADD_FAILURE() << "no audit shows the contenders' rule";
  return {};
}

/// No protocol declares the contenders' rule: it is the calibrated one with another option, read
/// from the audit's own fits.
RuleOutcome ContendersOf(const audit::OutcomeTable& table, const audit::AuditResult& result) {
  const audit::Protocol& protocol = result.protocol;
  const auto asked = audit::AskedOutcomes::Open(table, protocol, {.jobs = 1}).value();
  audit::RuleOptions options = audit::DeclaredOptions(audit::DecisionRule::kCalibrated, protocol,
                                                      result.look, result.clusters.size());
  options.every_contender = true;
  return OutcomeOf(
      audit::ApplyRule(audit::DecisionRule::kCalibrated,
                       {asked->outcomes().totals, result.cross_fit, result.bootstrap, {}},
                       protocol.thresholds, options, RngStream(0)));
}

void ExpectSame(const RuleOutcome& ours, const audit::OutcomeTable& table,
                const audit::AuditResult& result, RuleUnderTest rule) {
  if (rule == RuleUnderTest::kContenders) {
    const RuleOutcome contenders = ContendersOf(table, result);
    EXPECT_EQ(ours.interval, contenders.interval);
    EXPECT_EQ(ours.verdict, contenders.verdict);
    return;
  }
  EXPECT_EQ(ours.interval, IntervalsOf(result, rule)) << Name(rule);
  ASSERT_TRUE(result.reading.has_value());
  if (rule == RuleUnderTest::kPaper) {
    EXPECT_EQ(ours.verdict, result.paper_reading->verdict);
  } else if (rule == RuleUnderTest::kCalibrated) {
    EXPECT_EQ(ours.verdict, result.calibrated->verdict);
  } else {
    EXPECT_EQ(ours.verdict, result.reading->verdict);
  }
}

TEST(SameAsAuditTest, EveryRuleReadsWhatTheAuditOfTheWrittenTableReads) {
  for (const Case& each : Cases()) {
    SCOPED_TRACE(each.name);
    const RngStream data(7);
    const SimulationOptions options{.protocol = each.protocol, .fresh_queries = 0};
    const SimulatedFits fits = Simulate(each.world, {}, options, data).value();
    const audit::Protocol protocol = ProtocolFor(each.protocol, each.world, true, data);
    const SimulatedAudit judged = Judge(fits, protocol, 20);
    const auto kept = DecodeFits(EncodeFits(fits), protocol);
    ASSERT_TRUE(kept.has_value());
    const SimulatedAudit resumed = Judge(*kept, protocol, 20);

    const audit::OutcomeTable table = DrawDataSet(each.world, protocol, data, 0).value().table;
    const audit::AuditResult result = AuditOf(table, AsUser(each.protocol, each.world, data));
    for (const RuleUnderTest rule : kRules) {
      const auto i = static_cast<std::size_t>(rule);
      ExpectSame(judged.outcome[i], table, result, rule);
      EXPECT_EQ(resumed.outcome[i].interval, judged.outcome[i].interval);
      EXPECT_EQ(resumed.outcome[i].flip_rate, judged.outcome[i].flip_rate);
    }
    EXPECT_EQ(judged.modal_share, result.calibrated->reference.modal_share);
  }
}

TEST(SameAsAuditTest, WhatIsDeclaredMattersToWhatIsCompared) {
  // Every case but the first differs from it, or the test above would compare the same thing often.
  std::vector<SimulatedAudit> judged;
  for (const Case& each : Cases()) {
    const SimulationOptions options{.protocol = each.protocol, .fresh_queries = 0};
    const SimulatedFits fits = Simulate(each.world, {}, options, RngStream(7)).value();
    judged.push_back(Judge(fits, ProtocolFor(each.protocol, each.world, true, RngStream(7)), 0));
  }
  for (std::size_t i = 0; i < judged.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (std::string_view(Cases()[i].name) == "time budget") continue;  // moves times alike
      EXPECT_NE(judged[i].outcome[1].interval, judged[j].outcome[1].interval)
          << Cases()[i].name << " and " << Cases()[j].name;
    }
  }
}

TEST(SameAsAuditTest, EveryInterimAnalysisOfASeriesIsTheAuditOfTheClustersSoFar) {
  for (const Logging logging : {Logging::kFull, Logging::kEven, Logging::kWeak}) {
    SyntheticWorld world = LoggedWorld(logging);
    world.signal = 0.05;  // undecided for long
    SimulationOptions options{.protocol = Declared()};
    options.protocol.rule.looks_at = {8, 12};
    options.protocol.rule.futility = 0.0;
    options.protocol.time_budget = 1.2;
    options.protocol.selector.z = 0.5;
    const RngStream data(11);
    const FreshQueries fresh = DrawFreshQueries(world, 200, RngStream(3));
    const Series series = RunSeries(world, fresh, options, false, data).value();
    ASSERT_EQ(series.read.size(), 2U);

    const audit::Protocol protocol = ProtocolFor(options.protocol, world, true, data);
    const audit::OutcomeTable all = DrawDataSet(world, protocol, data, 0).value().table;
    EXPECT_EQ(all.logged.has_value(), logging != Logging::kFull);
    for (std::size_t look = 0; look < 2; ++look) {
      const audit::OutcomeTable table = audit::FirstClusters(all, protocol.rule.looks_at[look]);
      const audit::AuditResult result = AuditOf(table, AsUser(options.protocol, world, data));
      ASSERT_EQ(result.path.size(), 1U);
      EXPECT_EQ(result.path[0].look, look + 1);
      for (std::size_t r = 0; r < kSpendingRules.size(); ++r) {
        ExpectSame(series.read[look][r], table, result, kSpendingRules[r]);
      }
    }
  }
}

TEST(SameAsAuditTest, ThePapersIntervalsArePercentilesOfTheReplicatesInTheResult) {
  const audit::Protocol protocol = ProtocolFor(Declared(), FullWorld(), false, RngStream(2));
  const audit::AuditResult result =
      audit::RunAudit(DrawTable(FullWorld(), RngStream(2)), protocol, {}, {.jobs = 1}).value();
  std::vector<double> deployment;
  std::vector<double> violation;
  for (const audit::ReplicateResult& replicate : result.replicates) {
    deployment.push_back(replicate.estimands.h_dep);
    violation.push_back(replicate.estimands.q);
  }
  EXPECT_EQ(*result.h_dep.interval, stats::PercentileInterval(deployment, 0.95));
  EXPECT_EQ(*result.q.interval, stats::PercentileInterval(violation, 0.95));
}

TEST(SameAsAuditTest, ThePointsOfBothRulesAreThoseOfTheAudit) {
  const audit::Protocol protocol = ProtocolFor(Declared(), FullWorld(), false, RngStream(1));
  const audit::OutcomeTable table = DrawTable(FullWorld(), RngStream(1));
  const audit::AuditResult result = audit::RunAudit(table, protocol, {}, {.jobs = 1}).value();
  const audit::OutcomeTotals totals = audit::DeriveOutcomes(table, protocol.time_budget).totals;
  const audit::RuleEvidence evidence{totals, result.cross_fit, result.bootstrap, {}};
  const audit::RuleBounds paper =
      audit::BoundsUnder(0.05, audit::DecisionRule::kPaper, evidence, {});
  EXPECT_EQ(paper.deployment.point, result.h_dep.point);
  EXPECT_EQ(paper.allocation.point, result.h_alloc.point);
  EXPECT_EQ(paper.violation.point, result.q.point);
  EXPECT_EQ(paper.total.point, result.h_total.point);
  const audit::RuleBounds calibrated =
      audit::BoundsUnder(0.05, audit::DecisionRule::kCalibrated, evidence, {});
  EXPECT_EQ(calibrated.deployment.point, result.calibrated->h_dep->point);
  EXPECT_EQ(calibrated.violation.point, result.calibrated->q.point);
}

TEST(SameAsAuditTest, SimulatedTablesAreSound) {
  for (const std::uint64_t seed : {0U, 1U, 2U, 3U}) {
    EXPECT_TRUE(audit::CheckTable(DrawTable(FullWorld(), RngStream(seed))).ok());
  }
}

}  // namespace
}  // namespace gonogo::calibrate
