// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/pairs/rule.h"

#include <algorithm>
#include <vector>

#include "gonogo/audit/protocol/deciding_rule.h"
#include "gonogo/audit/rules/calibrated/gain.h"
#include "gonogo/audit/rules/calibrated/terms.h"
#include "gonogo/audit/rules/pairs/channels.h"
#include "gonogo/audit/rules/possible.h"
#include "gonogo/audit/rules/verdict.h"
#include "gonogo/audit/rules/violations/rate.h"

namespace gonogo::audit {

double LearningCredit(double without_pair, double refits, std::size_t clusters, double se) {
  if (clusters < kFewestForPairs) return 0.0;
  const auto all = static_cast<double>(clusters);
  const double seen = all * (1.0 - HeldOutProbability(clusters));
  const double ahead = 1.0 / (all - 2.0) - 1.0 / all;
  const double behind = 1.0 / seen - 1.0 / (all - 2.0);
  const double credit = (without_pair - refits) * ahead / behind;
  return std::clamp(credit, 0.0, kMostLearning * se);
}

namespace {

PairGain BoundGain(const PairChannel& channel, const GainTerms& folds, const PairDesign& design,
                   const BoundWidths& widths, bool noisy_fits = false) {
  PairGain gain{.estimate = EstimatePairs(channel, design)};
  if (noisy_fits) gain.estimate.ExpectInstability();
  const double se = gain.estimate.se();
  const double point = gain.estimate.shipped;
  const std::optional<SmoothedGain> cross_fit = EstimateGain(folds, AllOf(folds.refits.size()));
  if (cross_fit.has_value()) {
    gain.learning = std::max(0.0, 2.0 * (cross_fit->point - channel.point));
  }
  gain.interval = {point - widths.go * se, point + gain.learning + widths.go * se};
  gain.refuting_upper = point + gain.learning + widths.refute * se;
  return gain;
}

/// Raises the lower end by what the learning curve of the refits lets expect of the shipped
/// adapter.
void CreditLearning(const GainTerms& replicates, std::size_t clusters, PairGain& gain) {
  if (replicates.refits.empty()) return;
  const std::optional<SmoothedGain> smoothed =
      EstimateGain(replicates, AllOf(replicates.refits.size()));
  if (!smoothed.has_value()) return;
  gain.credit = LearningCredit(gain.estimate.point, smoothed->point, clusters, gain.estimate.se());
  gain.interval.lower += gain.credit;
}

/// Where fits act more or less often because of the clusters they lack, the line through them
/// mistakes these clusters for the effect of acting: fits without two bad clusters act more, and
/// are tested on just those. Against a mixture, whose gain does not depend on how often somebody
/// acts, that is all there may be to the correction; both ends allow for the estimate without it.
void AllowForNoCorrection(PairGain& gain) {
  const double away = gain.estimate.point - gain.estimate.shipped;
  gain.interval.lower += std::min(0.0, away);
  gain.interval.upper += std::max(0.0, away);
  gain.refuting_upper += std::max(0.0, away);
}

/// Raises the upper bounds of H_dep to those against references that were chosen without the
/// clusters they are compared on.
void AllowForChoice(const PairChannel& chosen, const PairDesign& design, const BoundWidths& widths,
                    PairGain& gain) {
  const PairEstimate estimate = EstimatePairs(chosen, design);
  const double upper = estimate.shipped + gain.learning;
  gain.interval.upper = std::max(gain.interval.upper, upper + widths.go * estimate.se());
  gain.refuting_upper = std::max(gain.refuting_upper, upper + widths.refute * estimate.se());
}

/// Violations of each cluster, on average over the fits that left it out.
std::vector<ClusterEvents> MeanEvents(const OutcomeTotals& totals, const PairChannel& channel) {
  const auto clusters = static_cast<double>(totals.queries.size());
  double queries = 0.0;
  for (const double n : totals.queries) queries += n;
  std::vector<ClusterEvents> events;
  for (std::size_t k = 0; k < totals.queries.size(); ++k) {
    const double own = totals.queries[k];
    // score_k = K (v_k - q n_k) / n
    events.push_back({own, channel.score[k] * queries / clusters + channel.point * own});
  }
  return events;
}

PairRate BoundViolations(const PairChannel& channel, const OutcomeTotals& totals,
                         const PairDesign& design, const PairOptions& options) {
  PairRate rate{.estimate = EstimatePairs(channel, design)};
  const std::vector<ClusterEvents> events = MeanEvents(totals, channel);
  const PairEstimate& estimate = rate.estimate;
  const double alpha = SatisfyingAlpha(options.level);
  const double shift = estimate.shipped - estimate.point;
  const double beyond_testing = std::max(0.0, estimate.instability) + estimate.correction;
  const BoundWidths widths = StudentWidths(design.clusters, options.level);
  if (totals.counts_net_success) {
    const auto margin = [&](double one_sided, double quantile) {
      return NetMargin(events, one_sided, options.clustering.icc, estimate.se(), quantile);
    };
    rate.interval = {estimate.shipped - margin(alpha, widths.go),
                     estimate.shipped + margin(alpha, widths.go)};
    rate.refuting_lower = estimate.shipped - margin(RefutingAlpha(options.level), widths.refute);
    return rate;
  }
  const UpperRate upper = BoundRate(events, alpha, options.clustering);
  rate.seen_icc = upper.seen_icc;
  rate.effective_queries = upper.effective_queries;
  const auto lower = [&](double one_sided, double quantile) {
    const double plain = EstimateRate(events, one_sided, options.clustering.icc).interval.lower;
    // The same margins as above, mirrored.
    return 1.0 - ShippedBound(1.0 - estimate.point, 1.0 - plain, -shift, beyond_testing, quantile);
  };
  rate.interval = {lower(alpha, widths.go),
                   ShippedBound(estimate.point, upper.bound, shift, beyond_testing, widths.go)};
  rate.refuting_lower = lower(RefutingAlpha(options.level), widths.refute);
  return rate;
}

ChannelBounds BoundsOf(const PairGain& gain) {
  return {
      .point = gain.estimate.shipped, .interval = gain.interval, .refuting = gain.refuting_upper};
}

}  // namespace

RuleBounds BoundsOf(const PairAudit& audit) {
  return {.deployment = BoundsOf(audit.h_dep),
          .allocation = BoundsOf(audit.h_alloc),
          .violation = {.point = audit.q.estimate.shipped,
                        .interval = audit.q.interval,
                        .refuting = audit.q.refuting_lower},
          .total = BoundsOf(audit.h_total),
          .total_must_gain = true};
}

PairAudit AuditPairs(const OutcomeTotals& totals, const PairFits& fits,
                     std::span<const Refit> folds, std::span<const Refit> replicates,
                     const Thresholds& thresholds, const PairOptions& options) {
  const PairDesign design = DesignOf(totals, fits);
  const BoundWidths widths = StudentWidths(design.clusters, options.level);
  const std::vector<std::uint32_t> everything(design.clusters, 1);
  PairAudit audit;
  audit.fits = fits.pairs.size();
  audit.reference = SelectStableAction(totals, everything, thresholds.kappa);
  for (const double x : design.departs_more) {
    audit.departs_more += x / static_cast<double>(audit.fits);
  }
  const double cost = options.adapter_cost;
  const std::vector<Refit> joined = JoinFolds(folds, design.clusters);
  const auto against = [&](ActionIndex action) {
    const std::vector<ActionIndex> fixed = {action};
    PairGain gain = BoundGain(AgainstFixed(totals, fits, action, cost),
                              FixedActionTerms(totals, joined, fixed, cost), design, widths);
    const std::vector<ActionIndex> always(replicates.size(), action);
    CreditLearning(FixedActionTerms(totals, replicates, always, cost), design.clusters, gain);
    return gain;
  };
  audit.h_total = against(kDirect);
  audit.h_dep = against(audit.reference);
  AllowForChoice(AgainstChosen(totals, fits, thresholds.kappa, cost), design, widths, audit.h_dep);
  audit.h_alloc =
      BoundGain(AgainstMixture(totals, fits, cost), MixtureTerms(totals, joined, cost).total,
                design, widths, options.noisy_fits);
  AllowForNoCorrection(audit.h_alloc);
  audit.q = BoundViolations(Violations(totals, fits), totals, design, options);
  const GainLimits limits(totals, options.level);
  for (PairGain* gain : {&audit.h_total, &audit.h_dep, &audit.h_alloc}) {
    limits.Settle(gain->estimate.shipped, gain->interval, gain->refuting_upper);
  }
  SettleRate(totals, audit.q.estimate.shipped, audit.q.interval, audit.q.refuting_lower);
  static_cast<Decision&>(audit) = Decide(BoundsOf(audit), thresholds);
  return audit;
}

void WidenUpperEnds(const CalibratedAudit& calibrated, const Thresholds& thresholds,
                    PairAudit& audit) {
  const auto widen = [](const std::optional<CalibratedGain>& other, PairGain& gain) {
    if (!other.has_value()) return;
    gain.interval.upper = std::max(gain.interval.upper, other->interval.upper);
    gain.refuting_upper = std::max(gain.refuting_upper, other->refuting_upper);
  };
  widen(calibrated.h_total, audit.h_total);
  widen(calibrated.h_dep, audit.h_dep);
  widen(calibrated.h_alloc, audit.h_alloc);
  audit.q.interval.upper = std::max(audit.q.interval.upper, calibrated.q.interval.upper);
  static_cast<Decision&>(audit) = Decide(BoundsOf(audit), thresholds);
}

}  // namespace gonogo::audit
