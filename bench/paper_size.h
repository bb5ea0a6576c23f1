// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

#include "gonogo/base/testing/bench_size.h"
#include "gonogo/nn/mlp/treatment_effect.h"

namespace gonogo::bench {

inline const int kClusters = BenchSize(20, 2);
inline const int kQueries = kClusters * 48;
inline constexpr int kFeatures = 237;
inline constexpr int kCandidates = 6;
inline constexpr int kMembers = 5;
inline const int kEpochs = BenchSize(200, 2);

/// A random table of the paper's size. The values do not matter for time, only that training on
/// them stays finite.
inline nn::TreatmentData PaperSizeTable() {
  Rng rng = RngStream(20260717).Generator();
  nn::TreatmentData data{kCandidates, nn::Batch<float>(kQueries, kFeatures),
                         nn::Batch<float>(kQueries * kCandidates, 0),
                         nn::Batch<float>(kQueries * kCandidates, 3)};
  for (float& x : std::span(data.features.data(), data.features.size())) {
    x = static_cast<float>(rng.Normal());
  }
  for (int r = 0; r < data.targets.rows(); ++r) {
    const float signal = data.features(r / kCandidates, r % kCandidates);
    data.targets(r, 0) = 0.02F * signal + 0.05F * static_cast<float>(rng.Normal());
    data.targets(r, 1) = 0.05F * static_cast<float>(rng.Normal());
    data.targets(r, 2) = rng.Uniform() < 0.9 ? 1.0F : 0.0F;
  }
  return data;
}

inline nn::TreatmentConfig PaperSizeConfig(int epochs) {
  return {
      .losses = {nn::Loss::kSquaredError, nn::Loss::kSquaredError, nn::Loss::kBinaryCrossEntropy},
      .epochs = epochs};
}

/// Every query once, for each member: as many rows as a bootstrap replicate has.
inline std::vector<std::vector<int>> EveryQueryOnce(int members) {
  return std::vector<std::vector<int>>(members, std::vector<int>(kQueries, 1));
}

/// Floating-point operations a refit of `epochs` epochs cannot avoid: the features' part of layer
/// one forward and backward once per query, everything else per row; no gradient of the inputs.
inline double MinimalFlop(int epochs) {
  constexpr double kShared = 2.0 * kFeatures * 64;
  constexpr double kPerRow = 3.0 * (64 * 64 + 64 * 3);
  return 2.0 * (kShared + kCandidates * kPerRow) * kQueries * kMembers * epochs;
}

}  // namespace gonogo::bench
