// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/rng.h"

namespace gonogo::audit {

/// A synthetic domain in which an adapter is worth it: the sign of the observed lateral target
/// tells which of two candidates saves work (docs/concepts/audit.md, controls).
struct PositiveControlOptions {
  std::size_t clusters = 20;
  std::size_t queries_per_cluster = 48;
  double benefit = 0.20;      ///< saved by the favoured candidate; the other one saves nothing
  double work_noise = 0.02;   ///< relative, standard deviation
  double time_spread = 0.05;  ///< candidate times lie within +- this of direct
};

/// Actions direct, left, right; groups "obs" (12 uninformative features) and "target" (x, y). All
/// branches succeed. The audit must answer GO here, through the complete procedure.
[[nodiscard]] OutcomeTable MakePositiveControl(const PositiveControlOptions& options,
                                               const RngStream& stream);

/// What is declared for it when nobody says otherwise.
[[nodiscard]] Protocol PositiveControlProtocol();

/// The domain of the protocol's seed, with the protocol declared before its outcomes were drawn.
[[nodiscard]] OutcomeTable DeclaredPositiveControl(const Protocol& protocol);

}  // namespace gonogo::audit
