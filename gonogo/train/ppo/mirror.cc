// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/mirror.h"

#include "gonogo/base/check.h"

namespace gonogo::train {

void Mirror::Apply(std::span<const float> from, std::span<float> to) const {
  GONOGO_CHECK(from.size() == size() && to.size() == size());
  for (std::size_t i = 0; i < size(); ++i) to[i] = sign[i] * from[source[i]];
}

}  // namespace gonogo::train
