// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/calibrated/halves.h"

#include <algorithm>
#include <numeric>

namespace gonogo::audit {

std::vector<std::vector<std::size_t>> RandomHalves(std::size_t count, std::size_t halves,
                                                   const RngStream& stream) {
  std::vector<std::vector<std::size_t>> drawn;
  for (std::size_t h = 0; h < halves; ++h) {
    Rng rng = stream.Child(h).Generator();
    std::vector<std::size_t> order = AllOf(count);
    rng.Shuffle(std::span(order));
    order.resize(std::max<std::size_t>(count / 2, 1));
    std::sort(order.begin(), order.end());
    drawn.push_back(std::move(order));
  }
  return drawn;
}

std::vector<std::size_t> AllOf(std::size_t count) {
  std::vector<std::size_t> indices(count);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

}  // namespace gonogo::audit
