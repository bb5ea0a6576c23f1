// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "gonogo/calibrate/simulate/simulated_audit.h"

namespace gonogo::calibrate {

/// The rules that spend their error over interim analyses ("looks" for users).
inline constexpr std::array kSpendingRules = {RuleUnderTest::kCalibrated,
                                              RuleUnderTest::kLeavePairOut};

/// How one series of interim analyses ended.
struct SeriesEnd {
  audit::Verdict verdict = audit::Verdict::kAbstain;
  std::size_t look = 0;  ///< which one it was, from 0
  bool futile = false;   ///< nothing was decided, and no later one was likely to say GO
  Truth truth = {};      ///< of the adapter that would ship then; only where something was decided

  bool operator==(const SeriesEnd&) const = default;
};

/// One simulated series, by rule.
struct Series {
  using Readings = std::array<RuleOutcome, kSpendingRules.size()>;

  std::array<SeriesEnd, kSpendingRules.size()> end = {};
  /// What every analysis read; of a rule that had ended before, nothing. Not kept in records.
  std::vector<Readings> read = {};
};

/// Draws a data set of as many clusters as the last of `rule.looks_at` has and audits the first of
/// them at every one, at the level that it may spend, until GO, NO-GO, futility or the last: each
/// rule on its own, as an audit that goes on until it can decide. With `pairs_only` the calibrated
/// rule is left out.
[[nodiscard]] Result<Series> RunSeries(const SyntheticWorld& world, const FreshQueries& fresh,
                                       const SimulationOptions& options, bool pairs_only,
                                       const RngStream& data);

}  // namespace gonogo::calibrate
