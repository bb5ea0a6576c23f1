// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/calibrate/benchmark/benchmark.h"
#include "gonogo/calibrate/benchmark/summary.h"
#include "gonogo/calibrate/simulate/series.h"

namespace gonogo::calibrate {

/// How one rule's series of looks ended in one cell.
struct SequentialRule {
  Proportion go;
  Proportion no_go;
  Proportion futile;
  Proportion undecided;  ///< after the last look
  Proportion false_go;   ///< over all looks: of the adapter that would ship at that one
  Proportion false_no_go;
  std::vector<Proportion> ends;  ///< at each look
  double mean_clusters = 0.0;
};

struct SequentialCell {
  BenchmarkCell cell;
  std::size_t data_sets = 0;
  std::array<SequentialRule, kSpendingRules.size()> rule;
};

/// Series of interim analyses at `rule.looks_at` of the protocol, in every cell (`Records`),
/// whatever number of clusters the cell itself has.
[[nodiscard]] Result<std::vector<SequentialCell>> RunSequential(const BenchmarkOptions& options,
                                                                const Execution& execution);

/// `gonogo.sequential/1` (docs/reference/formats.md).
[[nodiscard]] nlohmann::json ToJson(const BenchmarkOptions& options,
                                    const std::vector<SequentialCell>& cells);

}  // namespace gonogo::calibrate
