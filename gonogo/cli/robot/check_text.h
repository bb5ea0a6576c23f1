// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gonogo/cli/terminal/terminal.h"
#include "gonogo/study/check/check.h"

namespace gonogo::cli {

/// The whole answer of `gonogo check`: verdict, findings, and tables of what was measured.
[[nodiscard]] std::string CheckText(const robot::RobotSpec& robot, const study::CheckReport& report,
                                    const Terminal& terminal);

}  // namespace gonogo::cli
