// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gonogo/cli/terminal/terminal.h"
#include "gonogo/report/page/page.h"
#include "gonogo/study/check/check.h"

/// What `gonogo check` found, for a terminal and as a page: the same tables.
namespace gonogo::cli {

/// Verdict, findings and every measurement.
[[nodiscard]] std::string CheckText(const robot::RobotSpec& robot, const study::CheckReport& report,
                                    const Terminal& terminal);
[[nodiscard]] report::Page CheckPage(const robot::RobotSpec& robot,
                                     const study::CheckReport& report);

}  // namespace gonogo::cli
