// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gonogo/base/rng.h"
#include "gonogo/nn/mlp/ensemble.h"

namespace gonogo::nn::internal {

/// Untrained networks over plain inputs, the same at every call: for tests that need any networks
/// at all.
inline Ensemble RandomEnsemble(int inputs, const std::vector<int>& hidden, int outputs,
                               int members) {
  Ensemble ensemble{.input = Standardiser::Identity(static_cast<std::size_t>(inputs)),
                    .target = Standardiser::Identity(static_cast<std::size_t>(outputs)),
                    .losses = std::vector(static_cast<std::size_t>(outputs), Loss::kSquaredError),
                    .members = {}};
  std::vector<int> sizes = {inputs};
  sizes.insert(sizes.end(), hidden.begin(), hidden.end());
  sizes.push_back(outputs);
  for (int m = 0; m < members; ++m) {
    ensemble.members.emplace_back(MlpShape{.sizes = sizes});
    ensemble.members.back().Initialise(RngStream(9).Child(static_cast<std::uint64_t>(m)));
  }
  return ensemble;
}

}  // namespace gonogo::nn::internal
