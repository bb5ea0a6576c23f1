// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>

#include "gonogo/audit/protocol/protocol.h"
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
  Channel improvement = Channel::kUnresolved;  ///< H_total > 0; never refutes on its own
};

/// What a rule knows about one quantity, and the bound each direction of a decision uses. By
/// default nothing, which leaves the channel of a gain unresolved.
struct ChannelBounds {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  double point = 0.0;
  /// GO needs the lower end of a gain above its threshold, the upper end of a rate at or below it.
  stats::Interval interval = {-kInfinity, kInfinity};
  double refuting = kInfinity;  ///< NO-GO needs it below the threshold (gain) or above (rate)
};

/// The quantities of a decision as a rule bounds them. They depend on the data and on kappa, which
/// chooses the fixed reference, but not on the other thresholds.
struct RuleBounds {
  ChannelBounds deployment;      ///< H_dep
  ChannelBounds allocation;      ///< H_alloc
  ChannelBounds violation;       ///< q
  ChannelBounds total;           ///< H_total
  bool total_must_gain = false;  ///< GO also needs H_total above 0; it never refutes on its own
};

/// A gain or a rate that is refuted by the other end of the interval that can satisfy it. Where the
/// point comes from elsewhere than the interval and lies outside, the interval is widened to it.
[[nodiscard]] ChannelBounds GainBounds(double point, const stats::Interval& interval);
[[nodiscard]] ChannelBounds RateBounds(double point, const stats::Interval& interval);

/// Where a gain lies relative to its smallest useful value.
[[nodiscard]] Channel ReadGain(const ChannelBounds& gain, double threshold);
/// Where a rate lies relative to its largest tolerable value.
[[nodiscard]] Channel ReadRate(const ChannelBounds& rate, double kappa);

/// GO when every channel is satisfied, NO-GO when one is refuted, ABSTAIN otherwise. What any rule
/// makes of its bounds.
[[nodiscard]] Decision Decide(const RuleBounds& bounds, const Thresholds& thresholds);

/// The same with plain intervals. GO: L_D > delta_dep and L_A > delta_alloc and U_q <= kappa.
/// NO-GO: U_D < delta_dep or U_A < delta_alloc or L_q > kappa. ABSTAIN otherwise; equality
/// abstains.
[[nodiscard]] Decision Decide(const Evidence& evidence, const Thresholds& thresholds);

/// "GO", "NO-GO" or "ABSTAIN".
[[nodiscard]] std::string_view Name(Verdict verdict);
/// "satisfied", "refuted" or "unresolved".
[[nodiscard]] std::string_view Name(Channel channel);

/// Whether more clusters alone could move a bound over its threshold (docs/concepts/audit.md, 11).
enum class ResolutionStatus {
  kSatisfied,         ///< the bound is already on the GO side
  kNeeded,            ///< `clusters` would do, if the point estimate stayed where it is
  kPointNotOnGoSide,  ///< narrowing an interval around this point can never satisfy the channel
  kPointOnBoundary,   ///< no margin: no finite number of clusters
};

struct Resolution {
  ResolutionStatus status = ResolutionStatus::kPointNotOnGoSide;
  std::optional<std::size_t> clusters = {};  ///< for kSatisfied the present number
};

/// ceil(N (w / m)^2): the cluster count at which the limiting bound of a gain (its lower one)
/// reaches `threshold`, with w = |bound - point| and m = |point - threshold|. A planning
/// approximation that puts the bound on the threshold on average: a 50 % power figure.
[[nodiscard]] Resolution ResolveGain(double point, double lower, double threshold,
                                     std::size_t clusters);
/// The same for the upper bound of a violation rate.
[[nodiscard]] Resolution ResolveRate(double point, double upper, double threshold,
                                     std::size_t clusters);

/// "already satisfied", "needed", "point not on the GO side" or "point on the boundary".
[[nodiscard]] std::string_view Name(ResolutionStatus status);

/// One-sided error of a bound that GO rests on: all channels have to hold, so each may use it all.
[[nodiscard]] double SatisfyingAlpha(double level);

/// The same for NO-GO, for which any of three channels is enough: a third each.
[[nodiscard]] double RefutingAlpha(double level);

/// Quantiles of Student's t that turn a standard error over `clusters` into bounds; zero with fewer
/// than two clusters.
struct BoundWidths {
  double go = 0.0;
  double refute = 0.0;
};
[[nodiscard]] BoundWidths StudentWidths(std::size_t clusters, double level);

}  // namespace gonogo::audit
