// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/paper_rule.h"

#include <vector>

#include "gonogo/audit/estimands/estimands.h"
#include "gonogo/audit/rules/calibrated/halves.h"
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

}  // namespace

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

}  // namespace gonogo::audit
