// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/first_clusters.h"

#include <numeric>

#include "gonogo/audit/table/columns.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {

void KeepQueries(std::span<const std::size_t> queries, OutcomeTable& table) {
  const auto keep = [&](auto& values, std::size_t width) {
    if (values.empty()) return;
    auto kept = std::remove_cvref_t<decltype(values)>();
    kept.reserve(queries.size() * width);
    for (const std::size_t query : queries) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(query * width);
      kept.insert(kept.end(), first, first + static_cast<std::ptrdiff_t>(width));
    }
    values = std::move(kept);
  };
  keep(table.queries, 1);
  ForEachColumn(table, [&](const ColumnInfo& info, auto& column) {
    const std::size_t width = info.per_action ? table.num_actions() : 1;
    using Column = std::remove_reference_t<decltype(column)>;
    if constexpr (kIsFeatures<Column>) {
      FeatureMatrix kept(static_cast<Eigen::Index>(queries.size() * width), column.values.cols());
      for (std::size_t row = 0; row < queries.size() * width; ++row) {
        kept.row(static_cast<Eigen::Index>(row)) = column.values.row(
            static_cast<Eigen::Index>(queries[row / width] * width + row % width));
      }
      column.values = std::move(kept);
    } else if constexpr (kIsValues<Column>) {
      keep(column, width);
    } else {
      keep(column.values, width);
    }
  });
}

OutcomeTable FirstClusters(OutcomeTable table, std::size_t clusters) {
  GONOGO_CHECK(clusters <= table.num_clusters());
  table.clusters.resize(clusters);
  table.cluster_begin.resize(clusters + 1);
  std::vector<std::size_t> first(table.num_queries());
  std::iota(first.begin(), first.end(), 0);
  KeepQueries(first, table);
  return table;
}

}  // namespace gonogo::audit
