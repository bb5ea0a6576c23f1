// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/report/page/page.h"

namespace gonogo::paper {

/// Where a section shows something.
struct SectionPlace {
  int table = 1;                      ///< of the section, counted from 1
  std::vector<std::string> row = {};  ///< its first cells, with or without what follows in brackets
  std::string column = {};            ///< its title; of equal ones the first, which is ours
};

/// The text of a cell; empty when there is none.
[[nodiscard]] std::string CellText(const report::Section& section, const SectionPlace& place);

/// The first paragraph that contains a text; empty when there is none.
[[nodiscard]] std::string ParagraphText(const report::Section& section, const std::string& part);

}  // namespace gonogo::paper
