// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"
#include "gonogo/study/evaluate/evaluate.h"
#include "gonogo/study/site.h"

namespace gonogo::study {

/// A robot to evaluate on.
struct EvaluationSite {
  Site site;
  std::filesystem::path models;  ///< where `gonogo identify` wrote
};

/// One comparison of a run: on which of the sites, what, and who, the reference first.
struct EvaluationBlock {
  std::size_t site = 0;
  EvaluationPlan plan;
  std::vector<std::string> methods;

  [[nodiscard]] std::size_t episodes(const EvaluationSite& at) const;
};

/// Runs all blocks. Finished episodes are kept in `folder`, one log per robot, and never run again.
/// Every method is opened before the first episode, so that a wrong name costs no time.
[[nodiscard]] Result<std::vector<Evaluation>> RunBlocks(std::span<const EvaluationSite> sites,
                                                        std::span<const EvaluationBlock> blocks,
                                                        const std::vector<std::string>& settings,
                                                        const std::filesystem::path& folder,
                                                        const Execution& execution);

}  // namespace gonogo::study
