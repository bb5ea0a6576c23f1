// SPDX-License-Identifier: Apache-2.0
#include <system_error>

#include "gonogo/audit/table/check_table.h"
#include "gonogo/audit/table/internal/hdf5_table.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/io/file.h"

namespace gonogo::audit {
namespace {

using Shape = std::vector<std::size_t>;

template <typename T>
Status WriteOptional(io::Hdf5File& file, const std::string& dataset, const Shape& shape,
                     const std::vector<T>& values) {
  if (values.empty()) return {};
  return file.Write<T>(dataset, shape, values);
}

template <typename Group>
Status WriteGroups(io::Hdf5File& file, const std::string& folder, Shape shape,
                   const std::vector<Group>& groups) {
  for (const Group& group : groups) {
    const std::string dataset = folder + "/" + group.name;
    shape.back() = static_cast<std::size_t>(group.values.cols());
    const std::span<const float> values(group.values.data(),
                                        static_cast<std::size_t>(group.values.size()));
    Status status = file.Write<float>(dataset, shape, values);
    if (status.ok()) status = file.WriteTexts(dataset, "columns", group.columns);
    if (!status.ok()) return status;
  }
  return {};
}

Status WriteAttributes(io::Hdf5File& file, const OutcomeTable& table) {
  Status status = file.WriteTexts("/", "actions", table.actions);
  if (status.ok()) status = file.WriteText("/", "reference", table.actions[kDirect]);
  if (status.ok()) status = file.WriteText("/", "schema", internal::kTableSchema);
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

Status WriteOutcomes(io::Hdf5File& file, const OutcomeTable& table) {
  const Shape cells = {table.num_queries(), table.num_actions()};
  GONOGO_TRY(file.Write<double>("/cost", cells, table.cost));
  GONOGO_TRY(WriteOptional(file, "/time", cells, table.time));
  GONOGO_TRY(WriteOptional(file, "/success", cells, table.success));
  GONOGO_TRY(WriteOptional(file, "/eligible", cells, table.eligible));
  for (const NamedOutcome& outcome : table.other_outcomes) {
    GONOGO_TRY(file.Write<double>("/other_outcomes/" + outcome.name, cells, outcome.values));
  }
  return {};
}

/// One number per query instead of one per query and action, and which action it is of.
Status WriteLog(io::Hdf5File& file, const LoggedOutcomes& log) {
  const Shape queries = {log.action.size()};
  const std::vector<std::int32_t> action(log.action.begin(), log.action.end());
  GONOGO_TRY(file.Write<std::int32_t>("/action", queries, action));
  GONOGO_TRY(file.Write<double>("/cost", queries, log.cost));
  GONOGO_TRY(WriteOptional(file, "/time", queries, log.time));
  GONOGO_TRY(WriteOptional(file, "/success", queries, log.success));
  GONOGO_TRY(WriteOptional(file, "/eligible", queries, log.eligible));
  return WriteOptional(file, "/propensity", queries, log.propensity);
}

}  // namespace

Status internal::WriteHdf5Table(io::Hdf5File& file, const OutcomeTable& table) {
  const std::size_t queries = table.num_queries();
  const std::size_t actions = table.num_actions();
  std::vector<std::string> cluster;
  for (std::size_t k = 0; k < table.num_clusters(); ++k) {
    cluster.insert(cluster.end(), table.queries_of(k).size(), table.clusters[k]);
  }
  const std::vector<std::int32_t> choice(table.choice.begin(), table.choice.end());
  Status status = WriteAttributes(file, table);
  if (status.ok()) status = file.WriteStrings("/cluster", cluster);
  if (status.ok() && !table.queries.empty()) {
    status = file.WriteStrings("/query", table.queries);
  }
  if (status.ok()) {
    status = table.logged.has_value() ? WriteLog(file, *table.logged) : WriteOutcomes(file, table);
  }
  if (status.ok()) status = WriteOptional(file, "/choice", {queries}, choice);
  if (status.ok()) status = WriteOptional(file, "/adapter_cost", {queries}, table.adapter_cost);
  if (status.ok()) status = WriteGroups(file, "/features", {queries, 0}, table.features);
  if (status.ok()) {
    status = WriteGroups(file, "/action_features", {queries, actions, 0}, table.action_features);
  }
  return status;
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
