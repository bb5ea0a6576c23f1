// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/report/page/page.h"
#include "gonogo/study/evaluate/evaluate.h"

namespace gonogo::paper {

/// Section 4.4 (Table "objective-audit"): the methods by time, the sampling MPC on the first three
/// seeds, and every method against the fixed scales at its own completion time.
[[nodiscard]] report::Section FrontierSection(const study::Evaluation& evaluation);

/// Stage 1 of Section 4.6: the best scale for all episodes against the best scale of each.
[[nodiscard]] report::Section ScaleOracleSection(const study::Evaluation& evaluation);

}  // namespace gonogo::paper
