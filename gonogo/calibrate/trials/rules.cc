// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/trials/rules.h"

#include <limits>
#include <vector>

#include "gonogo/audit/estimands/estimands.h"
#include "gonogo/audit/estimands/fixed_reference.h"
#include "gonogo/audit/rules/calibrated/halves.h"

namespace gonogo::calibrate {
namespace {

stats::Interval IntervalOf(const std::optional<audit::CalibratedGain>& gain) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return gain.has_value() ? gain->interval : stats::Interval{-kInfinity, kInfinity};
}

/// Estimands of every replicate, in the order of `kQuantities`.
std::array<std::vector<double>, kQuantities.size()> ReplicateEstimates(
    const audit::OutcomeTotals& totals, std::span<const audit::Refit> replicates, double kappa) {
  std::array<std::vector<double>, kQuantities.size()> values;
  for (const audit::Refit& replicate : replicates) {
    const audit::ActionIndex reference =
        audit::SelectFixedAction(totals, replicate.split.multiplicity, kappa);
    audit::ComparatorSums sums;
    for (const audit::ChoiceTotals& choices : replicate.held_out) {
      sums.Add(audit::SumCluster(totals, {&choices, reference}));
    }
    values[0].push_back(sums.h_dep());
    values[1].push_back(sums.h_alloc());
    values[2].push_back(sums.q());
    values[3].push_back(sums.h_total());
  }
  return values;
}

RuleOutcome DecideFrom(const std::array<std::vector<double>, kQuantities.size()>& values,
                       std::span<const std::size_t> subset, const audit::Thresholds& thresholds,
                       double level) {
  RuleOutcome outcome;
  std::vector<double> chosen(subset.size());
  for (std::size_t quantity = 0; quantity < values.size(); ++quantity) {
    for (std::size_t i = 0; i < subset.size(); ++i) chosen[i] = values[quantity][subset[i]];
    outcome.interval[quantity] = stats::PercentileInterval(chosen, level);
  }
  const audit::Evidence evidence{.deployment = outcome.interval[0],
                                 .allocation = outcome.interval[1],
                                 .violation = outcome.interval[2]};
  outcome.verdict = audit::Decide(evidence, thresholds).verdict;
  return outcome;
}

}  // namespace

std::string_view Name(Rule rule) {
  switch (rule) {
    case Rule::kPaper:
      return "paper";
    case Rule::kCalibrated:
      return "calibrated";
    case Rule::kContenders:
      break;
  }
  return "contenders";
}

std::string_view Name(Quantity quantity) {
  switch (quantity) {
    case Quantity::kDeployment:
      return "H_dep";
    case Quantity::kAllocation:
      return "H_alloc";
    case Quantity::kViolation:
      return "q";
    case Quantity::kTotal:
      break;
  }
  return "H_total";
}

RuleOutcome ApplyPaperRule(const audit::OutcomeTotals& totals,
                           std::span<const audit::Refit> replicates,
                           const audit::Thresholds& thresholds, double level, std::size_t halves,
                           const RngStream& stream) {
  const auto values = ReplicateEstimates(totals, replicates, thresholds.kappa);
  RuleOutcome outcome = DecideFrom(values, audit::AllOf(replicates.size()), thresholds, level);
  double flips = 0.0;
  for (const auto& half : audit::RandomHalves(replicates.size(), halves, stream)) {
    if (DecideFrom(values, half, thresholds, level).verdict != outcome.verdict) flips += 1.0;
  }
  if (halves > 0) outcome.flip_rate = flips / static_cast<double>(halves);
  return outcome;
}

RuleOutcome Summarise(const audit::CalibratedAudit& audit) {
  return {.verdict = audit.verdict,
          .interval = {IntervalOf(audit.h_dep), IntervalOf(audit.h_alloc), audit.q.interval,
                       IntervalOf(audit.h_total)},
          .flip_rate = audit.flip_rate};
}

}  // namespace gonogo::calibrate
