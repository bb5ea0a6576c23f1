// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/parallel/team.h"
#include "gonogo/base/result.h"

namespace gonogo {

/// Does the units on all ranks of `execution.team` or, where there is none, on `at_once` threads of
/// this process: the results and what is kept are the same. Units that are kept are not done again.
/// After the first failure no unit is begun; the error is that of the first unit that failed. What
/// was finished before an interruption has been kept.
[[nodiscard]] Result<std::vector<std::string>> RunUnits(const TeamWork& work,
                                                        const Execution& execution);

}  // namespace gonogo
