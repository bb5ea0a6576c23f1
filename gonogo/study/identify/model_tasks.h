// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/parallel/team.h"
#include "gonogo/response/models/model_file.h"

namespace gonogo::study {

/// A model that may have to be trained.
struct ModelTask {
  std::string file;  ///< stem in the folder
  std::function<bool()> is_kept;
  std::function<Result<response::ModelBytes>(const Execution&)> train;
};

/// Trains the models that are not kept in `folder`, one rank one model, its members on the threads
/// of that rank. Afterwards all are kept and every rank can read them.
[[nodiscard]] Status TrainOnTeam(const std::vector<ModelTask>& tasks, const Identity& identity,
                                 const std::filesystem::path& folder, const Execution& execution);

}  // namespace gonogo::study
