// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/base/result.h"
#include "gonogo/report/page/page.h"
#include "gonogo/study/evaluate/evaluate.h"

namespace gonogo::paper {

/// Figure "example": the start that shows a rescue best, under VGCC and under direct control. Runs
/// the two episodes again.
[[nodiscard]] Result<report::Section> RescueExampleSection(const study::EvaluationSite& at,
                                                           const study::Evaluation& evaluation);

}  // namespace gonogo::paper
