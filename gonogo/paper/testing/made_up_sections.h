// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/report/page/page.h"

/// For tests: every section of the reproduction from made-up results.
namespace gonogo::paper {

/// All that `gonogo reproduce` and `gonogo train --score` can show beside the paper, in its order,
/// from results that have every row the paper has. The numbers mean nothing and never change.
[[nodiscard]] std::vector<report::Section> MadeUpSections();

/// The texts of the row of the section's table number `table` (from 1) that begins with `names`;
/// with plain spaces before per cent signs, as one types them. Empty when there is none.
[[nodiscard]] std::vector<std::string> RowOf(const report::Section& section, int table,
                                             const std::vector<std::string>& names);

}  // namespace gonogo::paper
