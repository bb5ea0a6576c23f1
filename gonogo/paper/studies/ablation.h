// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/report/page/page.h"
#include "gonogo/study/evaluate/evaluate.h"

/// \file
/// What the parts of VGCC are good for (Section 4.5, Appendix B). The first method of an evaluation
/// must be "direct".
namespace gonogo::paper {

/// Table "vgcc-ablation".
[[nodiscard]] report::Section AblationSection(const study::Evaluation& evaluation);

/// Ranking by cost per progress instead of cost.
[[nodiscard]] report::Section ObjectiveSection(const study::Evaluation& evaluation);

}  // namespace gonogo::paper
