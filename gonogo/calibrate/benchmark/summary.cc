// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/benchmark/summary.h"

#include "gonogo/calibrate/trials/solve.h"
#include "gonogo/stats/distributions.h"

namespace gonogo::calibrate {
namespace {

/// Where an adapter never departs its interval is the point 0 and its truth, a quotient of sums
/// over many fresh queries, is 0 up to rounding: that is no miss.
constexpr double kRounding = 1e-9;

/// Counts of one rule while the trials are read.
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

void CountTrial(const Trial& trial, Rule rule, const audit::Thresholds& thresholds,
                Counts& counts) {
  const RuleOutcome& outcome = trial.outcome[static_cast<std::size_t>(rule)];
  const Truth& truth = trial.truth;
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
  const auto trials = static_cast<double>(total);
  for (std::size_t i = 0; i < kQuantities.size(); ++i) {
    summary.interval[i] = {
        .lower_miss = MakeProportion(counts.below[i], total),
        .upper_miss = MakeProportion(counts.above[i], total),
        .coverage = MakeProportion(total - counts.below[i] - counts.above[i], total),
        .mean_width = counts.width[i] / trials};
  }
  summary.flip_rate = counts.flips / trials;
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

double TruthFor(Rule rule, Quantity quantity, const Truth& truth) {
  if (rule == Rule::kPaper && quantity == Quantity::kDeployment) return truth.h_dep_argmin;
  return ValueOf(truth, quantity);
}

CellSummary SummariseTrials(std::span<const Trial> trials, const audit::Thresholds& thresholds) {
  CellSummary summary{.data_sets = trials.size()};
  if (trials.empty()) return summary;
  std::array<Counts, kRules.size()> counts;
  std::size_t deserving = 0;
  std::size_t oracle_go = 0;
  const auto total = static_cast<double>(trials.size());
  for (const Trial& trial : trials) {
    for (const Rule rule : kRules) {
      CountTrial(trial, rule, thresholds, counts[static_cast<std::size_t>(rule)]);
    }
    if (DeservesGo(trial.truth, trial.truth.h_dep, thresholds)) ++deserving;
    if (trial.oracle.verdict == audit::Verdict::kGo) ++oracle_go;
    summary.mean_truth.h_total += trial.truth.h_total / total;
    summary.mean_truth.h_alloc += trial.truth.h_alloc / total;
    summary.mean_truth.h_dep += trial.truth.h_dep / total;
    summary.mean_truth.h_dep_argmin += trial.truth.h_dep_argmin / total;
    summary.mean_truth.h_dep_best += trial.truth.h_dep_best / total;
    summary.mean_truth.q += trial.truth.q / total;
    summary.modal_share += trial.modal_share / total;
    summary.fit_seconds += trial.fit_seconds / total;
    summary.pair_seconds += trial.pair_seconds / total;
  }
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    summary.rule[i] = Summarise(counts[i], trials.size());
    if (oracle_go == 0) continue;
    summary.rule[i].efficiency = static_cast<double>(counts[i].go) / static_cast<double>(oracle_go);
  }
  summary.oracle_go = MakeProportion(oracle_go, trials.size());
  summary.deserves_go = MakeProportion(deserving, trials.size());
  return summary;
}

}  // namespace gonogo::calibrate
