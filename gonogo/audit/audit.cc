// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/audit.h"

#include <cmath>
#include <map>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "gonogo/audit/estimands/fold_bootstrap.h"
#include "gonogo/audit/protocol/deciding_rule.h"
#include "gonogo/audit/refit/audit_tasks.h"
#include "gonogo/audit/refit/refit.h"
#include "gonogo/audit/result/decided.h"
#include "gonogo/audit/result/doubts.h"
#include "gonogo/audit/result/log_result.h"
#include "gonogo/audit/result/look_reading.h"
#include "gonogo/audit/result/status.h"
#include "gonogo/audit/result/summary.h"
#include "gonogo/audit/rules/rule.h"
#include "gonogo/audit/rules/sensitivity.h"
#include "gonogo/audit/rules/verdict.h"
#include "gonogo/audit/table/asked_table.h"
#include "gonogo/base/number_text.h"

namespace gonogo::audit {
namespace {

constexpr std::size_t kFoldReplicates = 100'000;

/// Bounds from resampled folds, fitted or given: what the paper's rule reads when there are no
/// refits (archived audits, and choices that somebody made). Totals and folds must outlive it.
class FoldBounds {
 public:
  FoldBounds(const OutcomeTotals& totals, std::span<const Refit> folds,
             const BootstrapConfig& bootstrap)
      : totals_(totals), folds_(folds), bootstrap_(bootstrap) {}

  /// With the fixed references that `kappa` chooses. Remembers what it resampled.
  [[nodiscard]] RuleBounds Under(double kappa);

