// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/readings.h"

#include <algorithm>
#include <array>

#include "gonogo/audit/result/log_result.h"
#include "gonogo/base/glossary.h"
#include "gonogo/base/number_text.h"

namespace gonogo::audit {
namespace {

/// What a rule found out about one quantity.
struct Finding {
  double point = 0.0;
  std::optional<stats::Interval> interval = {};
  double refuting = 0.0;  ///< the bound that a NO-GO needs beyond the threshold
};

Finding PaperFinding(const Estimate& estimate, bool above) {
  Finding finding{.point = estimate.point, .interval = estimate.interval};
  if (estimate.interval.has_value()) {
    finding.refuting = above ? estimate.interval->upper : estimate.interval->lower;
  }
  return finding;
}

/// Without a calibrated estimate only the plain point is known.
Finding CalibratedFinding(const Estimate& estimate, const std::optional<CalibratedGain>& gain) {
  if (!gain.has_value()) return {.point = estimate.point};
  return {.point = gain->point, .interval = gain->interval, .refuting = gain->refuting_upper};
}

Finding CalibratedFinding(const CalibratedRate& rate) {
  return {.point = rate.point, .interval = rate.interval, .refuting = rate.refuting_lower};
}

Finding PairFinding(const PairGain& gain) {
  return {
      .point = gain.estimate.shipped, .interval = gain.interval, .refuting = gain.refuting_upper};
}

std::optional<DecidingBound> BoundThatDecides(const Finding& finding, Channel state, bool above) {
  if (!finding.interval.has_value()) return std::nullopt;
  if (state == Channel::kRefuted) {
    return DecidingBound{above ? IntervalEnd::kUpper : IntervalEnd::kLower, finding.refuting};
  }
  return above ? DecidingBound{IntervalEnd::kLower, finding.interval->lower}
               : DecidingBound{IntervalEnd::kUpper, finding.interval->upper};
}

/// One condition of a GO before it is read.
struct Condition {
  std::string_view key;
  double threshold = 0.0;
  bool above = true;
};

ChannelReading Read(const Condition& condition, const Finding& finding,
                    const std::optional<Channel>& state) {
  ChannelReading reading{.key = condition.key,
                         .question = Describe(condition.key).question,
                         .point = finding.point,
                         .interval = finding.interval,
                         .threshold = condition.threshold,
                         .above = condition.above,
                         .state = state};
  if (state.has_value()) reading.decided_by = BoundThatDecides(finding, *state, condition.above);
  return reading;
}

RuleReading ReadPaper(const AuditResult& result) {
  const Thresholds& thresholds = result.protocol.thresholds;
  RuleReading rule{.rule = DecisionRule::kPaper};
  if (result.paper_reading.has_value()) rule.verdict = result.paper_reading->verdict;
  const auto add = [&](const Condition& condition, const Estimate& estimate,
                       Channel Decision::*state) {
    const std::optional<Channel> read =
        result.paper_reading ? std::optional((*result.paper_reading).*state) : std::nullopt;
    rule.channels.push_back(Read(condition, PaperFinding(estimate, condition.above), read));
  };
  add({"H_dep", thresholds.delta_dep}, result.h_dep, &Decision::deployment);
  add({"H_alloc", thresholds.delta_alloc}, result.h_alloc, &Decision::allocation);
  add({"q", thresholds.kappa, false}, result.q, &Decision::violation);
  return rule;
}

/// A rule with four channels, from what it found and how it read it.
template <typename Audit>
RuleReading ReadFour(DecisionRule kind, const AuditResult& result, const Audit& audit,
                     const std::array<Finding, 4>& findings) {
  const Thresholds& thresholds = result.protocol.thresholds;
  RuleReading rule{.rule = kind};
  const bool read = result.paper_reading.has_value();  // else none of the rules reads anything
  if (read) rule.verdict = audit.verdict;
  const std::array<Condition, 4> conditions{
      Condition{"H_dep", thresholds.delta_dep}, Condition{"H_alloc", thresholds.delta_alloc},
      Condition{"q", thresholds.kappa, false}, Condition{"H_total", 0.0}};
  const std::array<Channel, 4> states{audit.deployment, audit.allocation, audit.violation,
                                      audit.improvement};
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    rule.channels.push_back(
        Read(conditions[i], findings[i], read ? std::optional(states[i]) : std::nullopt));
  }
  return rule;
}

RuleReading ReadCalibrated(const AuditResult& result) {
  const CalibratedAudit& calibrated = *result.calibrated;
  return ReadFour(
      DecisionRule::kCalibrated, result, calibrated,
      {CalibratedFinding(result.h_dep, calibrated.h_dep),
       CalibratedFinding(result.h_alloc, calibrated.h_alloc), CalibratedFinding(calibrated.q),
       CalibratedFinding(result.h_total, calibrated.h_total)});
}

RuleReading ReadPairs(const AuditResult& result) {
  const PairAudit& pairs = *result.pairs;
  return ReadFour(DecisionRule::kLeavePairOut, result, pairs,
                  {PairFinding(pairs.h_dep), PairFinding(pairs.h_alloc),
                   Finding{.point = pairs.q.estimate.shipped,
                           .interval = pairs.q.interval,
                           .refuting = pairs.q.refuting_lower},
                   PairFinding(pairs.h_total)});
}

}  // namespace

std::string_view Name(IntervalEnd end) { return end == IntervalEnd::kLower ? "lower" : "upper"; }

std::string Needed(const ChannelReading& reading) {
  return (reading.above ? "> " : "<= ") + Percent(reading.threshold);
}

std::vector<RuleReading> ReadRules(const AuditResult& result) {
  std::vector<RuleReading> rules{ReadPaper(result)};
  if (result.calibrated.has_value()) rules.push_back(ReadCalibrated(result));
  if (result.pairs.has_value()) rules.push_back(ReadPairs(result));
  // The calibrated rule needs refits or choices; without it the paper's decides alone. The
  // leave-pair-out rule is there only where it was declared.
  if (result.protocol.rule.kind != DecisionRule::kPaper) {
    std::rotate(rules.begin(), rules.end() - 1, rules.end());
  }
  rules[0].decides = true;
  for (RuleReading& rule : rules) {
    if (KnowsViolations(result)) break;
    std::erase_if(rule.channels, [](const ChannelReading& channel) { return channel.key == "q"; });
  }
  return rules;
}

}  // namespace gonogo::audit
