// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "gonogo/report/page/page.h"
#include "gonogo/study/evaluate/evaluate.h"

namespace gonogo::paper {

/// Retrieval from an archive (Appendix B): the harder targets first, then any other families. Every
/// evaluation must hold the methods "direct", which is its first one, "vgcc" and "vgsr".
[[nodiscard]] report::Section RetrievalSection(std::span<const study::Evaluation> evaluations);

}  // namespace gonogo::paper
