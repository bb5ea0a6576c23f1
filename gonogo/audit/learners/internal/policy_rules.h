// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/audit/learners/internal/binned_features.h"
#include "gonogo/audit/learners/internal/policy_search.h"

namespace gonogo::audit::internal {

/// Takes out questions whose answers do the same.
void Prune(PolicyTree& tree, std::uint32_t node = 0);

/// What the tree does, one rule a line: the conditions from the root to a leaf and its action.
[[nodiscard]] std::vector<std::string> RulesOf(const PolicyTree& tree,
                                               const BinnedFeatures& features,
                                               const FeatureColumns& columns,
                                               const std::vector<std::string>& actions);

}  // namespace gonogo::audit::internal
