// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "gonogo/audit/protocol/protocol.h"

namespace gonogo::audit {

/// What is audited, as far as it matters for which rule can decide.
struct Circumstances {
  std::size_t clusters = 0;  ///< or blocks, where the question is about known clusters
  bool of_log = false;       ///< one action was tried at each query
  bool of_values = false;    ///< rewards are gained, or successes count beside the cost
  bool given = false;        ///< choices were given, not fitted
};

/// With fewer clusters a bootstrap refit sees about as many different ones as a fit without a pair,
/// and the leave-pair-out rule has no learning curve between the two to read off.
inline constexpr std::size_t kFewestForPairs = 12;

/// Why the calibrated rule stands in for the leave-pair-out one, as a sentence; empty where the
/// latter can decide, and where it is not declared.
[[nodiscard]] std::string WhyNotPairs(const Protocol& protocol, const Circumstances& circumstances);

/// Which rule decides: the declared one, apart from that. The only place that knows; the same as a
/// table stands in docs/concepts/intervals.md.
[[nodiscard]] DecisionRule DecidingRule(const Protocol& protocol,
                                        const Circumstances& circumstances);

}  // namespace gonogo::audit
