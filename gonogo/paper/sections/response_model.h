// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/report/page/page.h"
#include "gonogo/study/identify/identify.h"

namespace gonogo::paper {

/// How well f_phi predicts held-out episodes, beside Table 1 and Section 4.2 of the paper: accuracy
/// per output, world-frame labels, less data, filtered data. The paper printed Go2 alone: other
/// robots get our numbers only.
[[nodiscard]] report::Section ResponseModelSection(const study::IdentifyResult& result);

/// The models of the sampling MPC, beside Appendix A: open-loop errors of the macro-transition
/// ensemble and accuracy of the task-value network. Needs `result.macro` and `result.value`.
[[nodiscard]] report::Section PlannerModelSection(const study::IdentifyResult& result);

}  // namespace gonogo::paper
