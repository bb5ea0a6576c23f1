// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/calibrated/rule.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gonogo/audit/rules/calibrated/gain.h"
#include "gonogo/audit/rules/calibrated/terms.h"
#include "gonogo/audit/rules/possible.h"
#include "gonogo/audit/rules/verdict.h"
#include "gonogo/audit/rules/violations/rate.h"
#include "gonogo/base/check.h"
#include "gonogo/stats/moments.h"

namespace gonogo::audit {
namespace {

std::optional<CalibratedGain> Bound(const std::optional<SmoothedGain>& gain,
                                    const std::optional<SmoothedGain>& cross_fit,
                                    const BoundWidths& widths) {
  if (!gain.has_value()) return std::nullopt;
  const double advantage = cross_fit.has_value() ? CertainAdvantage(*gain, *cross_fit) : 0.0;
  const double point = gain->point + advantage;
  return CalibratedGain{
      .point = point,
      .se = gain->widest_se,
      .shipped_se = gain->shipped_se,
      .advantage = advantage,
      .interval = {point - widths.go * gain->shipped_se, gain->point + widths.go * gain->widest_se},
      .refuting_upper = gain->point + widths.refute * gain->widest_se,
      .drop_one = {gain->drop_one.lower + advantage, gain->drop_one.upper + advantage}};
}

/// A gain as the cross-fit sees it: every cluster by the selector trained on all others.
std::optional<SmoothedGain> OfFolds(const GainTerms& terms) {
  return EstimateGain(terms, AllOf(terms.refits.size()));
}

/// Whichever of the gains is the right one, it lies between the lowest lower and the highest upper
/// bound; the point is the least favourable one.
std::optional<CalibratedGain> Envelope(std::span<const std::optional<CalibratedGain>> gains) {
  std::optional<CalibratedGain> envelope;
  for (const std::optional<CalibratedGain>& gain : gains) {
    if (!gain.has_value()) return std::nullopt;
    if (!envelope.has_value()) {
      envelope = gain;
      continue;
    }
    if (gain->point < envelope->point) {
      envelope->point = gain->point;
      envelope->se = gain->se;
      envelope->shipped_se = gain->shipped_se;
    }
    envelope->interval.lower = std::min(envelope->interval.lower, gain->interval.lower);
    envelope->interval.upper = std::max(envelope->interval.upper, gain->interval.upper);
    envelope->refuting_upper = std::max(envelope->refuting_upper, gain->refuting_upper);
    envelope->drop_one.lower = std::min(envelope->drop_one.lower, gain->drop_one.lower);
    envelope->drop_one.upper = std::max(envelope->drop_one.upper, gain->drop_one.upper);
  }
  return envelope;
}

/// The three gains a decision needs, for any subset of the replicates.
class Channels {
 public:
  Channels(const OutcomeTotals& totals, std::span<const Refit> folds,
           std::span<const Refit> replicates, const ReferenceStability& reference,
           const CalibratedOptions& options)
      : widths_(StudentWidths(totals.queries.size(), options.level)),
        allocation_(MixtureTerms(totals, replicates, options.adapter_cost)) {
    const std::vector<Refit> joined = JoinFolds(folds, totals.queries.size());
    const auto against = [&](ActionIndex action) {
      const std::vector<ActionIndex> fixed(replicates.size(), action);
      const std::vector<ActionIndex> once = {action};
      return Comparison{FixedActionTerms(totals, replicates, fixed, options.adapter_cost),
                        OfFolds(FixedActionTerms(totals, joined, once, options.adapter_cost))};
    };
    cross_fit_allocation_ = OfFolds(MixtureTerms(totals, joined, options.adapter_cost).total);
    total_ = against(kDirect);
    deployment_.push_back(against(reference.shipped));
    chosen_ = FixedActionTerms(totals, replicates, reference.per_replicate, options.adapter_cost);
    if (!options.every_contender || reference.stable(options.stable_share)) return;
    for (const ActionIndex action : reference.contenders) deployment_.push_back(against(action));
  }

