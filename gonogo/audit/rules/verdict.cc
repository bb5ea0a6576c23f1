// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/verdict.h"

#include <algorithm>
#include <cmath>

#include "gonogo/stats/distributions.h"

namespace gonogo::audit {

namespace {

stats::Interval Holding(double point, const stats::Interval& interval) {
  return {std::min(interval.lower, point), std::max(interval.upper, point)};
}

}  // namespace

ChannelBounds GainBounds(double point, const stats::Interval& interval) {
  const stats::Interval held = Holding(point, interval);
  return {.point = point, .interval = held, .refuting = held.upper};
}

ChannelBounds RateBounds(double point, const stats::Interval& interval) {
  const stats::Interval held = Holding(point, interval);
  return {.point = point, .interval = held, .refuting = held.lower};
}

Channel ReadGain(const ChannelBounds& gain, double threshold) {
  if (gain.interval.lower > threshold) return Channel::kSatisfied;
  return gain.refuting < threshold ? Channel::kRefuted : Channel::kUnresolved;
}

Channel ReadRate(const ChannelBounds& rate, double kappa) {
  if (rate.interval.upper <= kappa) return Channel::kSatisfied;
  return rate.refuting > kappa ? Channel::kRefuted : Channel::kUnresolved;
}

Decision Decide(const RuleBounds& bounds, const Thresholds& thresholds) {
  Decision decision{.deployment = ReadGain(bounds.deployment, thresholds.delta_dep),
                    .allocation = ReadGain(bounds.allocation, thresholds.delta_alloc),
                    .violation = ReadRate(bounds.violation, thresholds.kappa),
                    .improvement = ReadGain(bounds.total, 0.0)};
  bool satisfied = !bounds.total_must_gain || decision.improvement == Channel::kSatisfied;
  bool refuted = false;
  for (const Channel channel : {decision.deployment, decision.allocation, decision.violation}) {
    satisfied = satisfied && channel == Channel::kSatisfied;
    refuted = refuted || channel == Channel::kRefuted;
  }
  if (satisfied) decision.verdict = Verdict::kGo;
  if (refuted) decision.verdict = Verdict::kNoGo;
  return decision;
}

Decision Decide(const Evidence& evidence, const Thresholds& thresholds) {
  const auto gain = [](const stats::Interval& interval) {
    return ChannelBounds{.interval = interval, .refuting = interval.upper};
  };
  return Decide(RuleBounds{.deployment = gain(evidence.deployment),
                           .allocation = gain(evidence.allocation),
                           .violation = {.interval = evidence.violation,
                                         .refuting = evidence.violation.lower}},
                thresholds);
}

std::string_view Name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kGo:
      return "GO";
    case Verdict::kNoGo:
      return "NO-GO";
    case Verdict::kAbstain:
      break;
  }
  return "ABSTAIN";
}

std::string_view Name(Channel channel) {
  switch (channel) {
    case Channel::kSatisfied:
      return "satisfied";
    case Channel::kRefuted:
      return "refuted";
    case Channel::kUnresolved:
      break;
  }
  return "unresolved";
}

namespace {

constexpr double kBeyondAnyStudy = 1e12;

Resolution Needed(double point, double bound, double threshold, std::size_t clusters) {
  const double ratio = (bound - point) / (point - threshold);
  const double needed = std::ceil(static_cast<double>(clusters) * ratio * ratio);
  if (!(needed < kBeyondAnyStudy)) return {ResolutionStatus::kPointOnBoundary};
  return {ResolutionStatus::kNeeded, static_cast<std::size_t>(needed)};
}

}  // namespace

Resolution ResolveGain(double point, double lower, double threshold, std::size_t clusters) {
  if (lower > threshold) return {ResolutionStatus::kSatisfied, clusters};
  if (!(point > threshold)) return {ResolutionStatus::kPointNotOnGoSide};
  return Needed(point, lower, threshold, clusters);
}

Resolution ResolveRate(double point, double upper, double threshold, std::size_t clusters) {
  if (upper <= threshold) return {ResolutionStatus::kSatisfied, clusters};
  if (!(point <= threshold)) return {ResolutionStatus::kPointNotOnGoSide};
  return Needed(point, upper, threshold, clusters);
}

std::string_view Name(ResolutionStatus status) {
  switch (status) {
    case ResolutionStatus::kSatisfied:
      return "already satisfied";
    case ResolutionStatus::kNeeded:
      return "needed";
    case ResolutionStatus::kPointOnBoundary:
      return "point on the boundary";
    case ResolutionStatus::kPointNotOnGoSide:
      break;
  }
  return "point not on the GO side";
}

double SatisfyingAlpha(double level) { return (1.0 - level) / 2.0; }

double RefutingAlpha(double level) {
  constexpr double kUnion = 3.0;  // channels any of which is enough for NO-GO
  return SatisfyingAlpha(level) / kUnion;
}

BoundWidths StudentWidths(std::size_t clusters, double level) {
  if (clusters < 2) return {};
  const auto degrees = static_cast<double>(clusters - 1);
  return {stats::StudentTQuantile(1.0 - SatisfyingAlpha(level), degrees),
          stats::StudentTQuantile(1.0 - RefutingAlpha(level), degrees)};
}

}  // namespace gonogo::audit
