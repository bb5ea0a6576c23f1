// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/logged/score_log.h"

#include <algorithm>
#include <string>
#include <utility>

#include "gonogo/audit/logged/outcome_models.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

/// Which constraint a log can speak about, and why not of the declared one.
void FindConstraint(const OutcomeTable& log, LogReport& report) {
  const LoggedOutcomes& seen = *log.logged;
  if (log.counts_net_success) {
    report.constraint = LogConstraint::kNet;
  } else if (!seen.eligible.empty()) {
    report.constraint = LogConstraint::kAbsolute;
  } else if (!seen.success.empty() || !seen.time.empty()) {
    report.constraint = LogConstraint::kNotIdentified;
    report.not_identified =
        "the declared constraint compares the choice with the reference at the same query, and a "
        "log shows one action there: how often the constraint is broken cannot be known";
  }
}

TriedOutcome AsNumbers(const std::vector<std::uint8_t>& flags, bool inverted) {
  TriedOutcome numbers;
  for (const std::uint8_t flag : flags) numbers.push_back((flag != 0) != inverted ? 1.0 : 0.0);
  return numbers;
}

/// S(a0) - S(a), of scores.
std::vector<double> LostSuccess(const OutcomeTable& table, const std::vector<double>& success) {
  std::vector<double> lost(success.size());
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    const std::size_t direct = table.cell(query, kDirect);
    for (std::size_t cell = direct; cell < direct + table.num_actions(); ++cell) {
      lost[cell] = success[direct] - success[cell];
    }
  }
  return lost;
}

/// 1 - (squared error of the models) / (variance around each action's mean), where tries were made.
double Explained(const OutcomeTable& log, const std::vector<double>& predicted) {
  const LoggedOutcomes& seen = *log.logged;
  std::vector<double> sum(log.num_actions(), 0.0);
  std::vector<double> count(log.num_actions(), 0.0);
  for (std::size_t query = 0; query < log.num_queries(); ++query) {
    sum[seen.action[query]] += seen.cost[query];
    count[seen.action[query]] += 1.0;
  }
  double error = 0.0;
  double spread = 0.0;
  for (std::size_t query = 0; query < log.num_queries(); ++query) {
    const ActionIndex action = seen.action[query];
    const double off = seen.cost[query] - predicted[log.cell(query, action)];
    const double from_mean = seen.cost[query] - sum[action] / count[action];
    error += off * off;
    spread += from_mean * from_mean;
  }
  return spread > 0.0 ? 1.0 - error / spread : 0.0;
}

}  // namespace

Result<OutcomeScores> ScoreOutcome(const OutcomeTable& contexts, std::span<const Try> tries,
                                   const TriedOutcome& outcome,
                                   std::span<const std::size_t> fold_of_cluster,
                                   const LearnerConfig& learner, const RngStream& stream,
                                   const Execution& execution) {
  GONOGO_CHECK(outcome.size() == tries.size());
  OutcomeScores scores;
  scores.predicted.resize(contexts.num_queries() * contexts.num_actions());
  std::vector<std::uint8_t> seen(contexts.num_queries());
  std::vector<double> value(contexts.num_queries());
  for (ActionIndex action = 0; action < contexts.num_actions(); ++action) {
    std::fill(seen.begin(), seen.end(), std::uint8_t{0});
    for (std::size_t i = 0; i < tries.size(); ++i) {
      if (tries[i].action != action) continue;
      seen[tries[i].query] = 1;
      value[tries[i].query] = outcome[i];
    }
    const std::vector<double> predicted = GONOGO_TRY(CrossFitPredictions(
        contexts, seen, value, fold_of_cluster, learner, stream.Child(action), execution));
    for (std::size_t query = 0; query < predicted.size(); ++query) {
      scores.predicted[contexts.cell(query, action)] = predicted[query];
    }
  }
  scores.score = scores.predicted;
  for (std::size_t i = 0; i < tries.size(); ++i) {
    double& score = scores.score[contexts.cell(tries[i].query, tries[i].action)];
    score = DoublyRobust(score, outcome[i], tries[i].propensity);
  }
  return scores;
}

