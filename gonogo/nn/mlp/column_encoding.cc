// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/column_encoding.h"

#include <algorithm>
#include <cmath>

#include "gonogo/base/check.h"

namespace gonogo::nn {

void ColumnEncoding::Apply(float value, std::span<float> out) const {
  GONOGO_CHECK(out.size() == width());
  const bool is_missing = std::isnan(value);
  if (may_be_missing) out.back() = is_missing ? 1.0F : 0.0F;
  if (!is_category) {
    out.front() = is_missing ? fill : value;
    return;
  }
  const auto level = std::find(levels.begin(), levels.end(), value) - levels.begin();
  for (std::size_t i = 0; i <= levels.size(); ++i) {
    out[i] = !is_missing && static_cast<std::size_t>(level) == i ? 1.0F : 0.0F;
  }
}

}  // namespace gonogo::nn
