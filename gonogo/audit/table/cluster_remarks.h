// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/audit/table/outcome_table.h"

namespace gonogo::audit {

/// Warnings about clusters that look as if somebody numbered rows instead of naming independent
/// units: one query in every cluster, or names that are row numbers or the queries' own names.
/// Resampling such clusters treats related queries as independent, and intervals get too narrow.
[[nodiscard]] std::vector<std::string> ClusterRemarks(const OutcomeTable& table);

}  // namespace gonogo::audit
