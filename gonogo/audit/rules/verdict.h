// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "gonogo/audit/protocol/thresholds.h"
#include "gonogo/stats/interval.h"

namespace gonogo::audit {

/// The three answers; none of them is an error.
enum class Verdict { kGo, kNoGo, kAbstain };

/// The intervals a decision rests on.
struct Evidence {
  stats::Interval deployment;  ///< [L_D, U_D]
  stats::Interval allocation;  ///< [L_A, U_A]
  stats::Interval violation;   ///< [L_q, U_q]
};

/// Where one interval lies relative to its threshold.
enum class Channel {
  kSatisfied,   ///< the whole interval is on the GO side
  kRefuted,     ///< the whole interval is on the NO-GO side: enough for NO-GO
  kUnresolved,  ///< the threshold lies inside (or on the wrong end of) the interval
};

/// A verdict with the part each channel had in it (docs/concepts/audit.md, 10).
struct Decision {
  Verdict verdict = Verdict::kAbstain;
  Channel deployment = Channel::kUnresolved;
  Channel allocation = Channel::kUnresolved;
  Channel violation = Channel::kUnresolved;
};

/// GO: L_D > delta_dep and L_A > delta_alloc and U_q <= kappa. NO-GO: U_D < delta_dep or
/// U_A < delta_alloc or L_q > kappa. ABSTAIN otherwise; equality abstains.
[[nodiscard]] Decision Decide(const Evidence& evidence, const Thresholds& thresholds);

/// "GO", "NO-GO" or "ABSTAIN".
[[nodiscard]] std::string_view Name(Verdict verdict);
/// "satisfied", "refuted" or "unresolved".
[[nodiscard]] std::string_view Name(Channel channel);

}  // namespace gonogo::audit
