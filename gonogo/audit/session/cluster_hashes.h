// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "gonogo/audit/table/outcome_table.h"

namespace gonogo::audit {

/// What is known of each cluster, as a hash by its name: actions, queries, outcomes, features.
/// The same for a CSV table and its HDF5 form, and whatever the order of rows.
[[nodiscard]] std::map<std::string, std::string> ClusterHashes(const OutcomeTable& table);

}  // namespace gonogo::audit
