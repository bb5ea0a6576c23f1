// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gonogo/adapter/manifest.h"

namespace gonogo::study {

/// Sums over the rows of features that were met: enough to compare each input with how it was
/// distributed in training.
class FeatureTally {
 public:
  FeatureTally() = default;
  /// `trained` must outlive it.
  explicit FeatureTally(const std::vector<adapter::InputStatistics>& trained);

  void Add(std::span<const float> row);
  /// Adds what another tally of the same adapter has met.
  void Merge(const FeatureTally& other);
  [[nodiscard]] std::size_t rows() const { return rows_; }

  struct Input {
    double sum = 0.0;
    std::size_t outside = 0;                ///< below the smallest or above the largest in training
    std::array<std::size_t, 11> at_most{};  ///< rows at or below every decile of training
  };
  [[nodiscard]] const std::vector<Input>& inputs() const { return inputs_; }
  /// What another tally of the same adapter had met, from its numbers.
  void Restore(std::size_t rows, std::vector<Input> inputs) {
    rows_ = rows;
    inputs_ = std::move(inputs);
  }

 private:
  const std::vector<adapter::InputStatistics>* trained_ = nullptr;
  std::size_t rows_ = 0;
  std::vector<Input> inputs_;
};

/// One input: met against trained.
struct InputDrift {
  std::string name;
  double shift = 0.0;     ///< of the mean, in standard deviations of training; 0 where that is 0
  double distance = 0.0;  ///< largest difference of the two distribution functions at the deciles
  double outside = 0.0;   ///< share of rows beyond everything seen in training
};

/// One entry per input, in the order of a row. A tally without rows has no drift.
[[nodiscard]] std::vector<InputDrift> CompareWithTraining(const adapter::Manifest& manifest,
                                                          const FeatureTally& met);

}  // namespace gonogo::study