  void Estimate(std::span<const std::size_t> subset, CalibratedAudit& audit) const {
    audit.h_total = total_.Bounded(subset, widths_);
    audit.h_alloc = Bound(EstimateGain(allocation_.total, subset), cross_fit_allocation_, widths_);
    std::vector<std::optional<CalibratedGain>> deployment;
    for (const Comparison& comparison : deployment_) {
      deployment.push_back(comparison.Bounded(subset, widths_));
    }
    audit.h_dep = Envelope(deployment);
    const auto chosen = Bound(EstimateGain(chosen_, subset), std::nullopt, widths_);
    if (!audit.h_dep || !chosen) return;
    audit.h_dep->interval.upper = std::max(audit.h_dep->interval.upper, chosen->interval.upper);
    audit.h_dep->refuting_upper = std::max(audit.h_dep->refuting_upper, chosen->refuting_upper);
  }

  void EstimateParts(std::span<const std::size_t> subset, CalibratedAudit& audit) const {
    const auto bound = [&](const GainTerms& terms) {
      return Bound(EstimateGain(terms, subset), std::nullopt, widths_);
    };
    audit.h_alloc_within = bound(allocation_.within);
    audit.h_alloc_between = bound(allocation_.between);
  }

 private:
  /// The selector against one fixed action.
  struct Comparison {
    GainTerms terms;
    std::optional<SmoothedGain> cross_fit;

    [[nodiscard]] std::optional<CalibratedGain> Bounded(std::span<const std::size_t> subset,
                                                        const BoundWidths& widths) const {
      return Bound(EstimateGain(terms, subset), cross_fit, widths);
    }
  };

