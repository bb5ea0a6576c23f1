// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "gonogo/audit/estimands/estimands.h"
#include "gonogo/audit/rules/calibrated/gain.h"

namespace gonogo::audit {

/// Terms of 1 - W(pi) / W(a), where `reference[b]` is the fixed action a of replicate b.
/// `adapter_cost` is charged to the selector at every query, to nobody else.
[[nodiscard]] GainTerms FixedActionTerms(const OutcomeTotals& totals, std::span<const Refit> refits,
                                         std::span<const ActionIndex> reference,
                                         double adapter_cost);

/// Terms whose ratio of sums is the violation rate: violations over queries.
[[nodiscard]] GainTerms ViolationTerms(const OutcomeTotals& totals, std::span<const Refit> refits);

/// The folds as one replicate that holds every cluster out, so that a mixture borrows from all.
[[nodiscard]] std::vector<Refit> JoinFolds(std::span<const Refit> folds, std::size_t clusters);

/// Allocation split by where it happens; total = within + between for every replicate.
struct AllocationTerms {
  GainTerms total;
  GainTerms within;   ///< matching queries to actions inside a cluster
  GainTerms between;  ///< matching clusters to actions
};

/// Terms of 1 - W(pi) / W(mixture). The mixture's frequencies in one held-out cluster come from
/// the *other* held-out clusters of the same replicate and its costs from this one, so that it
/// neither deletes allocation between clusters nor matches a cluster to itself: unbiased for the
/// population mixture of that selector. Replicates with a single held-out cluster take no part.
/// The part within clusters carries m / (m - 1) per cluster of m queries (Imai and Li;
/// docs/concepts/intervals.md).
[[nodiscard]] AllocationTerms MixtureTerms(const OutcomeTotals& totals,
                                           std::span<const Refit> refits, double adapter_cost);

}  // namespace gonogo::audit
