// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"

namespace gonogo::audit {

/// The actions of a protocol and how likely each is at a query.
struct TryPlan {
  std::vector<std::string> actions;  ///< the reference first
  std::vector<double> probability;   ///< sums to 1
};

/// As declared (`logging.propensity`), or all actions alike. Refuses a protocol without actions.
[[nodiscard]] Result<TryPlan> PlanTries(const Protocol& protocol);

/// What to try at `queries` queries of one cluster, one after another, in blocks of `block`. Within
/// a block every action comes as often as its probability says, up to one, in random order; still
/// each query has each action with exactly its probability, over all draws.
[[nodiscard]] std::vector<ActionIndex> AssignTries(std::span<const double> probability,
                                                   std::size_t queries, std::size_t block,
                                                   const RngStream& stream);

}  // namespace gonogo::audit
