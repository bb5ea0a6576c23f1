// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/audit.h"

#include <span>

#include "gonogo/audit/refit/asked_problem.h"
#include "gonogo/audit/refit/pair_tasks.h"
#include "gonogo/audit/result/log_result.h"
#include "gonogo/audit/result/look_reading.h"
#include "gonogo/audit/result/status.h"
#include "gonogo/audit/result/summary.h"
#include "gonogo/audit/rules/fold_bounds.h"
#include "gonogo/audit/rules/looks.h"
#include "gonogo/audit/rules/rule.h"
#include "gonogo/audit/table/asked_table.h"

namespace gonogo::audit {
namespace {

/// What a protocol from a file cannot get wrong but one made in code can, and what would end the
/// process further on.
Status CheckBootstrap(const Protocol& protocol) {
  const BootstrapConfig& bootstrap = protocol.bootstrap;
  if (bootstrap.method == IntervalMethod::kRefit && bootstrap.refits == 0) {
    return InputError("bootstrap.refits is 0, expected at least 1");
  }
  if (!(bootstrap.level > 0.0 && bootstrap.level < 1.0)) {
    return InputError("bootstrap.level is {}, expected more than 0 and less than 1",
                      bootstrap.level);
  }
  if (protocol.rule.looks == 0) return InputError("rule.looks is 0, expected at least 1");
  return {};
}

/// Cross-fit folds first, then bootstrap replicates, then what only the leave-pair-out rule needs:
/// one list of work, one progress count.
std::vector<RefitTask> AllTasks(const OutcomeTable& table, const Protocol& protocol) {
  const BootstrapConfig& bootstrap = protocol.bootstrap;
  const RngStream run(bootstrap.seed);
  std::vector<RefitTask> tasks = CrossFitTasks(table.num_clusters(), run);
  if (bootstrap.method == IntervalMethod::kFolds) return tasks;
  const std::vector<RefitTask> replicates =
      BootstrapTasks(table.num_clusters(), bootstrap.refits, run);
  tasks.insert(tasks.end(), replicates.begin(), replicates.end());
  if (protocol.rule.kind == DecisionRule::kLeavePairOut) {
    const std::vector<RefitTask> pairs = PairTasks(table.num_clusters(), run);
    tasks.insert(tasks.end(), pairs.begin(), pairs.end());
  }
  return tasks;
}

RuleOptions OptionsOf(const Protocol& protocol) {
  return {.level = protocol.bootstrap.level,
          .mixture = protocol.bootstrap.mixture,
          .clustering = {protocol.rule.icc, protocol.rule.least_icc},
          .adapter_cost = protocol.rule.adapter_cost,
          .halves = 0};
}

/// All rules but the paper's spend their error over the declared looks.
RuleOptions SpendingOptionsOf(const AuditResult& result) {
  const Protocol& protocol = result.protocol;
  RuleOptions options = OptionsOf(protocol);
  options.level =
      LookLevel(protocol.bootstrap.level, protocol.rule, result.look, result.clusters.size());
  return options;
}

void UseFoldIntervals(FoldBounds& folds, AuditResult& result) {
  const RuleBounds bounds = folds.Under(result.protocol.thresholds.kappa);
  result.h_total.interval = bounds.total.interval;
  result.h_alloc.interval = bounds.allocation.interval;
  result.h_dep.interval = bounds.deployment.interval;
  result.q.interval = bounds.violation.interval;
}

/// What the calibrated rule says, whichever rule is declared.
void AddCalibrated(const RuleEvidence& evidence, AuditResult& result) {
  const Protocol& protocol = result.protocol;
  RuleOptions options = SpendingOptionsOf(result);
  options.halves = RuleOptions().halves;
  result.calibrated = ApplyRule(DecisionRule::kCalibrated, evidence, protocol.thresholds, options,
                                RngStream(protocol.bootstrap.seed).Child("halves"))
                          .calibrated;
}

/// What the leave-pair-out rule says, where its fits were made.
void AddPairs(const RuleEvidence& evidence, AuditResult& result) {
  if (evidence.pairs.empty()) return;
  const Protocol& protocol = result.protocol;
  result.pairs = ApplyRule(DecisionRule::kLeavePairOut, evidence, protocol.thresholds,
                           SpendingOptionsOf(result), RngStream(0))
                     .pairs;
}

void AddSpendingSensitivity(const RuleEvidence& evidence, AuditResult& result) {
  const RuleOptions options = SpendingOptionsOf(result);
  const DecisionRule rule =
      result.pairs.has_value() ? DecisionRule::kLeavePairOut : DecisionRule::kCalibrated;
  AddSensitivity([&](double kappa) { return BoundsUnder(kappa, rule, evidence, options); }, result);
}

/// Everything that rests on bootstrap refits.
void AddRefitIntervals(const PotentialOutcomes& outcomes, AuditResult& result) {
  const RuleEvidence evidence{outcomes.totals, result.cross_fit, result.bootstrap,
                              SplitPairFits(result.pair_fits)};
  const RuleOptions options = OptionsOf(result.protocol);
  const auto paper = [&](double kappa) {
    return BoundsUnder(kappa, DecisionRule::kPaper, evidence, options);
  };
  AddReplicates(outcomes, paper(result.protocol.thresholds.kappa), result);
  AddCalibrated(evidence, result);
  AddPairs(evidence, result);
  if (result.protocol.rule.kind == DecisionRule::kPaper) return AddSensitivity(paper, result);
  AddSpendingSensitivity(evidence, result);
}

/// Given choices as one replicate that was trained on nothing and held everything out.
std::vector<Refit> AsGiven(const std::vector<Refit>& folds) {
  Refit given{.split = {std::vector<std::uint32_t>(folds.size(), 0)}};
  for (const Refit& fold : folds) given.held_out.push_back(fold.held_out.front());
  return {given};
}

/// The adapter that would ship, where it can be read as rules.
Status AddRules(const Learner& learner, const Protocol& protocol, std::size_t clusters,
                const std::stop_token& stop, AuditResult& result) {
  if (protocol.learner.kind != LearnerKind::kPolicy) return {};
  const std::unique_ptr<FittedLearner> shipped =
      learner.Fit({std::vector<std::uint32_t>(clusters, 1)},
                  RngStream(protocol.bootstrap.seed).Child("shipped"), stop);
  if (shipped == nullptr) return Error{ErrorKind::kInterrupted, "stopped"};
  result.adapter_rules = shipped->Rules();
  return {};
}

/// What every audit ends with; `declared` is the table before the question was put to it.
void Finish(const OutcomeTable& declared, const OutcomeTable& table, AuditResult& result) {
  result.question = QuestionInWords(result.protocol);
  AddLogEstimates(result);
  Conclude(declared, result);
  AddLook(declared, result);
  for (std::string& sentence : Advice(table, result)) {
    result.warnings.push_back(std::move(sentence));
  }
}

}  // namespace

Result<AuditResult> RunAudit(const OutcomeTable& declared, const Protocol& protocol,
                             const RefitStore& store, const Execution& execution) {
  GONOGO_TRY(CheckBootstrap(protocol));
  const std::unique_ptr<const AskedProblem> asked =
      GONOGO_TRY(AskedProblem::Open(declared, protocol, execution));
  const OutcomeTable& table = asked->table();
  const PotentialOutcomes& outcomes = asked->outcomes();
  const LearningProblem& problem = asked->problem();
  const std::vector<RefitTask> tasks = AllTasks(table, protocol);
  std::vector<Refit> refits =
      GONOGO_TRY(RunRefits(problem, asked->learner(), GateOf(protocol), tasks, store, execution));

  AuditResult result = StartResult(table, protocol);
  result.log = asked->log();
  result.source = Name(protocol.learner.kind);
  result.table.features = problem.num_features();
  result.table.action_features = problem.num_action_features();
  auto take = [next = std::make_move_iterator(refits.begin())](std::size_t count,
                                                               std::vector<Refit>& part) mutable {
    part.assign(next, next + static_cast<long>(count));
    next += static_cast<long>(count);
  };
  const bool refitted = protocol.bootstrap.method == IntervalMethod::kRefit;
  const std::size_t replicates = refitted ? protocol.bootstrap.refits : 0;
  take(table.num_clusters(), result.cross_fit);
  take(replicates, result.bootstrap);
  take(refits.size() - table.num_clusters() - replicates, result.pair_fits);
  AddPointEstimates(outcomes, result);
  if (protocol.bootstrap.method == IntervalMethod::kFolds) {
    result.interval_kind = IntervalKind::kFolds;
    FoldBounds folds(outcomes.totals, result.cross_fit, protocol.bootstrap);
    UseFoldIntervals(folds, result);
    AddSensitivity([&](double kappa) { return folds.Under(kappa); }, result);
  } else {
    AddRefitIntervals(outcomes, result);
  }
  GONOGO_TRY(AddRules(asked->learner(), protocol, table.num_clusters(), execution.stop, result));
  Finish(declared, table, result);
  return result;
}

Status FitShard(const OutcomeTable& declared, const Protocol& protocol, const Shard& shard,
                const std::function<Result<RefitStore>(std::size_t tasks)>& open,
                const Execution& execution) {
  GONOGO_TRY(CheckBootstrap(protocol));
  const std::unique_ptr<const AskedProblem> asked =
      GONOGO_TRY(AskedProblem::Open(declared, protocol, execution));
  const std::vector<RefitTask> all = AllTasks(asked->table(), protocol);
  const RefitStore store = GONOGO_TRY(open(all.size()));
  std::vector<RefitTask> own;
  std::vector<std::size_t> place;  // of each among all
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!shard.Holds(i)) continue;
    own.push_back(all[i]);
    place.push_back(i);
  }
  const RefitStore mapped{
      .load = [&](std::size_t task) { return store.load(place[task]); },
      .save = [&](std::size_t task, const Refit& refit) { return store.save(place[task], refit); },
      .identity = store.identity};
  GONOGO_TRY(
      RunRefits(asked->problem(), asked->learner(), GateOf(protocol), own, mapped, execution));
  return {};
}

