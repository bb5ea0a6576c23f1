// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>

#include "gonogo/audit/learners/internal/binned_features.h"

namespace gonogo::audit::internal {

/// Queries with the given features (row by row), each a cluster of its own.
struct TreeSample {
  explicit TreeSample(FeatureMatrix features)
      : table{.actions = {"a", "b"}}, outcomes{.table = &table} {
    for (Eigen::Index i = 0; i <= features.rows(); ++i) {
      table.cluster_begin.push_back(static_cast<std::size_t>(i));
    }
    FeatureGroup group{.name = "f", .values = std::move(features)};
    for (Eigen::Index j = 0; j < group.values.cols(); ++j) {
      group.columns.push_back("f_" + std::to_string(j));
    }
    table.features.push_back(std::move(group));
  }
  TreeSample(const TreeSample&) = delete;
  TreeSample& operator=(const TreeSample&) = delete;

  [[nodiscard]] FeatureColumns Columns() const {
    return FeatureColumns({.outcomes = &outcomes, .features = {&table.features[0]}});
  }

  OutcomeTable table;
  PotentialOutcomes outcomes;
};

inline FeatureMatrix Column(std::initializer_list<float> values) {
  FeatureMatrix column(static_cast<Eigen::Index>(values.size()), 1);
  Eigen::Index row = 0;
  for (const float value : values) column(row++, 0) = value;
  return column;
}

}  // namespace gonogo::audit::internal
