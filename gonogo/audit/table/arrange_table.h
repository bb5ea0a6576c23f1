// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// Makes a table of outcomes that are in memory in any order: `loose` has its queries as they came,
/// with `cluster_of[query]` for each, and its actions as they came; `clusters` and `cluster_begin`
/// of it are not looked at. Queries and actions are put where a reader of files puts them (the
/// reference first, clusters and queries by name; queries without names are numbered as they came),
/// and what a reader refuses is refused. Messages name array, row and action as in `loose`, and
/// begin with `name`.
[[nodiscard]] Result<OutcomeTable> ArrangeTable(OutcomeTable loose,
                                                std::span<const std::string> cluster_of,
                                                const Protocol& protocol,
                                                std::string_view name = "table");

/// The same for a table that was made without this protocol or with another one: other declared
/// actions, another reference.
[[nodiscard]] Result<OutcomeTable> ArrangeTable(OutcomeTable table, const Protocol& protocol,
                                                std::string_view name = "table");

}  // namespace gonogo::audit