Result<LearnerConfig> LearnerOfScores(LearnerConfig learner) {
  if (learner.target.value_or(LearnerTarget::kDifference) != LearnerTarget::kDifference) {
    return InputError(
        "learner.target is \"{}\", expected \"difference\": here costs may be zero or below, as "
        "rewards are, costs less what a success is worth, and estimates made from a log",
        Name(*learner.target));
  }
  learner.target = LearnerTarget::kDifference;
  return learner;
}

Status CheckLog(const OutcomeTable& log, const Protocol& protocol) {
  GONOGO_CHECK(log.logged.has_value());
  if (protocol.logging.estimate && log.logged->propensity.empty()) return {};
  const std::vector<std::size_t> fold_of_cluster =
      DealClusters(log.num_clusters(), protocol.logging.folds,
                   RngStream(protocol.bootstrap.seed).Child("log").Child("folds"));
  const Propensities propensities =
      GONOGO_TRY(FindPropensities(log, protocol, fold_of_cluster, {}));
  const LogOverlap overlap = MeasureOverlap(log, propensities.of_tried);
  return CheckOverlap(log, propensities, overlap, fold_of_cluster);
}

Result<ScoredLog> ScoreLog(const OutcomeTable& log, const Protocol& protocol,
                           const Execution& execution) {
  GONOGO_CHECK(log.logged.has_value());
  const LoggedOutcomes& seen = *log.logged;
  const RngStream stream = RngStream(protocol.bootstrap.seed).Child("log");
  const std::vector<std::size_t> fold_of_cluster =
      DealClusters(log.num_clusters(), protocol.logging.folds, stream.Child("folds"));
  const Propensities propensities =
      GONOGO_TRY(FindPropensities(log, protocol, fold_of_cluster, execution));
  ScoredLog scored{.table = log, .report = {.source = propensities.source}};
  LogReport& report = scored.report;
  report.overlap = MeasureOverlap(log, propensities.of_tried);
  GONOGO_TRY(CheckOverlap(log, propensities, report.overlap, fold_of_cluster));
  report.balance = MeasureBalance(log, propensities.of_tried);
  FindConstraint(log, report);
  report.models = Name(ModelLearner(protocol.learner).kind);
  report.folds = std::min(protocol.logging.folds, log.num_clusters());

  std::vector<Try> tries;
  for (std::size_t query = 0; query < log.num_queries(); ++query) {
    tries.push_back({query, seen.action[query], propensities.of_tried[query]});
  }
  const auto score = [&](const TriedOutcome& outcome, std::string_view name) {
    return ScoreOutcome(log, tries, outcome, fold_of_cluster, protocol.learner, stream.Child(name),
                        execution);
  };
  OutcomeTable& table = scored.table;
  OutcomeScores cost = GONOGO_TRY(score(seen.cost, "cost"));
  report.explained = Explained(log, cost.predicted);
  table.cost = std::move(cost.score);
  ScoredOutcomes made{.predicted = std::move(cost.predicted),
                      .weight = std::vector<double>(table.cost.size(), 0.0),
                      .seen = std::vector<double>(table.cost.size(), 0.0)};
  for (std::size_t i = 0; i < tries.size(); ++i) {
    const std::size_t cell = table.cell(tries[i].query, tries[i].action);
    made.weight[cell] = 1.0 / tries[i].propensity;
    made.seen[cell] = seen.cost[i];
  }
  if (!seen.success.empty()) {
    made.success = GONOGO_TRY(score(AsNumbers(seen.success, false), "success")).score;
  }
  if (report.constraint == LogConstraint::kNet) made.violation = LostSuccess(table, made.success);
  if (report.constraint == LogConstraint::kAbsolute) {
    made.violation = GONOGO_TRY(score(AsNumbers(seen.eligible, true), "violation")).score;
  }
  table.scored = std::move(made);
  table.logged.reset();
  for (ActionIndex action = 0; action < table.num_actions(); ++action) {
    report.fixed.push_back(ValueOfAction(table, action));
  }
  for (std::string& remark : OverlapRemarks(log, report.overlap)) {
    table.notes.push_back(std::move(remark));
  }
  for (std::string& remark : BalanceRemarks(log, report.balance)) {
    table.notes.push_back(std::move(remark));
  }
  return scored;
}

}  // namespace gonogo::audit
