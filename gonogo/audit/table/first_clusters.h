// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/audit/table/outcome_table.h"

namespace gonogo::audit {

/// The table as it was when it had only its first `clusters` clusters; that many at most.
[[nodiscard]] OutcomeTable FirstClusters(OutcomeTable table, std::size_t clusters);

}  // namespace gonogo::audit
