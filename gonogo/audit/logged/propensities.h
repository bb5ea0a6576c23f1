// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// Where the probabilities come from with which actions were tried.
enum class PropensitySource { kColumn, kDeclared, kEstimated };
/// "column", "declared" or "estimated".
[[nodiscard]] std::string_view Name(PropensitySource source);

/// The probability with which each query's action was tried.
struct Propensities {
  PropensitySource source = PropensitySource::kColumn;
  std::vector<double> of_tried;  ///< one per query
};

/// The declared constants in the order of `actions`. Refuses what is no distribution over them.
[[nodiscard]] Result<std::vector<double>> DeclaredPropensities(
    const std::vector<std::string>& actions, const Protocol& protocol);

/// Takes them from the log's column or from the declared constants, or estimates them where that is
/// declared. Refuses a log without any of these, one with two of them, and constants that are no
/// distribution over the actions. Estimates are cross-fitted over the folds of clusters; a log in
/// which the features say what is tried is refused, because nothing can be compared there.
[[nodiscard]] Result<Propensities> FindPropensities(const OutcomeTable& log,
                                                    const Protocol& protocol,
                                                    std::span<const std::size_t> fold_of_cluster,
                                                    const Execution& execution);

}  // namespace gonogo::audit
