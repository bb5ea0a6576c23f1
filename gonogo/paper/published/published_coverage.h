// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace gonogo::paper {

/// One row of Table "coverage", with the harder Go2 targets of Section 4.3 as one more family.
struct PublishedCoverage {
  std::optional<double> success;
  std::optional<double> effort;
  std::optional<double> change;    ///< of the effort against direct control, as printed; a share
  std::optional<double> height_m;  ///< at the end
};

/// Empty for a robot, family or method that the paper did not run.
[[nodiscard]] PublishedCoverage FindPublishedCoverage(const std::string& robot,
                                                      const std::string& family,
                                                      const std::string& method);

}  // namespace gonogo::paper
