// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/rule.h"

#include "gonogo/audit/rules/looks.h"
#include "gonogo/audit/rules/paper_rule.h"

namespace gonogo::audit {
namespace {

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
                  .adapter_cost = options.adapter_cost});
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
          .adapter_cost = protocol.rule.adapter_cost};
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
