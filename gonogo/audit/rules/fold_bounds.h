// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <vector>

#include "gonogo/audit/estimands/fold_bootstrap.h"
#include "gonogo/audit/refit/refit.h"
#include "gonogo/audit/rules/verdict.h"

namespace gonogo::audit {

/// Bounds from resampled folds, fitted or given: what the paper's rule reads when there are no
/// refits (archived audits, and choices that somebody made). Totals and folds must outlive it.
class FoldBounds {
 public:
  FoldBounds(const OutcomeTotals& totals, std::span<const Refit> folds,
             const BootstrapConfig& bootstrap)
      : totals_(totals), folds_(folds), bootstrap_(bootstrap) {}

  /// With the fixed references that `kappa` chooses. Remembers what it resampled.
  [[nodiscard]] RuleBounds Under(double kappa);

 private:
  const OutcomeTotals& totals_;
  std::span<const Refit> folds_;
  BootstrapConfig bootstrap_;
  std::map<std::vector<ActionIndex>, FoldIntervals> known_;  // most kappas choose the same
};

}  // namespace gonogo::audit
