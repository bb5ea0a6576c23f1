// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gonogo/audit/learners/learner.h"

namespace gonogo::audit::internal {

/// What a tree sees of every query, column by column: its features, then those of every candidate.
/// The order of the values is found once for all fits.
class FeatureColumns {
 public:
  explicit FeatureColumns(const LearningProblem& problem);

  [[nodiscard]] std::size_t queries() const { return queries_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::span<const float> values(std::size_t column) const {
    return std::span(values_).subspan(column * queries_, queries_);
  }
  /// Queries by ascending value.
  [[nodiscard]] std::span<const std::uint32_t> order(std::size_t column) const {
    return std::span(order_).subspan(column * queries_, queries_);
  }
  /// What a column is called in the table.
  [[nodiscard]] const std::string& name(std::size_t column) const { return names_[column]; }

 private:
  std::size_t queries_;
  std::size_t columns_;
  std::vector<float> values_;
  std::vector<std::uint32_t> order_;
  std::vector<std::string> names_;
};

/// Columns cut into at most 256 bins between values of the training queries alone; the others fall
/// into the bin on whose side of the cut they lie.
class BinnedFeatures {
 public:
  static constexpr std::size_t kMostBins = 256;

  /// `weight` tells how often each query is trained on; zero: not at all. Bins hold about the same
  /// weight; with no more than `most_bins` distinct values each has its own.
  BinnedFeatures(const FeatureColumns& columns, std::span<const std::uint32_t> weight,
                 std::size_t most_bins);

  [[nodiscard]] std::size_t queries() const { return queries_; }
  /// Columns with more than one bin, ascending: the others cannot be split.
  [[nodiscard]] const std::vector<std::uint32_t>& splittable() const { return splittable_; }
  [[nodiscard]] std::size_t bins(std::size_t column) const { return cuts_[column].size() + 1; }
  [[nodiscard]] std::span<const std::uint8_t> bin_of(std::size_t column) const {
    return std::span(bins_).subspan(column * queries_, queries_);
  }
  /// Bins 0 to `bin` hold the values below this.
  [[nodiscard]] double cut(std::size_t column, std::size_t bin) const { return cuts_[column][bin]; }
  /// The cut for single precision: a float is below this exactly if it is below `cut`.
  [[nodiscard]] float float_cut(std::size_t column, std::size_t bin) const {
    const double exact = cut(column, bin);
    const auto rounded = static_cast<float>(exact);
    if (double{rounded} >= exact) return rounded;
    return std::nextafter(rounded, std::numeric_limits<float>::infinity());
  }

 private:
  std::size_t queries_;
  std::vector<std::vector<double>> cuts_;
  std::vector<std::uint8_t> bins_;
  std::vector<std::uint32_t> splittable_;
};

}  // namespace gonogo::audit::internal
