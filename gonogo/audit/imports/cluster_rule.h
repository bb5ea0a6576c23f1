// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo::audit {

/// Which queries belong together, told from their names, and what a cluster is, in words.
struct Clustering {
  std::vector<std::string> clusters;  ///< one per query
  std::string unit;
};

/// Rules: `directory` (the name up to its last slash), `before:TEXT` (up to the first TEXT),
/// `regex:EXPRESSION` (its first group, or the whole match), `file:PATH` (a CSV with columns query
/// and cluster), `blocks:N` (N blocks of queries dealt at random, always the same: for queries of
/// clusters that are known already), `each` (every query its own). Refuses other rules, and names a
/// query that a rule does not fit.
[[nodiscard]] Result<Clustering> ClusterQueries(std::string_view rule,
                                                const std::vector<std::string>& queries);

}  // namespace gonogo::audit
