// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/nn/mlp/column_encoding.h"
#include "gonogo/stats/cluster_split.h"

namespace gonogo::audit {

/// Columns of features that are categories or miss values, of which a learner cannot make anything
/// as they are. How they become numbers is learned from the training clusters of each fit: the
/// median stands for what is missing, the most frequent levels get columns of their own.
/// Works for `FeatureGroup` and `ActionFeatureGroup`.
template <typename Group>
class Encoder {
 public:
  /// `groups` and `table` must outlive it; at most `levels` levels of a category get a column.
  Encoder(std::span<const Group* const> groups, const OutcomeTable& table, std::size_t levels);

  /// Whether there is such a column; else encoded groups equal the others.
  [[nodiscard]] bool changes_anything() const { return changes_anything_; }

  /// One encoding for every column of all groups, in their order.
  [[nodiscard]] std::vector<nn::ColumnEncoding> Learn(const stats::ClusterSplit& split) const;

  /// The groups with what `Learn` gave, at every query; columns have names of their own.
  [[nodiscard]] std::vector<Group> Apply(std::span<const nn::ColumnEncoding> encodings) const;

 private:
  [[nodiscard]] float Median(const Group& group, Eigen::Index column,
                             std::span<const std::uint32_t> times) const;
  [[nodiscard]] std::vector<float> Levels(const Group& group, Eigen::Index column,
                                          std::span<const std::uint32_t> times) const;

  std::vector<const Group*> groups_;
  std::vector<std::vector<bool>> misses_;  ///< of every group, which columns miss values
  std::vector<std::size_t> cluster_of_;    ///< of every row
  std::size_t levels_;
  bool changes_anything_ = false;
};

/// Whether any column of the groups is a category or misses values.
template <typename Group>
[[nodiscard]] bool NeedsEncoding(std::span<const Group* const> groups);

/// The features of queries, encoded with the whole table as the training set.
[[nodiscard]] std::vector<FeatureGroup> EncodedFeatures(const OutcomeTable& table,
                                                        std::size_t levels);

}  // namespace gonogo::audit
