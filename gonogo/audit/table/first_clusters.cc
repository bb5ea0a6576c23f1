// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/first_clusters.h"

#include "gonogo/audit/table/columns.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {

OutcomeTable FirstClusters(OutcomeTable table, std::size_t clusters) {
  GONOGO_CHECK(clusters <= table.num_clusters());
  table.clusters.resize(clusters);
  table.cluster_begin.resize(clusters + 1);
  const std::size_t queries = table.num_queries();
  if (!table.queries.empty()) table.queries.resize(queries);
  ForEachColumn(table, [&](const ColumnInfo& info, auto& column) {
    const std::size_t size = info.per_action ? queries * table.num_actions() : queries;
    using Column = std::remove_reference_t<decltype(column)>;
    if constexpr (kIsFeatures<Column>) {
      column.values.conservativeResize(static_cast<Eigen::Index>(size), Eigen::NoChange);
    } else if constexpr (kIsValues<Column>) {
      if (!column.empty()) column.resize(size);
    } else {
      column.values.resize(size);
    }
  });
  return table;
}

}  // namespace gonogo::audit
