// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"
#include "gonogo/report/page/page.h"
#include "gonogo/stats/interval.h"
#include "gonogo/study/evaluate/evaluate.h"
#include "gonogo/study/evaluate/time_budget.h"

/// \file
/// The sections of the paper's studies, its numbers beside ours. An evaluation holds the methods
/// that its section compares, "direct" as the first one.
namespace gonogo::paper {

/// Running cost on the harder targets, with the differences by seed.
[[nodiscard]] report::Section HarderSection(const study::Evaluation& evaluation);

/// Table "physical-energy".
[[nodiscard]] report::Section TorqueSection(const study::Evaluation& evaluation);

/// Table "pertarget", ordered by our reduction of effort.
[[nodiscard]] report::Section PerTargetSection(const study::Evaluation& evaluation);

/// Table "vgcc-ablation".
[[nodiscard]] report::Section AblationSection(const study::Evaluation& evaluation);

/// Ranking by cost per progress instead of cost.
[[nodiscard]] report::Section ObjectiveSection(const study::Evaluation& evaluation);

/// Section 4.5, Table "coverage", and the sign test over all seeds of all evaluations, which must
/// hold the methods "direct" and "vgcc".
[[nodiscard]] report::Section CoverageSection(std::span<const study::Evaluation> evaluations);

/// Retrieval from an archive (Appendix B): the harder targets first, then any other families. Every
/// evaluation must hold the methods "direct", which is its first one, "vgcc" and "vgsr".
[[nodiscard]] report::Section RetrievalSection(std::span<const study::Evaluation> evaluations);

/// Section 4.4 (Table "objective-audit"): the methods by time, the sampling MPC on the first three
/// seeds, and every method against the fixed scales at its own completion time.
[[nodiscard]] report::Section FrontierSection(const study::Evaluation& evaluation);

/// Stage 1 of Section 4.6: the best scale for all episodes against the best scale of each.
[[nodiscard]] report::Section ScaleOracleSection(const study::Evaluation& evaluation);

/// Figure "example": the start that shows a rescue best, under VGCC and under direct control. Runs
/// the two episodes again.
[[nodiscard]] Result<report::Section> RescueExampleSection(const study::EvaluationScene& at,
                                                           const study::Evaluation& evaluation);

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
