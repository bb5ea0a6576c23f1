// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <nlohmann/json_fwd.hpp>

#include "gonogo/stats/interval.h"

namespace gonogo::calibrate {

/// A share of data sets with its Monte-Carlo uncertainty.
struct Proportion {
  std::size_t count = 0;
  std::size_t total = 0;
  stats::Interval interval;  ///< Clopper-Pearson, 95 %

  [[nodiscard]] double share() const {
    return total == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(total);
  }
};

[[nodiscard]] Proportion MakeProportion(std::size_t count, std::size_t total);
[[nodiscard]] nlohmann::json ToJson(const Proportion& proportion);

}  // namespace gonogo::calibrate
