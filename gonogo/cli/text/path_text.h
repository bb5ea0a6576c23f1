// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/audit/result/look_reading.h"
#include "gonogo/cli/terminal/terminal.h"

namespace gonogo::cli {

/// The looks so far, one line each: the bound that a GO waits for in every channel, against its
/// threshold. Empty where no look was taken.
[[nodiscard]] std::string PathText(const std::vector<audit::LookReading>& path,
                                   const Terminal& terminal);

/// One look in a line, for whoever watches: "look 1 of 4, 20 clusters: H_dep 0.41 % (needs > 1.00
/// %), …; reads ABSTAIN; …".
[[nodiscard]] std::string LookLine(const audit::LookReading& look);

}  // namespace gonogo::cli
