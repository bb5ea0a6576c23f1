// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/imports/cost_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "gonogo/base/nearest.h"
#include "gonogo/io/csv.h"

namespace gonogo::audit {
namespace {

/// A CSV with one row per query.
struct QueryRows {
  std::vector<std::string> columns;           ///< but query and cluster
  std::map<std::string, std::size_t> row_of;  ///< by query
  std::vector<std::string> queries;
  std::vector<std::string> clusters;        ///< empty without that column
  std::vector<std::vector<double>> values;  ///< NaN: empty
};

Result<QueryRows> ReadRows(const std::filesystem::path& path) {
  io::CsvReader reader = GONOGO_TRY(io::CsvReader::Open(path));
  const std::vector<std::string>& header = reader.header();
  if (std::find(header.begin(), header.end(), "query") == header.end()) {
    return InputError("{}:1: no column 'query'{}", reader.name(), DidYouMean("query", header));
  }
  QueryRows rows;
  for (const std::string& column : header) {
    if (column != "query" && column != "cluster") rows.columns.push_back(column);
  }
  while (true) {
    const bool more = GONOGO_TRY(reader.Next());
    if (!more) break;
    std::vector<double> values;
    for (std::size_t j = 0; j < header.size(); ++j) {
      const std::string_view field = reader.fields()[j];
      if (header[j] == "query") {
        if (!rows.row_of.try_emplace(std::string(field), rows.queries.size()).second) {
          return InputError("{}:{}: query '{}' stands on two rows", reader.name(), reader.line(),
                            field);
        }
        rows.queries.emplace_back(field);
      } else if (header[j] == "cluster") {
        rows.clusters.emplace_back(field);
      } else {
        const std::optional<double> number = io::ParseNumber(field);
        const bool empty = field.empty();
        if (!empty && (!number.has_value() || !std::isfinite(*number))) {
          return InputError("{}:{}: column '{}' is '{}', expected a number", reader.name(),
                            reader.line(), header[j], field);
        }
        values.push_back(empty ? std::numeric_limits<double>::quiet_NaN() : *number);
      }
    }
    rows.values.push_back(std::move(values));
  }
  return rows;
}

}  // namespace

Result<ImportedTable> ReadCostMatrix(const std::filesystem::path& matrix,
                                     const std::filesystem::path& features) {
  QueryRows costs = GONOGO_TRY(ReadRows(matrix));
  const QueryRows seen = GONOGO_TRY(ReadRows(features));
  if (costs.columns.size() < 2) {
    return InputError("{}:1: found {} column(s) of costs, expected one per action, at least two",
                      matrix.string(), costs.columns.size());
  }
  ImportedTable table{.name = matrix.stem().string(),
                      .actions = costs.columns,
                      .queries = costs.queries,
                      .features = seen.columns};
  for (std::size_t query = 0; query < table.queries.size(); ++query) {
    const auto row = seen.row_of.find(table.queries[query]);
    if (row == seen.row_of.end()) {
      return InputError("{}: no row for query '{}' of {}", features.string(), table.queries[query],
                        matrix.string());
    }
    for (std::size_t action = 0; action < table.actions.size(); ++action) {
      const double cost = costs.values[query][action];
      if (std::isnan(cost)) {
        return InputError("{}: query '{}' has no cost of '{}', expected one of every action",
                          matrix.string(), table.queries[query], table.actions[action]);
      }
      table.cost.push_back(cost);
    }
    const std::vector<double>& values = seen.values[row->second];
    table.values.insert(table.values.end(), values.begin(), values.end());
    if (!costs.clusters.empty()) {
      table.clusters.push_back(costs.clusters[query]);
    } else if (!seen.clusters.empty()) {
      table.clusters.push_back(seen.clusters[row->second]);
    }
  }
  FillMissing(table);
  return table;
}

}  // namespace gonogo::audit
