// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "gonogo/sim/episode/target_run.h"
#include "gonogo/study/site.h"

namespace gonogo::paper {

/// With what the paper is regenerated, and where the work is kept.
struct ReproductionSetting {
  std::filesystem::path robot;   ///< the folder that stands for the paper's Go2
  std::filesystem::path models;  ///< identified models; "identification" makes them
  std::filesystem::path folder;  ///< collections, episodes and refits, so that a run can go on
  /// Folders of the paper's other robots by name ("h1"); those not named lie beside the first.
  std::map<std::string, std::filesystem::path> others = {};
  study::Surroundings surroundings = {};
  /// Of every work, power and effort. The paper's were most likely read once per control step.
  sim::WorkRate work_rate = sim::WorkRate::kControl;
};

}  // namespace gonogo::paper
