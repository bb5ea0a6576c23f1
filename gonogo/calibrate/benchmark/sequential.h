// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/calibrate/benchmark/cells.h"
#include "gonogo/calibrate/benchmark/summary.h"
#include "gonogo/calibrate/trials/path_trial.h"

namespace gonogo::calibrate {

struct SequentialOptions {
  std::vector<Cell> cells;
  std::size_t data_sets = 200;  ///< series of looks in each cell
  std::uint64_t seed = 20260717;
  std::string learner = "ridge";  ///< name of what `path.trial.learner` makes
  PathOptions path;
  std::filesystem::path directory;  ///< keeps finished series; empty: nothing is kept
  bool finished_only = false;       ///< report what the directory holds, make no fit
};

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
  Cell cell;
  std::size_t data_sets = 0;
  std::array<SequentialRule, kPathRules.size()> rule;
};

/// Series of looks in every cell, whatever number of clusters the cell itself has. Series r of a
/// cell is drawn from the stream named by (cell, r): more of them extend the same sequence, and an
/// interrupted run goes on from its directory. The same numbers for any number of jobs.
[[nodiscard]] Result<std::vector<SequentialCell>> RunSequential(const SequentialOptions& options,
                                                                const Execution& execution);

/// `gonogo.sequential/1` (docs/reference/formats.md).
[[nodiscard]] nlohmann::json ToJson(const SequentialOptions& options,
                                    const std::vector<SequentialCell>& cells);

}  // namespace gonogo::calibrate
