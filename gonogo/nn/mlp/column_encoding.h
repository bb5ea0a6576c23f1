// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gonogo::nn {

/// How a column as people record it becomes numbers that a learner takes. A number may be missing
/// (NaN) and then counts as `fill`. A category is the number of its level: the levels in `levels`
/// have a column of their own, which is 1 there; all others share one. Where something may be
/// missing, the last column is 1 where it is.
struct ColumnEncoding {
  bool is_category = false;
  bool may_be_missing = false;
  float fill = 0.0F;
  std::vector<float> levels = {};

  /// Numbers that it becomes.
  [[nodiscard]] std::size_t width() const {
    return (is_category ? levels.size() + 1 : 1) + (may_be_missing ? 1 : 0);
  }
  /// Writes them; `out` has `width()` slots.
  void Apply(float value, std::span<float> out) const;

  bool operator==(const ColumnEncoding&) const = default;
};

}  // namespace gonogo::nn
