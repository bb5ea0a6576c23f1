// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/benchmark/summary.h"

#include <nlohmann/json.hpp>

#include "gonogo/stats/distributions.h"

namespace gonogo::calibrate {
namespace {

/// Where an adapter never departs its interval is the point 0 and its truth, a quotient of sums
/// over many fresh queries, is 0 up to rounding: that is no miss.
constexpr double kRounding = 1e-9;

/// Counts of one rule while the audits are read.
struct Counts {
  std::size_t go = 0;
  std::size_t no_go = 0;
  std::size_t false_go = 0;
  std::size_t false_go_best = 0;
  std::size_t false_no_go = 0;
  std::array<std::size_t, kQuantities.size()> below = {};
  std::array<std::size_t, kQuantities.size()> above = {};
  std::array<double, kQuantities.size()> width = {};
  double flips = 0.0;
};

void CountAudit(const SimulatedAudit& judged, RuleUnderTest rule,
                const audit::Thresholds& thresholds, Counts& counts) {
  const RuleOutcome& outcome = judged.outcome[static_cast<std::size_t>(rule)];
  const Truth& truth = judged.truth;
  const bool deserved = DeservesGo(truth, TruthFor(rule, Quantity::kDeployment, truth), thresholds);
  const bool deserved_best = DeservesGo(truth, truth.h_dep_best, thresholds);
  if (outcome.verdict == audit::Verdict::kGo) {
    ++counts.go;
    if (!deserved) ++counts.false_go;
    if (!deserved_best) ++counts.false_go_best;
  }
  if (outcome.verdict == audit::Verdict::kNoGo) {
    ++counts.no_go;
    if (deserved) ++counts.false_no_go;
  }
  for (const Quantity quantity : kQuantities) {
    const auto i = static_cast<std::size_t>(quantity);
    const double value = TruthFor(rule, quantity, truth);
    if (value < outcome.interval[i].lower - kRounding) ++counts.below[i];
    if (value > outcome.interval[i].upper + kRounding) ++counts.above[i];
    counts.width[i] += outcome.interval[i].width();
  }
  counts.flips += outcome.flip_rate;
}

RuleSummary Summarise(const Counts& counts, std::size_t total) {
  RuleSummary summary{.go = MakeProportion(counts.go, total),
                      .no_go = MakeProportion(counts.no_go, total),
                      .abstain = MakeProportion(total - counts.go - counts.no_go, total),
                      .false_go = MakeProportion(counts.false_go, total),
                      .false_go_best = MakeProportion(counts.false_go_best, total),
                      .false_no_go = MakeProportion(counts.false_no_go, total)};
  const auto count = static_cast<double>(total);
  for (std::size_t i = 0; i < kQuantities.size(); ++i) {
    summary.interval[i] = {
        .lower_miss = MakeProportion(counts.below[i], total),
        .upper_miss = MakeProportion(counts.above[i], total),
        .coverage = MakeProportion(total - counts.below[i] - counts.above[i], total),
        .mean_width = counts.width[i] / count};
  }
  summary.flip_rate = counts.flips / count;
  return summary;
}

}  // namespace

Proportion MakeProportion(std::size_t count, std::size_t total) {
  Proportion proportion{count, total, {0.0, 1.0}};
  const auto x = static_cast<double>(count);
  const auto n = static_cast<double>(total);
  if (count > 0) proportion.interval.lower = stats::BetaQuantile(0.025, x, n - x + 1.0);
  if (count < total) proportion.interval.upper = stats::BetaQuantile(0.975, x + 1.0, n - x);
  return proportion;
}

nlohmann::json ToJson(const Proportion& proportion) {
  return {{"share", proportion.share()},
          {"count", proportion.count},
          {"lower", proportion.interval.lower},
          {"upper", proportion.interval.upper}};
}

nlohmann::json ToJson(const audit::Thresholds& thresholds) {
  return {{"delta_dep", thresholds.delta_dep},
          {"delta_alloc", thresholds.delta_alloc},
          {"kappa", thresholds.kappa}};
}

double TruthFor(RuleUnderTest rule, Quantity quantity, const Truth& truth) {
  if (rule == RuleUnderTest::kPaper && quantity == Quantity::kDeployment) return truth.h_dep_argmin;
  return ValueOf(truth, quantity);
}

CellSummary SummariseAudits(std::span<const SimulatedAudit> audits,
                            const audit::Thresholds& thresholds) {
  CellSummary summary{.data_sets = audits.size()};
  if (audits.empty()) return summary;
  std::array<Counts, kRules.size()> counts;
  std::size_t deserving = 0;
  std::size_t oracle_go = 0;
  const auto total = static_cast<double>(audits.size());
  for (const SimulatedAudit& judged : audits) {
    for (const RuleUnderTest rule : kRules) {
      CountAudit(judged, rule, thresholds, counts[static_cast<std::size_t>(rule)]);
    }
    if (DeservesGo(judged.truth, judged.truth.h_dep, thresholds)) ++deserving;
    if (judged.oracle.verdict == audit::Verdict::kGo) ++oracle_go;
    summary.mean_truth.Add(judged.truth, 1.0 / total);
    summary.modal_share += judged.modal_share / total;
    summary.fit_seconds += judged.fit_seconds / total;
    summary.pair_seconds += judged.pair_seconds / total;
  }
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    summary.rule[i] = Summarise(counts[i], audits.size());
    if (oracle_go == 0) continue;
    summary.rule[i].efficiency = static_cast<double>(counts[i].go) / static_cast<double>(oracle_go);
  }
  summary.oracle_go = MakeProportion(oracle_go, audits.size());
  summary.deserves_go = MakeProportion(deserving, audits.size());
  return summary;
}

}  // namespace gonogo::calibrate
