// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace gonogo::sim::internal {

/// Row `index` of one of the engine's row-major arrays with `width` columns.
template <typename T>
[[nodiscard]] T* Row(T* array, int width, int index) {
  return array + static_cast<std::ptrdiff_t>(width) * index;
}

}  // namespace gonogo::sim::internal
