// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gonogo/robot/policy.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::study {

/// How a policy's action answers to a small change of each element of its observation.
struct Sensitivity {
  /// Rows are (sample, joint), columns are elements of the observation.
  std::vector<std::vector<float>> slopes;

  /// Root mean square over rows, per element.
  [[nodiscard]] std::vector<double> Strength() const;
};

/// By finite differences at the samples, with the policy's memory at its start.
[[nodiscard]] Sensitivity MeasureSensitivity(const robot::Policy& policy,
                                             const std::vector<std::vector<float>>& samples);

/// Neighbouring points of the ground mean similar things to a policy that uses its scan. The
/// correlation of slopes between each point and the next one across, for a scan with rows of
/// `row` points that begins at element `first` and has `size` points: near 0 if rows have another
/// length.
[[nodiscard]] double NeighbourCorrelation(const Sensitivity& sensitivity, std::size_t first,
                                          std::size_t size, std::size_t row);

}  // namespace gonogo::study
