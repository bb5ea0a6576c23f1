// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"
#include "gonogo/paper/setting/reproduction_setting.h"
#include "gonogo/report/page/page.h"

namespace gonogo::paper {

/// The learner-level positive control through the complete procedure: the paper's answer is GO.
[[nodiscard]] Result<std::vector<report::Section>> RunPositiveControl(
    const ReproductionSetting& setting, const Execution& execution);

}  // namespace gonogo::paper
