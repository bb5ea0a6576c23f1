// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/verdict.h"

namespace gonogo::audit {
namespace {

Channel ReadGain(const stats::Interval& gain, double delta) {
  if (gain.lower > delta) return Channel::kSatisfied;
  return gain.upper < delta ? Channel::kRefuted : Channel::kUnresolved;
}

Channel ReadRate(const stats::Interval& rate, double kappa) {
  if (rate.upper <= kappa) return Channel::kSatisfied;
  return rate.lower > kappa ? Channel::kRefuted : Channel::kUnresolved;
}

}  // namespace

Decision Decide(const Evidence& evidence, const Thresholds& thresholds) {
  Decision decision{.deployment = ReadGain(evidence.deployment, thresholds.delta_dep),
                    .allocation = ReadGain(evidence.allocation, thresholds.delta_alloc),
                    .violation = ReadRate(evidence.violation, thresholds.kappa)};
  const auto all = {decision.deployment, decision.allocation, decision.violation};
  bool satisfied = true;
  bool refuted = false;
  for (const Channel channel : all) {
    satisfied = satisfied && channel == Channel::kSatisfied;
    refuted = refuted || channel == Channel::kRefuted;
  }
  if (satisfied) decision.verdict = Verdict::kGo;
  if (refuted) decision.verdict = Verdict::kNoGo;
  return decision;
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
