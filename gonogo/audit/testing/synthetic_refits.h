// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "gonogo/audit/refit/refit.h"

namespace gonogo::audit::internal {

/// For tests: an outcome table with random costs, and refits whose "learner" is any function.
struct SyntheticAudit {
  OutcomeTable table;
  PotentialOutcomes outcomes;
  std::vector<Refit> folds;
  std::vector<Refit> replicates;
};

/// The action a selector trained on the clusters with these multiplicities takes at a query.
using SyntheticSelector =
    std::function<ActionIndex(const std::vector<std::uint32_t>& multiplicity, std::size_t query)>;

struct SyntheticSizes {
  std::size_t clusters = 8;
  std::size_t actions = 3;
  std::size_t queries = 6;  ///< of the first cluster; each further one has `growth` more
  std::size_t growth = 0;
  std::size_t replicates = 50;
};

/// Lognormal costs whose clusters differ; every action is eligible with probability 0.95.
[[nodiscard]] OutcomeTable MakeSyntheticTable(const SyntheticSizes& sizes, std::uint64_t seed);

/// Fills folds and replicates from the table that is there already.
void RunSyntheticRefits(const SyntheticSelector& selector, std::size_t replicates,
                        std::uint64_t seed, SyntheticAudit& audit);

}  // namespace gonogo::audit::internal
