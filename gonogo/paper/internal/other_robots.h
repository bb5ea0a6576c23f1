// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gonogo/paper/reproduction.h"

/// \file
/// Robots of the paper beside the one that is reproduced: folders next to its own.
namespace gonogo::paper::internal {

/// The same reproduction on another robot: "robots/h1" beside "robots/go2", with its own models.
[[nodiscard]] ReproductionSetting OnOtherRobot(const ReproductionSetting& setting,
                                               const std::string& name);

/// Whether it can walk: without a policy it is left out.
[[nodiscard]] bool HasPolicy(const ReproductionSetting& setting);

/// The one line that says so.
[[nodiscard]] report::Paragraph LeftOut(const ReproductionSetting& setting);

}  // namespace gonogo::paper::internal