  BoundWidths widths_;
  AllocationTerms allocation_;
  std::optional<SmoothedGain> cross_fit_allocation_;
  Comparison total_;
  std::vector<Comparison> deployment_;  // the action the adapter would replace first
  GainTerms chosen_;                    // each replicate against what its training clusters choose
};

/// By how much the cross-fitted selectors, which see more clusters than bootstrap ones, do better.
struct Widening {
  double total = 0.0;
  double deployment = 0.0;
  double allocation = 0.0;
};

Widening CrossFitAdvantage(const OutcomeTotals& totals, std::span<const Refit> folds,
                           const CalibratedAudit& audit, double kappa,
                           const CalibratedOptions& options) {
  const ReferenceStability reference =
      SelectReferences(totals, folds, kappa, options.contending_share);
  ComparatorSums sums;
  std::vector<HeldOutCluster> held_out;
  double charged = 0.0;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    for (const ChoiceTotals& choices : folds[i].held_out) {
      held_out.push_back({&choices, reference.per_replicate[i]});
      sums.Add(SumCluster(totals, held_out.back()));
      charged += AdapterCharge(totals, choices.cluster, 0.0);
    }
  }
  const double pooled_gain = Evaluate(totals, held_out, kappa).h_alloc_pooled;
  const double pooled_mixture =
      sums.of_rewards ? sums.policy - pooled_gain * sums.direct : sums.policy / (1.0 - pooled_gain);
  sums.policy += options.adapter_cost * sums.queries + charged;
  const auto beyond = [](double cross_fit, const CalibratedGain& gain) {
    return std::max(0.0, cross_fit - (gain.point - gain.advantage));
  };
  Widening widening;
  if (audit.h_total) widening.total = beyond(sums.h_total(), *audit.h_total);
  if (audit.h_dep) widening.deployment = beyond(sums.h_dep(), *audit.h_dep);
  if (audit.h_alloc) {
    widening.allocation = beyond(sums.Over(pooled_mixture, sums.policy), *audit.h_alloc);
  }
  return widening;
}

void Widen(const Widening& widening, CalibratedAudit& audit) {
  const auto raise = [](std::optional<CalibratedGain>& gain, double by) {
    if (!gain.has_value()) return;
    gain->interval.upper += by;
    gain->refuting_upper += by;
  };
  raise(audit.h_total, widening.total);
  raise(audit.h_dep, widening.deployment);
  raise(audit.h_alloc, widening.allocation);
}

void SettleGains(const GainLimits& limits, CalibratedAudit& audit) {
  for (std::optional<CalibratedGain>* gain : {&audit.h_total, &audit.h_alloc, &audit.h_dep,
                                              &audit.h_alloc_within, &audit.h_alloc_between}) {
    if (!gain->has_value()) continue;
    CalibratedGain& found = **gain;
    limits.Settle(found.point, found.interval, found.refuting_upper);
  }
}

/// The lowest rate that a share `alpha` of the replicates stays below: a selector that sometimes
/// does not act at all may ship as one that never does, whatever rate the others have.
double LowestRate(const OutcomeTotals& totals, std::span<const Refit> replicates, double alpha) {
  std::vector<double> rates;
  for (const Refit& replicate : replicates) {
    double queries = 0.0;
    double events = 0.0;
    for (const ChoiceTotals& choices : replicate.held_out) {
      queries += totals.queries[choices.cluster];
      events += choices.violations;
    }
    rates.push_back(events / queries);
  }
  return stats::PercentileInterval(rates, 1.0 - 2.0 * alpha).lower;
}

/// The standard errors of a rate under refits; all zero where too few held anything out.
struct RefittedErrors {
  double shipped = 0.0;
  double testing = 0.0;
  double widest = 0.0;
};

/// The same for queries lost less queries gained, which are no events to be counted.
CalibratedRate NetViolationRate(std::span<const ClusterEvents> events, const RefittedErrors& errors,
                                const CalibratedOptions& options) {
  const NetRate rate = EstimateNetRate(events);
  const BoundWidths widths = StudentWidths(events.size(), options.level);
  const double refitting = errors.shipped * errors.shipped - errors.testing * errors.testing;
  const double upper_se = std::sqrt(rate.se * rate.se + std::max(0.0, refitting));
  const double lower_se = std::max(upper_se, errors.widest);
  const auto margin = [&](double alpha, double se, double quantile) {
    return NetMargin(events, alpha, options.clustering.icc, se, quantile);
  };
  const double alpha = SatisfyingAlpha(options.level);
  const double refuting = RefutingAlpha(options.level);
  return {.point = rate.point,
          .se = rate.se,
          .interval = {rate.point - margin(alpha, lower_se, widths.go),
                       rate.point + margin(alpha, upper_se, widths.go)},
          .refuting_lower = rate.point - margin(refuting, lower_se, widths.refute)};
}

/// The rate of the cross-fitted selectors, which resemble the shipped one most. A refitted gate
/// moves violations too: the upper bound is widened by what the refits add to testing, the lower
/// one takes their standard error when it is larger.
CalibratedRate ViolationRate(const OutcomeTotals& totals, std::span<const Refit> folds,
                             std::span<const Refit> replicates, const CalibratedOptions& options) {
  std::vector<ClusterEvents> events;
  for (const Refit& fold : folds) {
    for (const ChoiceTotals& choices : fold.held_out) {
      events.push_back({totals.queries[choices.cluster], choices.violations});
    }
  }
  const auto refitted = EstimateGain(ViolationTerms(totals, replicates), AllOf(replicates.size()));
  RefittedErrors errors;
  if (refitted) errors = {refitted->shipped_se, refitted->testing_se, refitted->widest_se};
  if (totals.counts_net_success) return NetViolationRate(events, errors, options);
  const double shipped_se = errors.shipped;
  const double testing_se = errors.testing;
  const double widest_se = errors.widest;
  const double alpha = SatisfyingAlpha(options.level);
  const double icc = options.clustering.icc;
  const RateEstimate rate = EstimateRate(events, alpha, icc, shipped_se);
  const UpperRate upper = BoundRate(events, alpha, options.clustering);
  const double refitting = shipped_se * shipped_se - testing_se * testing_se;
  const auto lower = [&](double one_sided) {
    return std::min(EstimateRate(events, one_sided, icc, widest_se).interval.lower,
                    LowestRate(totals, replicates, one_sided));
  };
  return {.point = rate.point,
          .se = rate.se,
          .effective_queries = upper.effective_queries,
          .seen_icc = upper.seen_icc,
          .interval = {lower(alpha), ShippedBound(rate.point, upper.bound, 0.0, refitting,
                                                  StudentWidths(events.size(), options.level).go)},
          .refuting_lower = lower(RefutingAlpha(options.level))};
}

/// Bounds of one gain over the halves.
struct BoundSpread {
  std::vector<double> lower;
  std::vector<double> upper;

