// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "gonogo/base/result.h"
#include "gonogo/paper/setting/reproduction_setting.h"
#include "gonogo/report/page/page.h"

/// \file
/// Robots of the paper beside the one that is reproduced: folders next to its own.
namespace gonogo::paper {

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
