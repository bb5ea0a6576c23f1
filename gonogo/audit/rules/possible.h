// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/audit/estimands/potential_outcomes.h"
#include "gonogo/stats/interval.h"

/// What every interval keeps to, whatever rule made it: its estimate lies inside, and its ends are
/// values that the quantity can have. What is zero up to rounding is zero.
namespace gonogo::audit {

/// How far a gain may lie from its estimate because of queries like none that was seen: with error
/// `alpha` a share 1 - alpha^(1/n) of new queries may be ones at which an adapter that was never
/// seen to act does act, and each of them moves the gain by what actions differ in
/// (`OutcomeTotals::spread`). An interval without length would say that never seen is never.
[[nodiscard]] double UnseenGain(const OutcomeTotals& totals, double alpha);

/// For relative gains: nothing saves more than everything, as long as no cost is below zero, and no
/// end is nearer to the estimate than `UnseenGain`.
class GainLimits {
 public:
  /// `level` is that of the two-sided interval.
  GainLimits(const OutcomeTotals& totals, double level);

  /// `refuting` is the upper end that a NO-GO needs below the threshold.
  void Settle(double& point, stats::Interval& interval, double& refuting) const;

 private:
  stats::Interval possible_;
  double unseen_;
  double unseen_refuting_;
};

/// For violation rates: shares; of queries lost less queries gained, down to -1; and nothing but 0
/// where no choice can break a constraint.
void SettleRate(const OutcomeTotals& totals, double& point, stats::Interval& interval,
                double& refuting);

}  // namespace gonogo::audit
