// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gonogo/base/number_text.h"
#include "gonogo/calibrate/benchmark/calibration.h"

namespace gonogo::calibrate {
namespace {

const RuleSummary& Of(const CellResult& cell, RuleUnderTest rule) {
  return cell.summary.rule[static_cast<std::size_t>(rule)];
}

std::string Shown(const Proportion& p) {
  return fmt::format("{} [{}, {}]", Percent(p.share()), Decimal(100.0 * p.interval.lower, 2),
                     Decimal(100.0 * p.interval.upper, 2));
}

void AddSafety(const CellResult& cell, RuleUnderTest rule, std::vector<Goal>& goals) {
  const RuleSummary& summary = Of(cell, rule);
  if (cell.cell.role == CellRole::kLeastFavourable) {
    goals.push_back(
        {fmt::format("{}: false GO at most 2.5 %, upper bound at most 3.3 %", cell.cell.name),
         Shown(summary.false_go),
         summary.false_go.share() <= 0.025 && summary.false_go.interval.upper <= 0.033});
  }
  if (cell.cell.role == CellRole::kNull) {
    goals.push_back({fmt::format("{}: false GO at most 0.5 %", cell.cell.name),
                     Shown(summary.false_go), summary.false_go.share() <= 0.005});
  }
  goals.push_back({fmt::format("{}: false NO-GO at most 5 %", cell.cell.name),
                   Shown(summary.false_no_go), summary.false_no_go.share() <= 0.05});
}

void AddCoverage(const CellResult& cell, RuleUnderTest rule, std::vector<Goal>& goals) {
  for (const Quantity quantity :
       {Quantity::kDeployment, Quantity::kAllocation, Quantity::kViolation}) {
    const Proportion& coverage =
        Of(cell, rule).interval[static_cast<std::size_t>(quantity)].coverage;
    goals.push_back(
        {fmt::format("{}: coverage of {} at least 93 %", cell.cell.name, Name(quantity)),
         Shown(coverage), coverage.share() >= 0.93});
  }
  const Proportion& above =
      Of(cell, rule).interval[static_cast<std::size_t>(Quantity::kViolation)].upper_miss;
  goals.push_back({fmt::format("{}: q above its bound in at most 2.5 %", cell.cell.name),
                   Shown(above), above.share() <= 0.025});
}

/// Twice the thresholds: how much of what as many fresh clusters could say the rule says, too.
void AddPower(const CellResult& cell, RuleUnderTest rule, std::vector<Goal>& goals) {
  if (!cell.cell.name.ends_with("effect-2x") || rule == RuleUnderTest::kPaper) return;
  constexpr double kEfficiency = 0.85;
  const std::optional<double>& efficiency = Of(cell, rule).efficiency;
  goals.push_back({fmt::format("{}: at least {} of the GO that fresh clusters would give",
                               cell.cell.name, Percent(kEfficiency, 0)),
                   efficiency.has_value() ? Percent(*efficiency, 1) : "the oracle says no GO",
                   efficiency.value_or(0.0) >= kEfficiency});
  if (cell.cell.family != Family::kLinear) return;
  const Proportion& ours = Of(cell, rule).go;
  const Proportion& paper = Of(cell, RuleUnderTest::kPaper).go;
  goals.push_back({fmt::format("{}: GO clearly more often than the paper's rule", cell.cell.name),
                   fmt::format("{} against {}", Shown(ours), Shown(paper)),
                   ours.interval.lower > paper.interval.upper});
}

}  // namespace

std::vector<Goal> JudgeGoals(const CalibrationResult& result, RuleUnderTest rule) {
  std::vector<Goal> goals;
  for (const CellResult& cell : result.cells) {
    if (cell.summary.data_sets == 0) continue;  // was not run: says nothing
    AddSafety(cell, rule, goals);
    AddCoverage(cell, rule, goals);
    AddPower(cell, rule, goals);
  }
  return goals;
}

}  // namespace gonogo::calibrate
