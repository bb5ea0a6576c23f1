// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "gonogo/report/page/page.h"
#include "gonogo/study/evaluate/evaluate.h"

namespace gonogo::paper {

/// Section 4.5, Table "coverage", and the sign test over all seeds of all evaluations, which must
/// hold the methods "direct" and "vgcc".
[[nodiscard]] report::Section CoverageSection(std::span<const study::Evaluation> evaluations);

}  // namespace gonogo::paper
