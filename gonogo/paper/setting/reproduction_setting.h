// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "gonogo/base/result.h"
#include "gonogo/report/page/page.h"
#include "gonogo/sim/episode/target_run.h"
#include "gonogo/study/scene.h"

/// \file
/// Robots of the paper beside the one that is reproduced: folders next to its own.
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

/// The same reproduction on another robot: "robots/h1" beside "robots/go2", with its own models.
[[nodiscard]] ReproductionSetting OnOtherRobot(const ReproductionSetting& setting,
                                               const std::string& name);

/// Takes a folder for the robot of the paper that its robot.toml says it stands for; an error if
/// that is none of them.
[[nodiscard]] Status PlaceRobot(const std::filesystem::path& folder, ReproductionSetting& setting);

/// Whether it can walk: without a policy it is left out.
[[nodiscard]] bool HasPolicy(const ReproductionSetting& setting);

/// The one line that says so.
[[nodiscard]] report::Paragraph LeftOut(const ReproductionSetting& setting);

}  // namespace gonogo::paper
