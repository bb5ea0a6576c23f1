// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/report/page/page.h"
#include "gonogo/study/evaluate/evaluate.h"

namespace gonogo::cli {

/// What a terminal shows of an evaluation.
struct EvaluationText {
  std::string tables;
  std::string json;
};

/// Writes what an evaluation found: report.html, tables.md, episodes.csv, evaluation.json and, when
/// a controller rescued itself, rescue.html.
struct EvaluationReport {
  std::string study;  ///< empty: a comparison made of flags
  std::string terrain;
  std::string terrain_seed = "1";  ///< or "each"
  std::string conditions = {};
  sim::WorkRate work_rate = sim::WorkRate::kPhysics;  ///< of the evaluations it is given
  std::vector<std::string> settings;
  std::filesystem::path folder;
  std::size_t width = 100;  ///< of the terminal that the tables are for

  /// `presented` is what the study shows; the page adds all numbers after it. Without a study the
  /// terminal shows the numbers instead.
  [[nodiscard]] Result<EvaluationText> Write(const std::vector<study::EvaluationScene>& scenes,
                                             const std::vector<study::Evaluation>& evaluations,
                                             std::vector<report::Section> presented) const;

 private:
  [[nodiscard]] std::vector<study::Evaluation> AtPhysicsRate(
      const std::vector<study::Evaluation>& evaluations) const;
  [[nodiscard]] Result<report::Section> Rescue(const study::EvaluationScene& at,
                                               const study::Evaluation& evaluation) const;
  [[nodiscard]] nlohmann::json Json(const std::vector<study::EvaluationScene>& scenes,
                                    const std::vector<study::Evaluation>& evaluations) const;
};

}  // namespace gonogo::cli
