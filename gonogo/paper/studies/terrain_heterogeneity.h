// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/report/page/page.h"
#include "gonogo/stats/interval.h"
#include "gonogo/study/evaluate/evaluate.h"
#include "gonogo/study/evaluate/time_budget.h"

namespace gonogo::paper {

/// Flat and rough ground from identical starts. Methods: "direct", falling scales, "vgcc" if any.
struct TerrainStudy {
  study::Evaluation flat;
  study::Evaluation rough;
};

/// Three seeds x eight targets x two trials on a plane and on 2-10 cm of height noise. Without
/// `models`, VGCC is left out.
[[nodiscard]] Result<TerrainStudy> RunTerrainStudy(const std::filesystem::path& robot,
                                                   const std::filesystem::path& models,
                                                   const Execution& execution);

/// The largest saving of terrain-dependent scales over a shared one under a common time budget.
struct SharedBudget {
  study::BudgetGain best;
  stats::Interval interval;  ///< of its gain: bootstrap of the episodes of both legs
};
[[nodiscard]] SharedBudget MeasureSharedBudget(const TerrainStudy& study, const RngStream& stream);

/// The frontier per terrain and the shared budget, the paper's numbers beside ours.
[[nodiscard]] report::Section TerrainSection(const TerrainStudy& study, const RngStream& stream);

}  // namespace gonogo::paper
