// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// How much of the outcomes a table has to hold.
enum class TableScope {
  kWhole,  ///< at least two clusters: something that can be audited
  kPart,   ///< at least one
};

/// Refuses a table that is not what `OutcomeTable` promises: lengths, offsets, names, costs, times,
/// flags, choices and features. Readers end with it and audits begin with it, so that whoever fills
/// a table in code gets a message instead of an answer about something else. Linear in the size of
/// the table, without a copy. `name` stands for the table in messages.
[[nodiscard]] Status CheckTable(const OutcomeTable& table, TableScope scope = TableScope::kWhole,
                                std::string_view name = "table");

/// The same for a table that is still being made: the one way to have one that is known to be
/// sound.
[[nodiscard]] Result<OutcomeTable> MakeTable(OutcomeTable parts,
                                             TableScope scope = TableScope::kWhole,
                                             std::string_view name = "table");

}  // namespace gonogo::audit
