// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gonogo/audit/refit/refit.h"

namespace gonogo::audit {

/// `SelectFixedAction`, but leaves direct only for an action whose summed gain over the training
/// clusters exceeds one cluster standard error of that gain: a near-tie stays with direct instead
/// of following noise (docs/concepts/intervals.md).
[[nodiscard]] ActionIndex SelectStableAction(const OutcomeTotals& totals,
                                             std::span<const std::uint32_t> multiplicity,
                                             double kappa);

/// How firmly the data choose the fixed reference.
struct ReferenceStability {
  std::vector<ActionIndex> per_replicate;
  ActionIndex shipped = kDirect;  ///< chosen by all clusters: what the adapter would replace
  ActionIndex modal = kDirect;
  double modal_share = 1.0;
  std::vector<double> share;            ///< of the replicates, by action
  std::vector<ActionIndex> contenders;  ///< actions with at least the contending share, ascending

  [[nodiscard]] bool stable(double required_share) const { return modal_share >= required_share; }
};

/// The stable action of every replicate's training clusters (of all clusters when a replicate was
/// trained on none: choices that were given, not fitted).
[[nodiscard]] ReferenceStability SelectReferences(const OutcomeTotals& totals,
                                                  std::span<const Refit> refits, double kappa,
                                                  double contending_share);

}  // namespace gonogo::audit
