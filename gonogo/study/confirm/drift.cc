// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/confirm/drift.h"

#include <algorithm>
#include <cmath>

#include "gonogo/base/check.h"

namespace gonogo::study {

FeatureTally::FeatureTally(const std::vector<adapter::InputStatistics>& trained)
    : trained_(&trained), inputs_(trained.size()) {}

void FeatureTally::Add(std::span<const float> row) {
  GONOGO_CHECK(row.size() == inputs_.size());
  ++rows_;
  for (std::size_t j = 0; j < row.size(); ++j) {
    const std::vector<double>& deciles = (*trained_)[j].deciles;
    const double value = row[j];
    Input& input = inputs_[j];
    input.sum += value;
    if (value < deciles.front() || value > deciles.back()) ++input.outside;
    for (std::size_t i = 0; i < deciles.size(); ++i) {
      if (value <= deciles[i]) ++input.at_most.at(i);
    }
  }
}

void FeatureTally::Merge(const FeatureTally& other) {
  if (other.rows_ == 0) return;
  GONOGO_CHECK(other.inputs_.size() == inputs_.size());
  rows_ += other.rows_;
  for (std::size_t j = 0; j < inputs_.size(); ++j) {
    inputs_[j].sum += other.inputs_[j].sum;
    inputs_[j].outside += other.inputs_[j].outside;
    for (std::size_t i = 0; i < inputs_[j].at_most.size(); ++i) {
      inputs_[j].at_most.at(i) += other.inputs_[j].at_most.at(i);
    }
  }
}

std::vector<InputDrift> CompareWithTraining(const adapter::Manifest& manifest,
                                            const FeatureTally& met) {
  std::vector<InputDrift> drift;
  const std::vector<std::string> names = manifest.layout.InputNames();
  const auto rows = static_cast<double>(met.rows());
  for (std::size_t j = 0; j < names.size(); ++j) {
    InputDrift& one = drift.emplace_back(InputDrift{.name = names[j]});
    if (met.rows() == 0) continue;
    const adapter::InputStatistics& trained = manifest.inputs[j];
    const FeatureTally::Input& input = met.inputs()[j];
    const double moved = input.sum / rows - trained.mean;
    one.shift = trained.sd > 0.0 ? moved / trained.sd : 0.0;
    one.outside = static_cast<double>(input.outside) / rows;
    // At the last of equal deciles the share of training rows at or below is at least its tenth.
    for (std::size_t i = 0; i + 1 < trained.deciles.size(); ++i) {
      if (trained.deciles[i] == trained.deciles[i + 1]) continue;
      const double expected = static_cast<double>(i) / 10.0;
      const double found = static_cast<double>(input.at_most.at(i)) / rows;
      one.distance = std::max(one.distance, std::abs(found - expected));
    }
  }
  return drift;
}

}  // namespace gonogo::study
