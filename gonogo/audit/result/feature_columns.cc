// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/feature_columns.h"

#include <fmt/format.h>

namespace gonogo::audit {

std::vector<TableFeature> FeatureColumns(const OutcomeTable& table) {
  std::vector<TableFeature> columns;
  for (const FeatureGroup& group : table.features) {
    for (Eigen::Index j = 0; j < group.values.cols(); ++j) {
      const auto own = static_cast<std::size_t>(j);
      columns.push_back({own < group.columns.size() ? group.columns[own]
                                                    : fmt::format("{} {}", group.name, j + 1),
                         &group, j});
    }
  }
  return columns;
}

}  // namespace gonogo::audit
