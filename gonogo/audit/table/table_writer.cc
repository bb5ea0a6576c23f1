// SPDX-License-Identifier: Apache-2.0
#include <system_error>
#include <type_traits>

#include <fmt/format.h>

#include "gonogo/audit/table/check_table.h"
#include "gonogo/audit/table/columns.h"
#include "gonogo/audit/table/internal/hdf5_table.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/io/file.h"

namespace gonogo::audit {
namespace {

using Shape = std::vector<std::size_t>;

Shape ShapeOf(const ColumnInfo& info, const OutcomeTable& table) {
  return info.per_action ? Shape{table.num_queries(), table.num_actions()}
                         : Shape{table.num_queries()};
}

template <typename T>
Status WriteColumn(io::Hdf5File& file, const ColumnInfo& info, const Shape& shape,
                   const std::vector<T>& values) {
  if (values.empty() && !info.required) return {};
  const std::string dataset = fmt::format("/{}", info.name);
  if constexpr (std::is_same_v<T, ActionIndex>) {
    const std::vector<std::int32_t> numbers(values.begin(), values.end());
    return file.Write<std::int32_t>(dataset, shape, numbers);
  } else {
    return file.Write<T>(dataset, shape, values);
  }
}

Status WriteColumn(io::Hdf5File& file, const ColumnInfo& info, const Shape& shape,
                   const NamedOutcome& outcome) {
  return file.Write<double>(fmt::format("/{}/{}", info.name, outcome.name), shape, outcome.values);
}

template <typename Group>
requires kIsFeatures<Group> Status WriteColumn(io::Hdf5File& file, const ColumnInfo& info,
                                               Shape shape, const Group& group) {
  const std::string dataset = fmt::format("/{}/{}", info.name, group.name);
  shape.push_back(static_cast<std::size_t>(group.values.cols()));
  const std::span<const float> values(group.values.data(),
                                      static_cast<std::size_t>(group.values.size()));
  GONOGO_TRY(file.Write<float>(dataset, shape, values));
  GONOGO_TRY(file.WriteTexts(dataset, "columns", group.columns));
  for (std::size_t j = 0; j < group.levels.size(); ++j) {
    if (group.levels[j].empty()) continue;
    GONOGO_TRY(
        file.WriteTexts(dataset, internal::LevelsAttribute(group.columns[j]), group.levels[j]));
  }
  return {};
}

Status WriteAttributes(io::Hdf5File& file, const OutcomeTable& table) {
  Status status = file.WriteTexts("/", "actions", table.actions);
  if (status.ok()) status = file.WriteText("/", "reference", table.actions[kDirect]);
  if (status.ok()) status = file.WriteText("/", "schema", internal::kTableSchema);
  if (status.ok() && table.of_rewards) status = file.WriteText("/", "direction", "reward");
  if (status.ok() && !table.declaration.empty()) {
    status = file.WriteText("/", "declaration", table.declaration);
  }
  if (status.ok() && !table.declaration_sha256.empty()) {
    status = file.WriteText("/", "declaration_sha256", table.declaration_sha256);
  }
  if (status.ok() && !table.provenance.empty()) {
    status = file.WriteText("/", "provenance", table.provenance);
  }
  return status;
}

}  // namespace

Status internal::WriteHdf5Table(io::Hdf5File& file, const OutcomeTable& table) {
  std::vector<std::string> cluster;
  for (std::size_t k = 0; k < table.num_clusters(); ++k) {
    cluster.insert(cluster.end(), table.queries_of(k).size(), table.clusters[k]);
  }
  GONOGO_TRY(WriteAttributes(file, table));
  GONOGO_TRY(file.WriteStrings("/cluster", cluster));
  if (!table.queries.empty()) GONOGO_TRY(file.WriteStrings("/query", table.queries));
  return TryEachColumn(table, [&](const ColumnInfo& info, const auto& column) -> Status {
    // A log has outcomes of its own instead of those of all actions.
    if (info.of == ColumnOf::kOutcomes && table.logged.has_value()) return {};
    return WriteColumn(file, info, ShapeOf(info, table), column);
  });
}

Status WriteTable(const OutcomeTable& table, const std::filesystem::path& path) {
  if (table.scored.has_value()) {
    return InputError(
        "{}: estimates made from a log are no outcomes, expected the log itself or a table of "
        "outcomes",
        path.string());
  }
  GONOGO_TRY(CheckTable(table, TableScope::kPart, path.string()));
  if (io::drops_writes()) return {};
  io::Hdf5File file = GONOGO_TRY(io::Hdf5File::Create(path));
  GONOGO_TRY(internal::WriteHdf5Table(file, table));
  return file.Close();
}

}  // namespace gonogo::audit