 private:
  const OutcomeTotals& totals_;
  std::span<const Refit> folds_;
  BootstrapConfig bootstrap_;
  std::map<std::vector<ActionIndex>, FoldIntervals> known_;  // most kappas choose the same
};

RuleBounds FoldBounds::Under(double kappa) {
  std::vector<ActionIndex> references;
  std::vector<ComparatorSums> sums;
  for (const Refit& fold : folds_) {
    const HeldOutCluster held = AssignReference(totals_, fold, kappa).front();
    references.push_back(held.reference);
    sums.push_back(SumCluster(totals_, held));
  }
  const auto [known, is_new] = known_.try_emplace(std::move(references));
  if (is_new) {
    known->second = BootstrapFolds(sums, kFoldReplicates, bootstrap_.level, bootstrap_.aggregate,
                                   RngStream(bootstrap_.seed).Child("folds"));
  }
  const FoldIntervals& intervals = known->second;
  const std::vector<std::uint32_t> once(sums.size(), 1);
  const FoldGains points = CombineFolds(sums, once, bootstrap_.aggregate);
  return {.deployment = GainBounds(points.h_dep, intervals.h_dep),
          .allocation = GainBounds(points.h_alloc, intervals.h_alloc),
          .violation = RateBounds(points.q, intervals.q),
          .total = GainBounds(points.h_total, intervals.h_total)};
}

/// What a rule says about the evidence under the result's protocol, at its look.
RuleAnswer AnswerOf(DecisionRule rule, const RuleEvidence& evidence, const AuditResult& result) {
  const Protocol& protocol = result.protocol;
  return ApplyRule(rule, evidence, protocol.thresholds,
                   DeclaredOptions(rule, protocol, result.look, result.clusters.size()),
                   HalvesStream(protocol));
}

/// Its bounds for any kappa.
auto BoundsBy(DecisionRule rule, const RuleEvidence& evidence, const AuditResult& result) {
  return [=, &evidence,
          options = DeclaredOptions(rule, result.protocol, result.look, result.clusters.size())](
             double kappa) { return BoundsUnder(kappa, rule, evidence, options); };
}

void UseFoldIntervals(FoldBounds& folds, AuditResult& result) {
  const RuleBounds bounds = folds.Under(result.protocol.thresholds.kappa);
  result.h_total.interval = bounds.total.interval;
  result.h_alloc.interval = bounds.allocation.interval;
  result.h_dep.interval = bounds.deployment.interval;
  result.q.interval = bounds.violation.interval;
}

void AddSpendingSensitivity(const RuleEvidence& evidence, AuditResult& result) {
  const DecisionRule rule =
      result.pairs.has_value() ? DecisionRule::kLeavePairOut : DecisionRule::kCalibrated;
  AddSensitivity(BoundsBy(rule, evidence, result), result);
}

/// What would be read if choosing cost nothing, where it costs something: whether the features are
/// too dear or say too little are two different answers.
void AddWithoutAdapterCost(const RuleEvidence& evidence, AuditResult& result) {
  OutcomeTotals free = evidence.totals;
  double charged = 0.0;
  double queries = 0.0;
  for (std::size_t k = 0; k < free.queries.size(); ++k) {
    charged += AdapterCharge(free, k, result.protocol.rule.adapter_cost);
    queries += free.queries[k];
  }
  if (charged == 0.0) return;
  free.adapter_cost.clear();
  RuleOptions options = DeclaredOptions(DecisionRule::kCalibrated, result.protocol, result.look,
                                        result.clusters.size());
  options.adapter_cost = 0.0;
  const RuleEvidence without{free, evidence.folds, evidence.replicates, {}};
  const auto read = ApplyRule(DecisionRule::kCalibrated, without, result.protocol.thresholds,
                              options, HalvesStream(result.protocol))
                        .calibrated;
  if (!read || !read->h_dep) return;
  result.warnings.push_back(fmt::format(
      "choosing costs {:.4g} a query, {} of what the reference costs; without that the calibrated "
      "rule would read {}, with H_dep {} {}",
      charged / queries, Percent(charged / std::abs(free.cost.col(kDirect).sum()), 1),
      Name(read->verdict), Percent(read->h_dep->point),
      PercentInterval(read->h_dep->interval.lower, read->h_dep->interval.upper)));
}

/// Everything that rests on bootstrap refits: what the paper's and the calibrated rule say,
/// whichever is declared, and the leave-pair-out one where its fits were made.
void AddRefitIntervals(const PotentialOutcomes& outcomes, AuditResult& result) {
  const RuleEvidence evidence{outcomes.totals, result.cross_fit, result.bootstrap,
                              SplitPairFits(result.pair_fits)};
  const auto paper = BoundsBy(DecisionRule::kPaper, evidence, result);
  AddReplicates(outcomes, paper(result.protocol.thresholds.kappa), result);
  result.calibrated = AnswerOf(DecisionRule::kCalibrated, evidence, result).calibrated;
  AddWithoutAdapterCost(evidence, result);
  if (!evidence.pairs.empty()) {
    result.pairs = AnswerOf(DecisionRule::kLeavePairOut, evidence, result).pairs;
  }
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
Status AddRules(const AskedProblem& asked, const std::stop_token& stop, AuditResult& result) {
  if (result.protocol.learner.kind != LearnerKind::kPolicy) return {};
  const std::vector<std::uint32_t> once(asked.table().num_clusters(), 1);
  const std::unique_ptr<FittedLearner> shipped =
      asked.learner().Fit({once}, ShippedStream(result.protocol), stop);
  if (shipped == nullptr) return Error{ErrorKind::kInterrupted, "stopped"};
  result.adapter_rules = shipped->Rules();
  return {};
}

/// What every audit ends with; `declared` is the table before the question was put to it,
/// `outcomes` are those after.
void Finish(const OutcomeTable& declared, const PotentialOutcomes& outcomes, AuditResult& result) {
  const OutcomeTable& table = *outcomes.table;
  result.question = QuestionInWords(result.protocol);
  result.why_this_rule =
      WhyNotPairs(result.protocol, {.clusters = result.clusters.size(),
                                    .of_log = result.log.has_value(),
                                    .of_values = table.of_rewards || table.prices_success,
                                    .given = result.interval_kind == IntervalKind::kFixedChoices});
  if (const std::string objective = ObjectiveInWords(result); !objective.empty()) {
    result.question += (result.question.empty() ? "" : " ") + objective;
  }
  result.constraints = ConstraintsInWords(table, result.protocol, SharesOf(table, result.protocol));
  AddLogEstimates(result);
  result.doubts = Unexplained(FindDoubts(outcomes, result.protocol.question.deploy),
                              result.protocol.rule.explained);
  Conclude(declared, result);
  AddLook(declared, result);
  for (std::string& sentence : Advice(table, result)) {
    result.warnings.push_back(std::move(sentence));
  }
}

}  // namespace

Result<AuditResult> RunAudit(const OutcomeTable& declared, const Protocol& protocol,
                             const RefitStore& store, const Execution& execution) {
  const std::unique_ptr<const AskedProblem> asked =
      GONOGO_TRY(AskedProblem::Open(declared, protocol, execution));
  AuditFits fits = GONOGO_TRY(FitAudit(*asked, protocol, store, execution));

  AuditResult result = StartResult(asked->table(), protocol);
  result.log = asked->log();
  result.source = Name(protocol.learner.kind);
  result.table.features = asked->problem().num_features();
  result.table.action_features = asked->problem().num_action_features();
  result.cross_fit = std::move(fits.folds);
  result.bootstrap = std::move(fits.replicates);
  result.pair_fits = std::move(fits.pairs);
  const PotentialOutcomes& outcomes = asked->outcomes();
  AddPointEstimates(outcomes, result);
  if (protocol.bootstrap.method == IntervalMethod::kFolds) {
    result.interval_kind = IntervalKind::kFolds;
    FoldBounds folds(outcomes.totals, result.cross_fit, protocol.bootstrap);
    UseFoldIntervals(folds, result);
    AddSensitivity([&](double kappa) { return folds.Under(kappa); }, result);
  } else {
    AddRefitIntervals(outcomes, result);
  }
  GONOGO_TRY(AddRules(*asked, execution.stop, result));
  if (asked->table().prices_success) {
    result.curve = GONOGO_TRY(DrawPriceCurve(*asked, protocol, execution));
  }
  Finish(declared, outcomes, result);
  return result;
}

Status FitShard(const OutcomeTable& declared, const Protocol& protocol, const Shard& shard,
                const std::function<Result<RefitStore>(std::size_t tasks)>& open,
                const Execution& execution) {
  const std::unique_ptr<const AskedProblem> asked =
      GONOGO_TRY(AskedProblem::Open(declared, protocol, execution));
  const std::vector<RefitTask> all = AuditTasks(*asked, protocol);
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
  result.calibrated = AnswerOf(DecisionRule::kCalibrated, evidence, result).calibrated;
  if (protocol.rule.kind == DecisionRule::kPaper) {
    AddSensitivity([&](double kappa) { return folds.Under(kappa); }, result);
  } else {
    AddSpendingSensitivity(evidence, result);
  }
  Finish(declared, outcomes, result);
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
