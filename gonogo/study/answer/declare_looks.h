// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/base/result.h"

namespace gonogo::study {

/// How many times the clusters of the first look a study until decided may collect, where nobody
/// says otherwise.
inline constexpr std::size_t kMostTimesFirst = 8;

/// The protocol that a study until decided declares before its first branch. Looks that are
/// declared (`rule.looks_at`) stay; else they are taken at as many clusters as there are seeds, or
/// `min_clusters` if that is more, and then at twice as many each time, until `max_clusters`. Seeds
/// that are missing for the last look are the numbers after the largest one declared. Refuses what
/// has no looks: the paper's rule, and the question about known clusters.
[[nodiscard]] Result<audit::Protocol> DeclareLooks(const audit::Protocol& protocol,
                                                   std::optional<std::size_t> max_clusters);

/// The declared looks that do not need more clusters than `max_clusters`; an error when none is
/// left.
[[nodiscard]] Result<std::vector<std::size_t>> LooksToTake(const audit::Protocol& protocol,
                                                           std::optional<std::size_t> max_clusters);

}  // namespace gonogo::study
