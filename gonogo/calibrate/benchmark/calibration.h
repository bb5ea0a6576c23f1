// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/parallel/shard.h"
#include "gonogo/calibrate/benchmark/cells.h"
#include "gonogo/calibrate/benchmark/summary.h"

namespace gonogo::calibrate {

struct CalibrationOptions {
  std::vector<Cell> cells;
  std::size_t data_sets = 2000;  ///< per cell
  std::uint64_t seed = 20260717;
  std::string learner = "ridge";  ///< name of what `trial.learner` makes
  TrialOptions trial;
  std::filesystem::path directory;  ///< keeps fits of finished data sets; empty: nothing is kept
  bool finished_only = false;       ///< judge what the directory holds, make no fit
};

struct CellResult {
  Cell cell;
  CellSummary summary;
};

struct CalibrationResult {
  std::vector<CellResult> cells;
};

/// Runs every rule on `data_sets` data sets of every cell. Data set r of a cell is drawn from the
/// stream named by (cell, r): more data sets extend the same sequence, and an interrupted run goes
/// on from its directory. The directory keeps fits, not answers: another level, threshold or rule
/// is judged from the same ones. Everything but seconds is the same for any number of jobs. A team
/// needs a directory and shares the fits; its first rank judges, the others get no cells.
[[nodiscard]] Result<CalibrationResult> RunCalibration(const CalibrationOptions& options,
                                                       const Execution& execution);

/// Makes and keeps the fits of the data sets that belong to the shard, in logs that `gonogo merge`
/// puts together; `RunCalibration` then finds them made. Needs a directory.
[[nodiscard]] Status FitCalibrationShard(const CalibrationOptions& options, const Shard& shard,
                                         const Execution& execution);

/// A promise about the rule, and whether the benchmark bears it out.
struct Goal {
  std::string text;
  std::string measured;
  bool met = false;
};

/// The goals of the benchmark, judged for one rule on whatever cells were run.
[[nodiscard]] std::vector<Goal> JudgeGoals(const CalibrationResult& result, Rule rule);

/// `gonogo.calibration/1` (docs/reference/formats.md).
[[nodiscard]] nlohmann::json ToJson(const CalibrationOptions& options,
                                    const CalibrationResult& result);

}  // namespace gonogo::calibrate
