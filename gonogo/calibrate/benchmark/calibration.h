// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/calibrate/benchmark/benchmark.h"
#include "gonogo/calibrate/benchmark/summary.h"

namespace gonogo::calibrate {

struct CellResult {
  BenchmarkCell cell;
  CellSummary summary;
};

struct CalibrationResult {
  std::vector<CellResult> cells;
};

/// Runs every rule on `data_sets` data sets of every cell (`Records`). The directory keeps fits,
/// not answers: another level, threshold or rule is judged from the same ones. Everything but
/// seconds is the same for any number of jobs. A team needs a directory and shares the fits; its
/// first rank judges, the others get no cells.
[[nodiscard]] Result<CalibrationResult> RunCalibration(const BenchmarkOptions& options,
                                                       const Execution& execution);

/// Makes and keeps the fits of the data sets that belong to the shard, in logs that `gonogo merge`
/// puts together; `RunCalibration` then finds them made. Needs a directory.
[[nodiscard]] Status FitCalibrationShard(const BenchmarkOptions& options, const Shard& shard,
                                         const Execution& execution);

/// A promise about the rule, and whether the benchmark bears it out.
struct Goal {
  std::string text;
  std::string measured;
  bool met = false;
};

/// The goals of the benchmark, judged for one rule on whatever cells were run.
[[nodiscard]] std::vector<Goal> JudgeGoals(const CalibrationResult& result, RuleUnderTest rule);

/// `gonogo.calibration/1` (docs/reference/formats.md).
[[nodiscard]] nlohmann::json ToJson(const BenchmarkOptions& options,
                                    const CalibrationResult& result);

}  // namespace gonogo::calibrate
