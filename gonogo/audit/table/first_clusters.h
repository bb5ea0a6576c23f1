// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "gonogo/audit/table/outcome_table.h"

namespace gonogo::audit {

/// The table as it was when it had only its first `clusters` clusters; that many at most.
[[nodiscard]] OutcomeTable FirstClusters(OutcomeTable table, std::size_t clusters);

/// The columns of these queries alone, in this order; who calls says which clusters they are in.
void KeepQueries(std::span<const std::size_t> queries, OutcomeTable& table);

}  // namespace gonogo::audit