  void Add(const std::optional<CalibratedGain>& gain) {
    if (!gain.has_value()) return;
    lower.push_back(gain->interval.lower);
    upper.push_back(gain->interval.upper);
  }
  void Report(std::optional<CalibratedGain>& gain) const {
    if (!gain.has_value() || lower.empty()) return;
    gain->lower_mc_error = stats::StandardDeviation(lower);
    gain->upper_mc_error = stats::StandardDeviation(upper);
  }
};

/// `estimate` bounds all gains from a part of the replicates.
template <typename Estimate>
void AddMonteCarloError(const Estimate& estimate, std::size_t replicates,
                        const Thresholds& thresholds, std::size_t halves, const RngStream& stream,
                        CalibratedAudit& audit) {
  if (halves == 0 || replicates < 4) return;
  std::array<BoundSpread, 3> spread;
  double flips = 0.0;
  for (const auto& half : RandomHalves(replicates, halves, stream)) {
    CalibratedAudit other = audit;
    estimate(half, other);
    static_cast<Decision&>(other) = Decide(BoundsOf(other), thresholds);
    spread[0].Add(other.h_total);
    spread[1].Add(other.h_alloc);
    spread[2].Add(other.h_dep);
    if (other.verdict != audit.verdict) flips += 1.0;
  }
  spread[0].Report(audit.h_total);
  spread[1].Report(audit.h_alloc);
  spread[2].Report(audit.h_dep);
  audit.flip_rate = flips / static_cast<double>(halves);
}

ChannelBounds BoundsOf(const std::optional<CalibratedGain>& gain) {
  if (!gain.has_value()) return {};
  return {.point = gain->point, .interval = gain->interval, .refuting = gain->refuting_upper};
}

}  // namespace

RuleBounds BoundsOf(const CalibratedAudit& audit) {
  return {.deployment = BoundsOf(audit.h_dep),
          .allocation = BoundsOf(audit.h_alloc),
          .violation = {.point = audit.q.point,
                        .interval = audit.q.interval,
                        .refuting = audit.q.refuting_lower},
          .total = BoundsOf(audit.h_total),
          .total_must_gain = true};
}

CalibratedAudit AuditCalibrated(const OutcomeTotals& totals, std::span<const Refit> folds,
                                std::span<const Refit> replicates, const Thresholds& thresholds,
                                const CalibratedOptions& options, const RngStream& stream) {
  GONOGO_CHECK(!folds.empty() && !replicates.empty());
  CalibratedAudit audit;
  audit.reference =
      SelectReferences(totals, replicates, thresholds.kappa, options.contending_share);
  const auto direct = totals.cost.col(kDirect);
  audit.largest_cluster_share = direct.maxCoeff() / direct.sum();
  audit.q = ViolationRate(totals, folds, replicates, options);
  const Channels channels(totals, folds, replicates, audit.reference, options);
  const std::vector<std::size_t> all = AllOf(replicates.size());
  channels.Estimate(all, audit);
  channels.EstimateParts(all, audit);
  const Widening widening = options.widen_upper
                                ? CrossFitAdvantage(totals, folds, audit, thresholds.kappa, options)
                                : Widening{};
  const GainLimits limits(totals, options.level);
  const auto finish = [&](CalibratedAudit& estimated) {
    Widen(widening, estimated);
    SettleGains(limits, estimated);
  };
  finish(audit);
  SettleRate(totals, audit.q.point, audit.q.interval, audit.q.refuting_lower);
  static_cast<Decision&>(audit) = Decide(BoundsOf(audit), thresholds);
  const auto estimate = [&](std::span<const std::size_t> half, CalibratedAudit& other) {
    channels.Estimate(half, other);
    finish(other);
  };
  AddMonteCarloError(estimate, replicates.size(), thresholds, options.halves, stream, audit);
  return audit;
}

}  // namespace gonogo::audit
