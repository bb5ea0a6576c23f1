// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/report/page/page.h"
#include "gonogo/study/evaluate/evaluate.h"

/// \file
/// VGCC against direct control: Section 4.3 and the per-target table of Appendix B. Every
/// evaluation must hold the methods "direct" and "vgcc".
namespace gonogo::paper {

/// Running cost on the harder targets, with the differences by seed.
[[nodiscard]] report::Section HarderSection(const study::Evaluation& evaluation);

/// Table "physical-energy".
[[nodiscard]] report::Section TorqueSection(const study::Evaluation& evaluation);

/// Table "pertarget", ordered by our reduction of effort.
[[nodiscard]] report::Section PerTargetSection(const study::Evaluation& evaluation);

}  // namespace gonogo::paper
