// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace gonogo::train {

/// A left-right reflection of a vector: element i becomes sign[i] * old[source[i]].
struct Mirror {
  std::vector<int> source;
  std::vector<float> sign;

  [[nodiscard]] std::size_t size() const { return source.size(); }
  void Apply(std::span<const float> from, std::span<float> to) const;
};

/// How the reflection acts on what a policy sees and does.
struct Symmetry {
  Mirror observation;
  Mirror action;
};

}  // namespace gonogo::train
