// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include <nlohmann/json_fwd.hpp>

#include "gonogo/calibrate/benchmark/proportion.h"
#include "gonogo/calibrate/simulate/simulated_audit.h"

namespace gonogo::calibrate {

[[nodiscard]] nlohmann::json ToJson(const audit::Thresholds& thresholds);

/// How one rule's interval for one quantity behaved.
struct IntervalRecord {
  Proportion lower_miss;  ///< truth below the lower end: what makes a GO wrong (for gains)
  Proportion upper_miss;  ///< truth above the upper end: what makes a GO wrong for q
  Proportion coverage;    ///< truth inside
  double mean_width = 0.0;
};

/// How one rule behaved in one cell.
struct RuleSummary {
  Proportion go;
  Proportion no_go;
  Proportion abstain;
  Proportion false_go;       ///< GO although some channel of the shipped adapter is wrong
  Proportion false_go_best;  ///< the same, with H_dep against the world's best fixed action
  Proportion false_no_go;    ///< NO-GO although all of them are right
  std::array<IntervalRecord, kQuantities.size()> interval;
  double flip_rate = 0.0;
  /// Share of GO over the oracle's; nothing where the oracle never says GO.
  std::optional<double> efficiency = {};
};

/// One cell: the truth on average and every rule on the same data sets.
struct CellSummary {
  std::size_t data_sets = 0;
  Truth mean_truth;
  Proportion deserves_go;
  std::array<RuleSummary, kRules.size()> rule;
  double modal_share = 0.0;   ///< mean share of the modal fixed reference
  double fit_seconds = 0.0;   ///< mean CPU time of folds and replicates of one audit
  double pair_seconds = 0.0;  ///< mean CPU time of its fits without pairs
  Proportion oracle_go;       ///< what testing on fresh clusters would say
};

[[nodiscard]] CellSummary SummariseAudits(std::span<const SimulatedAudit> audits,
                                          const audit::Thresholds& thresholds);

/// The value an interval of that rule should contain: the paper's reference is the cheapest
/// admissible action, the calibrated one the stable action.
[[nodiscard]] double TruthFor(RuleUnderTest rule, Quantity quantity, const Truth& truth);

}  // namespace gonogo::calibrate