Status CheckChoices(const OutcomeTable& table, const Protocol& protocol) {
  if (!table.choice.empty()) return {};
  return InputError("no choices to audit: add the column '{}'", protocol.table.choice);
}

Result<AuditResult> AuditChoices(const OutcomeTable& declared, const Protocol& protocol) {
  GONOGO_TRY(CheckBootstrap(protocol));
  GONOGO_TRY(CheckChoices(declared, protocol));
  const std::unique_ptr<const AskedOutcomes> asked =
      GONOGO_TRY(AskedOutcomes::Open(declared, protocol, {}));
  const OutcomeTable& table = asked->table();
  const PotentialOutcomes& outcomes = asked->outcomes();
  AuditResult result = StartResult(table, protocol);
  result.log = asked->log();
  result.source = "choices";
  result.interval_kind = IntervalKind::kFixedChoices;
  for (std::size_t k = 0; k < table.num_clusters(); ++k) {
    const QueryRange range = table.queries_of(k);
    const auto choices = std::span(table.choice).subspan(range.begin, range.size());
    result.cross_fit.push_back({.split = stats::LeaveOneOut(table.num_clusters(), k),
                                .held_out = {SummariseChoices(outcomes, k, choices)}});
  }
  AddPointEstimates(outcomes, result);
  FoldBounds folds(outcomes.totals, result.cross_fit, protocol.bootstrap);
  UseFoldIntervals(folds, result);
  const std::vector<Refit> given = AsGiven(result.cross_fit);
  const RuleEvidence evidence{outcomes.totals, given, given, {}};
  AddCalibrated(evidence, result);
  if (protocol.rule.kind == DecisionRule::kPaper) {
    AddSensitivity([&](double kappa) { return folds.Under(kappa); }, result);
  } else {
    AddSpendingSensitivity(evidence, result);
  }
  Finish(declared, table, result);
  return result;
}

Result<std::vector<AblationRow>> RunAblation(const OutcomeTable& table, const Protocol& protocol,
                                             const Execution& execution,
                                             const StoreOfAudit& store) {
  std::vector<AblationRow> rows;
  const std::size_t sets = protocol.feature_sets.size();
  for (const FeatureSet& set : protocol.feature_sets) {
    Protocol variant = protocol;
    variant.learner.features = set.groups;
    Execution part = execution;
    if (execution.progress) {
      part.progress = [&, finished = rows.size()](std::size_t done, std::size_t total) {
        execution.progress(finished * total + done, sets * total);
      };
    }
    const RefitStore kept = GONOGO_TRY(store ? store(rows.size()) : RefitStore{});
    AuditResult result = GONOGO_TRY(RunAudit(table, variant, kept, part));
    rows.push_back({set, std::move(result)});
  }
  return rows;
}

}  // namespace gonogo::audit
