// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/report/page/page.h"
#include "gonogo/study/evaluate/evaluate.h"

namespace gonogo::paper {

/// A comparison of the paper by name: what to run, at the paper's sample size, and how to show it.
struct EvaluationStudy {
  std::string name;
  std::string summary;  ///< one line for help
  bool many_robots = false;
  /// What to run on that many robots; those after the first only if `many_robots`.
  std::function<std::vector<study::EvaluationBlock>(std::size_t robots)> blocks;
  /// The paper's tables with theirs beside ours, from the evaluations of the blocks.
  std::function<std::vector<report::Section>(std::span<const study::Evaluation>)> present;
};

/// frontier, harder, per-target, torque, coverage, ablation, objective, retrieval.
[[nodiscard]] const std::vector<EvaluationStudy>& EvaluationStudies();

/// The study of that name, or an error with a hint.
[[nodiscard]] Result<EvaluationStudy> FindEvaluationStudy(const std::string& name);

}  // namespace gonogo::paper
