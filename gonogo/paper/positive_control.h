// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/paper/reproduction.h"

namespace gonogo::paper {

/// The learner-level positive control through the complete procedure: the paper's answer is GO.
[[nodiscard]] Result<std::vector<report::Section>> RunPositiveControl(
    const ReproductionSetting& setting, const RunControl& control);

}  // namespace gonogo::paper
