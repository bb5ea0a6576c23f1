// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/rule.h"

#include <vector>

#include "gonogo/audit/estimands/estimands.h"
#include "gonogo/audit/rules/calibrated/gain.h"
#include "gonogo/audit/rules/looks.h"
#include "gonogo/audit/rules/sensitivity.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

/// The estimands of every replicate that a decision or a truth is compared with.
struct ReplicateGains {
  std::vector<double> deployment;
  std::vector<double> allocation;
  std::vector<double> violation;
  std::vector<double> total;
};

ReplicateGains EstimateReplicates(const RuleEvidence& evidence, double kappa, Mixture mixture) {
  ReplicateGains gains;
  for (const Refit& replicate : evidence.replicates) {
    const ComparatorSums sums =
        SumHeldOut(evidence.totals, AssignReference(evidence.totals, replicate, kappa), mixture);
    gains.deployment.push_back(sums.h_dep());
    gains.allocation.push_back(sums.h_alloc());
    gains.violation.push_back(sums.q());
    gains.total.push_back(sums.h_total());
  }
  return gains;
}

/// All folds together; the mixture of a fold is that of its cluster, whatever the intervals use.
ComparatorSums SumFolds(const RuleEvidence& evidence, double kappa) {
  ComparatorSums sums;
  for (const Refit& fold : evidence.folds) {
    sums.Add(SumHeldOut(evidence.totals, AssignReference(evidence.totals, fold, kappa),
                        Mixture::kWithinCluster));
  }
  return sums;
}

RuleBounds PercentileBounds(const ReplicateGains& gains, const ComparatorSums& points,
                            std::span<const std::size_t> subset, double level) {
  std::vector<double> chosen(subset.size());
  const auto interval = [&](const std::vector<double>& values) {
    for (std::size_t i = 0; i < subset.size(); ++i) chosen[i] = values[subset[i]];
    return stats::PercentileInterval(chosen, level);
  };
  return {.deployment = GainBounds(points.h_dep(), interval(gains.deployment)),
          .allocation = GainBounds(points.h_alloc(), interval(gains.allocation)),
          .violation = RateBounds(points.q(), interval(gains.violation)),
          .total = GainBounds(points.h_total(), interval(gains.total))};
}

/// The paper's rule: percentiles of the estimands over the replicates, each against the cheapest
/// admissible action of its own training clusters; points from the folds
/// (docs/concepts/audit.md, 10; docs/concepts/intervals.md). Needs at least one replicate.
RuleAnswer ApplyPaperRule(const RuleEvidence& evidence, const Thresholds& thresholds,
                          const RuleOptions& options, const RngStream& stream) {
  const std::size_t replicates = evidence.replicates.size();
  GONOGO_CHECK(replicates > 0);
  const ReplicateGains gains = EstimateReplicates(evidence, thresholds.kappa, options.mixture);
  const ComparatorSums points = SumFolds(evidence, thresholds.kappa);
  RuleAnswer answer;
  answer.bounds = PercentileBounds(gains, points, AllOf(replicates), options.level);
  answer.decision = Decide(answer.bounds, thresholds);
  if (options.halves == 0) return answer;
  double flips = 0.0;
  for (const auto& half : RandomHalves(replicates, options.halves, stream)) {
    const RuleBounds bounds = PercentileBounds(gains, points, half, options.level);
    if (Decide(bounds, thresholds).verdict != answer.decision.verdict) flips += 1.0;
  }
  answer.flip_rate = flips / static_cast<double>(options.halves);
  return answer;
}

RuleAnswer ApplyCalibratedRule(const RuleEvidence& evidence, const Thresholds& thresholds,
                               const RuleOptions& options, const RngStream& stream) {
  const CalibratedOptions calibrated{.level = options.level,
                                     .clustering = options.clustering,
                                     .every_contender = options.every_contender,
                                     .adapter_cost = options.adapter_cost,
                                     .halves = options.halves};
  CalibratedAudit audit = AuditCalibrated(evidence.totals, evidence.folds, evidence.replicates,
                                          thresholds, calibrated, stream);
  RuleAnswer answer{.bounds = BoundsOf(audit)};
  answer.decision = Decide(answer.bounds, thresholds);
  answer.flip_rate = audit.flip_rate;
  answer.calibrated = std::move(audit);
  return answer;
}

/// Its fits are no bootstrap: there is no seed that would draw others, apart from which clusters
/// are paired, and no flip rate.
RuleAnswer ApplyPairRule(const RuleEvidence& evidence, const Thresholds& thresholds,
                         const RuleOptions& options) {
  PairAudit audit =
      AuditPairs(evidence.totals, evidence.pairs, evidence.folds, evidence.replicates, thresholds,
                 {.level = options.level,
                  .clustering = options.clustering,
                  .adapter_cost = options.adapter_cost,
                  .noisy_fits = options.noisy_fits});
  if (!evidence.replicates.empty()) {
    RuleOptions once = options;
    once.halves = 0;
    WidenUpperEnds(*ApplyCalibratedRule(evidence, thresholds, once, RngStream(0)).calibrated,
                   thresholds, audit);
  }
  RuleAnswer answer{.bounds = BoundsOf(audit)};
  answer.decision = Decide(answer.bounds, thresholds);
  answer.pairs = std::move(audit);
  return answer;
}

}  // namespace

RuleOptions DeclaredOptions(DecisionRule rule, const Protocol& protocol, std::size_t look,
                            std::size_t clusters) {
  const double level = protocol.bootstrap.level;
  return {.level = rule == DecisionRule::kPaper ? level
                                                : LookLevel(level, protocol.rule, look, clusters),
          .mixture = protocol.bootstrap.mixture,
          .clustering = {protocol.rule.icc, protocol.rule.least_icc},
          .adapter_cost = protocol.rule.adapter_cost,
          .noisy_fits = protocol.learner.kind == LearnerKind::kForest};
}

RngStream HalvesStream(const Protocol& protocol) {
  return RngStream(protocol.bootstrap.seed).Child("halves");
}

RuleAnswer ApplyRule(DecisionRule rule, const RuleEvidence& evidence, const Thresholds& thresholds,
                     const RuleOptions& options, const RngStream& stream) {
  switch (rule) {
    case DecisionRule::kPaper:
      return ApplyPaperRule(evidence, thresholds, options, stream);
    case DecisionRule::kLeavePairOut:
      return ApplyPairRule(evidence, thresholds, options);
    case DecisionRule::kCalibrated:
      break;
  }
  return ApplyCalibratedRule(evidence, thresholds, options, stream);
}

RuleBounds BoundsUnder(double kappa, DecisionRule rule, const RuleEvidence& evidence,
                       const RuleOptions& options) {
  RuleOptions once = options;
  once.halves = 0;
  const Thresholds thresholds{.kappa = kappa};
  return ApplyRule(rule, evidence, thresholds, once, RngStream(0)).bounds;
}

}  // namespace gonogo::audit
