// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/audit/refit/refit.h"
#include "gonogo/calibrate/worlds/truth.h"

namespace gonogo::calibrate {

/// What takes long about one simulated data set: the fits behind an audit and the truth about the
/// adapter that would ship. Every rule can be applied to it later.
struct TrialFits {
  Truth truth;
  double fit_seconds = 0.0;  ///< CPU time of the fits alone; varies from run to run
  std::vector<audit::Refit> folds;
  std::vector<audit::Refit> replicates;
};

/// The truth, and of every held-out cluster what the rules read: action counts, cost of the
/// choices (not split by action) and violations. Splits follow from the seed and are left out.
[[nodiscard]] std::string EncodeFits(const TrialFits& fits);

/// The fits of the given tasks; nothing when the bytes do not belong to them.
[[nodiscard]] std::optional<TrialFits> DecodeFits(std::string_view bytes,
                                                  const std::vector<audit::RefitTask>& folds,
                                                  const std::vector<audit::RefitTask>& replicates,
                                                  std::size_t actions);

}  // namespace gonogo::calibrate
