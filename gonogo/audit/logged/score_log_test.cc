// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/logged/score_log.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/logged/outcome_models.h"
#include "gonogo/audit/result/result_json.h"
#include "gonogo/audit/table/table_reader.h"

namespace gonogo::audit {
namespace {

using testing::HasSubstr;

Protocol QuickLog() {
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kRidge;
  protocol.bootstrap.refits = 20;
  protocol.question.constraint = Constraint::kNone;
  return protocol;
}

/// One action of every query, drawn with equal probabilities.
OutcomeTable Thinned(const OutcomeTable& full, const RngStream& stream) {
  OutcomeTable log = full;
  log.logged.emplace();
  Rng rng = stream.Generator();
  for (std::size_t query = 0; query < full.num_queries(); ++query) {
    const auto action = static_cast<ActionIndex>(rng.Below(full.num_actions()));
    log.logged->action.push_back(action);
    log.logged->cost.push_back(full.cost[full.cell(query, action)]);
    if (!full.success.empty()) {
      log.logged->success.push_back(full.success[full.cell(query, action)]);
    }
    log.logged->propensity.push_back(1.0 / static_cast<double>(full.num_actions()));
  }
  log.cost.clear();
  log.time.clear();
  log.success.clear();
  log.eligible.clear();
  return log;
}

OutcomeTable Control() { return MakePositiveControl({}, RngStream(3)); }

/// The log's own message when it is audited.
std::string RefusalOf(const OutcomeTable& log, const Protocol& protocol = QuickLog()) {
  const Result<AuditResult> result = RunAudit(log, protocol, {}, {});
  return result.ok() ? "no error" : result.error().message;
}

TEST(ScoreLogTest, AgreesWithTheFullAuditWithinItsIntervals) {
  const OutcomeTable full = Control();
  Protocol protocol = QuickLog();
  protocol.learner.target = LearnerTarget::kDifference;
  const AuditResult whole = RunAudit(full, protocol, {}, {}).value();
  const AuditResult logged = RunAudit(Thinned(full, RngStream(1)), protocol, {}, {}).value();
  ASSERT_TRUE(logged.calibrated->h_dep.has_value());
  EXPECT_GT(whole.h_dep.point, 0.1);
  EXPECT_LT(logged.calibrated->h_dep->interval.lower, whole.h_dep.point);
  EXPECT_GT(logged.calibrated->h_dep->interval.upper, whole.h_dep.point);
  EXPECT_EQ(logged.reading->verdict, Verdict::kGo);
  EXPECT_EQ(logged.log->overlap.actions.size(), 3U);
}

TEST(ScoreLogTest, MakesAFullTableOfAFullTable) {
  const OutcomeTable full = Control();
  Protocol protocol = QuickLog();
  protocol.learner.target = LearnerTarget::kDifference;
  std::vector<Try> tries;
  TriedOutcome cost;
  for (std::size_t query = 0; query < full.num_queries(); ++query) {
    for (ActionIndex action = 0; action < full.num_actions(); ++action) {
      tries.push_back({query, action, 1.0});
      cost.push_back(full.cost[full.cell(query, action)]);
    }
  }
  const std::vector<std::size_t> folds = DealClusters(full.num_clusters(), 10, RngStream(1));
  OutcomeScores scores =
      ScoreOutcome(full, tries, cost, folds, protocol.learner, RngStream(2), {}).value();
  EXPECT_EQ(scores.score, full.cost);
  OutcomeTable scored = full;
  scored.time.clear();
  scored.success.clear();
  scored.scored = ScoredOutcomes{.predicted = scores.predicted,
                                 .weight = std::vector<double>(full.cost.size(), 1.0),
                                 .seen = full.cost};
  scored.cost = std::move(scores.score);
  const AuditResult of_scores = RunAudit(scored, protocol, {}, {}).value();
  const AuditResult of_table = RunAudit(full, protocol, {}, {}).value();
  EXPECT_EQ(of_scores.h_dep.point, of_table.h_dep.point);
  EXPECT_EQ(of_scores.h_alloc.point, of_table.h_alloc.point);
  EXPECT_EQ(of_scores.h_total.point, of_table.h_total.point);
  EXPECT_EQ(of_scores.h_global.point, of_table.h_global.point);
  EXPECT_EQ(of_scores.q.point, of_table.q.point);
  EXPECT_EQ(of_scores.calibrated->h_dep->interval.lower,
            of_table.calibrated->h_dep->interval.lower);
  EXPECT_EQ(of_scores.calibrated->q.interval.upper, of_table.calibrated->q.interval.upper);
  EXPECT_EQ(of_scores.reading->verdict, of_table.reading->verdict);
}

TEST(ScoreLogTest, AddsWeightedErrorsToPredictionsThatNeverSawTheCluster) {
  const OutcomeTable log = Thinned(Control(), RngStream(5));
  const OutcomeTable scored = ScoreLog(log, QuickLog(), {}).value().table;
  const ScoredOutcomes& made = *scored.scored;
  for (std::size_t cell = 0; cell < scored.cost.size(); ++cell) {
    const double again =
        made.predicted[cell] + made.weight[cell] * (made.seen[cell] - made.predicted[cell]);
    EXPECT_NEAR(scored.cost[cell], again, 1e-9 * (1.0 + std::abs(again)));
  }
  OutcomeTable other = log;  // the first cluster's costs are ten times as high
  for (std::size_t query = 0; query < log.queries_of(0).end; ++query) {
    other.logged->cost[query] *= 10.0;
  }
  const OutcomeTable changed = ScoreLog(other, QuickLog(), {}).value().table;
  const std::size_t cells = log.queries_of(0).end * log.num_actions();
  std::size_t differ = 0;
  for (std::size_t cell = 0; cell < scored.cost.size(); ++cell) {
    const bool same = changed.scored->predicted[cell] == made.predicted[cell];
    if (cell < cells) {
      EXPECT_TRUE(same);
    } else {
      differ += same ? 0 : 1;
    }
  }
  EXPECT_GT(differ, 0U);
}

TEST(ScoreLogTest, GivesTheSameBitsOnOneThreadAndOnFour) {
  const OutcomeTable log = Thinned(Control(), RngStream(6));
  EXPECT_EQ(ScoreLog(log, QuickLog(), {.jobs = 1}).value().table.cost,
            ScoreLog(log, QuickLog(), {.jobs = 4}).value().table.cost);
}

TEST(ScoreLogTest, NeedsAConstraintThatALogCanShow) {
  OutcomeTable full = Control();
  full.success.assign(full.cost.size(), 1);
  const OutcomeTable log = Thinned(full, RngStream(1));
  Protocol protocol = QuickLog();
  protocol.question.constraint = Constraint::kSuccessAndTime;
  const AuditResult result = RunAudit(log, protocol, {}, {}).value();
  EXPECT_FALSE(result.reading.has_value());
  ASSERT_TRUE(result.obstacle.has_value());
  EXPECT_THAT(result.obstacle->reason, HasSubstr("compares the choice with the reference"));
  const nlohmann::json json = ToJson(result);
  EXPECT_FALSE(json["estimates"].contains("q"));
  EXPECT_FALSE(json["estimates"].contains("H_avail"));
  EXPECT_EQ(json["log"]["constraint"], "not identified");
  for (const auto& channel : json["channels"]) EXPECT_NE(channel["name"], "q");
  protocol.question.constraint = Constraint::kNetSuccess;
  const AuditResult net = RunAudit(log, protocol, {}, {}).value();
  EXPECT_FALSE(net.obstacle.has_value());
  EXPECT_EQ(net.reading->verdict, Verdict::kGo);
  EXPECT_NEAR(net.q.point, 0.0, 1e-9);  // everything succeeds
  EXPECT_NEAR(*net.point.success, 1.0, 1e-9);
}

TEST(ScoreLogTest, IsDescriptiveWhereProbabilitiesWereEstimated) {
  OutcomeTable log = Thinned(Control(), RngStream(1));
  log.logged->propensity.clear();
  Protocol protocol = QuickLog();
  EXPECT_THAT(RefusalOf(log, protocol), HasSubstr("Expected a column 'propensity'"));
  protocol.logging.estimate = true;
  const AuditResult result = RunAudit(log, protocol, {}, {}).value();
  EXPECT_FALSE(result.confirmatory);
  EXPECT_THAT(result.reasons, testing::Contains(HasSubstr("were estimated from the log")));
  EXPECT_EQ(result.log->source, PropensitySource::kEstimated);
}

TEST(ScoreLogTest, TakesDeclaredConstantsForAColumn) {
  OutcomeTable log = Thinned(Control(), RngStream(1));
  const std::vector<double> by_column = ScoreLog(log, QuickLog(), {}).value().table.cost;
  log.logged->propensity.clear();
  Protocol protocol = QuickLog();
  for (const std::string& action : log.actions) {
    protocol.logging.propensity.push_back({action, 1.0 / 3.0});
  }
  EXPECT_EQ(ScoreLog(log, protocol, {}).value().table.cost, by_column);
  protocol.logging.propensity[1].probability = 0.5;
  EXPECT_THAT(RefusalOf(log, protocol), HasSubstr("sum to 1.1666"));
  protocol.logging.propensity.pop_back();
  EXPECT_THAT(RefusalOf(log, protocol), HasSubstr("has no probability for action"));
  protocol.logging.propensity[0].probability = 1.0;
  EXPECT_THAT(RefusalOf(log, protocol), HasSubstr("expected more than 0 and less than 1"));
}

TEST(ScoreLogTest, RefusesALogThatNothingCanBeLearnedFrom) {
  const OutcomeTable good = Thinned(Control(), RngStream(1));
  OutcomeTable certain = good;
  certain.logged->propensity.assign(good.num_queries(), 1.0);
  EXPECT_THAT(RefusalOf(certain), HasSubstr("A deterministic log cannot be audited"));
  OutcomeTable never = good;
  for (ActionIndex& action : never.logged->action) action = action == 2 ? 1 : action;
  EXPECT_THAT(RefusalOf(never), HasSubstr("was never tried in this log"));
  OutcomeTable wrong = good;
  for (std::size_t i = 0; i < good.num_queries(); ++i) {
    wrong.logged->propensity[i] = good.logged->action[i] == 0 ? 0.6 : 0.2;
  }
  EXPECT_THAT(RefusalOf(wrong), HasSubstr("the propensities contradict how often"));
  OutcomeTable whole = good;
  for (std::size_t k = 0; k < good.num_clusters(); ++k) {
    const QueryRange range = good.queries_of(k);
    for (std::size_t i = range.begin; i < range.end; ++i) whole.logged->action[i] = k % 3;
  }
  EXPECT_THAT(RefusalOf(whole), HasSubstr("whole clusters were given one action each"));
  OutcomeTable rare = good;
  for (std::size_t i = good.queries_of(0).end; i < good.num_queries(); ++i) {
    if (good.logged->action[i] == 2) rare.logged->action[i] = 0;
  }
  EXPECT_THAT(RefusalOf(rare), HasSubstr("was tried in 1 of 20 clusters"));
  Protocol ratio = QuickLog();
  ratio.learner.target = LearnerTarget::kRatio;
  EXPECT_THAT(RefusalOf(good, ratio), HasSubstr("expected \"difference\""));
  Protocol both = QuickLog();
  both.logging.propensity = {{"direct", 0.5}};
  EXPECT_THAT(RefusalOf(good, both), HasSubstr("expected one of them"));
}

TEST(ScoreLogTest, ReadsALogOfOneRowPerQuery) {
  std::string csv = "cluster,query,action,cost,propensity,f_x\n";
  for (int i = 0; i < 12; ++i) {
    csv += fmt::format("c{},q{:02},{},{},{},{}\n", i % 3, i, i % 2 == 0 ? "direct" : "b", 10 + i,
                       i % 2 == 0 ? 0.75 : 0.25, i);
  }
  const OutcomeTable table = ParseCsvTable(csv, "t.csv", {}).value();
  ASSERT_TRUE(table.logged.has_value());
  EXPECT_THAT(table.actions, testing::ElementsAre("direct", "b"));
  EXPECT_THAT(table.logged->action, testing::ElementsAre(0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1));
  EXPECT_THAT(table.logged->cost,
              testing::ElementsAre(10, 13, 16, 19, 11, 14, 17, 20, 12, 15, 18, 21));
  EXPECT_EQ(table.logged->propensity[1], 0.25);
  const auto refusal = [](const std::string& text, const Protocol& protocol = {}) {
    const Result<OutcomeTable> read = ParseCsvTable(text, "t.csv", protocol);
    return read.ok() ? "no error" : read.error().message;
  };
  std::string impossible = csv;
  impossible.replace(impossible.find("0.75"), 4, "1.75");
  EXPECT_THAT(refusal(impossible), HasSubstr("column 'propensity' is '1.75', expected a prob"));
  std::string missing = csv;
  missing.replace(missing.find("0.75"), 4, "");
  EXPECT_THAT(refusal(missing), HasSubstr("column 'propensity' is '', expected a probability"));
  EXPECT_THAT(refusal(csv, {.actions = {"direct", "b", "c"}}),
              HasSubstr("the declared action 'c' was never tried in this log"));
}

}  // namespace
}  // namespace gonogo::audit
