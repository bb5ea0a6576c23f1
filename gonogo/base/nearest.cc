// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace gonogo {
namespace {

std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string DidYouMean(std::string_view word, std::span<const std::string> options) {
  const std::string* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& option : options) {
    // The distance is no less than the difference in length; options may be megabytes long.
    if (std::max(option.size(), word.size()) >=
        std::min(option.size(), word.size()) + best_distance) {
      continue;
    }
    const std::size_t distance = EditDistance(word, option);
    if (distance < best_distance) {
      best_distance = distance;
      best = &option;
    }
  }
  return best == nullptr ? "" : " (did you mean '" + *best + "'?)";
}

}  // namespace gonogo
