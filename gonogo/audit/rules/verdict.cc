// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/verdict.h"

namespace gonogo::audit {

ChannelBounds GainBounds(double point, const stats::Interval& interval) {
  return {.point = point, .interval = interval, .refuting = interval.upper};
}

ChannelBounds RateBounds(double point, const stats::Interval& interval) {
  return {.point = point, .interval = interval, .refuting = interval.lower};
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
  return Decide(RuleBounds{.deployment = GainBounds(0.0, evidence.deployment),
                           .allocation = GainBounds(0.0, evidence.allocation),
                           .violation = RateBounds(0.0, evidence.violation)},
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

}  // namespace gonogo::audit
