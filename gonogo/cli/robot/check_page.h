// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/report/page/page.h"
#include "gonogo/study/check/check.h"

namespace gonogo::cli {

/// What a check found, with a picture of what the robot was told and did.
[[nodiscard]] report::Page CheckPage(const robot::RobotSpec& robot,
                                     const study::CheckReport& report);

}  // namespace gonogo::cli
