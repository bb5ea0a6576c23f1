// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gonogo/report/page/page.h"

namespace gonogo::report {

/// Sections with the same id become one, at the place of the first: rows of tables that have the
/// same caption and columns stand under each other, repeated paragraphs appear once, everything
/// else is kept in order, paragraphs before tables and pictures.
[[nodiscard]] std::vector<Section> MergeSections(const std::vector<Section>& sections);

}  // namespace gonogo::report
