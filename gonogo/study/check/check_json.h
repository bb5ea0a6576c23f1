// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "gonogo/study/check/check.h"

namespace gonogo::study {

/// One term of the observation over all runs and elements.
struct TermRow {
  std::string name;
  std::size_t first = 0;  ///< its place in the vector
  std::size_t size = 0;
  double mean = 0.0;
  double spread = 0.0;
  double low = 0.0;
  double high = 0.0;
  double at_clip = 0.0;         ///< share of values at a clip
  std::optional<double> slope;  ///< how much the action changes per unit, strongest element
  std::optional<double>
      strangest;  ///< distance of a mean from what the normaliser expects, spreads
};

/// count / total, or 0 of nothing.
[[nodiscard]] double Share(long count, long total);

[[nodiscard]] std::vector<TermRow> TermRows(const robot::RobotSpec& robot,
                                            const CheckReport& report);

/// Everything a check measured and found, with the names of the robot's joints and terms:
/// docs/reference/check.md.
[[nodiscard]] nlohmann::json ToJson(const robot::RobotSpec& robot, const CheckReport& report);

}  // namespace gonogo::study
