// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/imports/cost_matrix.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/base/nearest.h"
#include "gonogo/base/text.h"
#include "gonogo/io/foreign/open_rows.h"

namespace gonogo::audit {
namespace {

/// A file with one row per query, as texts.
struct QueryRows {
  std::string name;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> cells;  ///< row by row
  std::vector<std::size_t> lines;
  std::map<std::string, std::size_t> row_of = {};  ///< by query

  [[nodiscard]] std::optional<std::size_t> Find(std::string_view column) const {
    const auto found = std::find(columns.begin(), columns.end(), column);
    if (found == columns.end()) return std::nullopt;
    return static_cast<std::size_t>(found - columns.begin());
  }
};

Result<QueryRows> ReadQueryRows(const std::filesystem::path& path) {
  io::CsvReader reader = GONOGO_TRY(io::OpenRows(path));
  QueryRows rows{.name = reader.name(), .columns = reader.header(), .cells = {}, .lines = {}};
  while (true) {
    const bool more = GONOGO_TRY(reader.Next());
    if (!more) break;
    rows.cells.emplace_back(reader.fields().begin(), reader.fields().end());
    rows.lines.push_back(reader.line());
  }
  return rows;
}

/// The column that names the queries in all files.
Result<std::string> FindId(const std::vector<const QueryRows*>& files) {
  std::vector<std::string> shared;
  for (const std::string& column : files.front()->columns) {
    const bool everywhere =
        std::all_of(files.begin(), files.begin() + 2,
                    [&](const QueryRows* rows) { return rows->Find(column).has_value(); });
    if (everywhere && column != "cluster") shared.push_back(column);
  }
  if (std::find(shared.begin(), shared.end(), "query") != shared.end()) return std::string("query");
  if (shared.size() == 1) return shared.front();
  if (shared.empty()) {
    return InputError(
        "{}:1: no column but perhaps 'cluster' is in {} too, expected one that names the queries{}",
        files[0]->name, files[1]->name, DidYouMean("query", files[0]->columns));
  }
  return InputError(
      "{}:1: the columns {} are in {} too, expected one that names the queries: call it 'query'",
      files[0]->name, fmt::join(shared, ", "), files[1]->name);
}

Status IndexBy(const std::string& id, QueryRows& rows) {
  const std::optional<std::size_t> column = rows.Find(id);
  if (!column)
    return InputError("{}:1: no column '{}'{}", rows.name, id, DidYouMean(id, rows.columns));
  for (std::size_t row = 0; row < rows.cells.size(); ++row) {
    const std::string& query = rows.cells[row][*column];
    if (rows.row_of.try_emplace(query, row).second) continue;
    return InputError("{}:{}: query '{}' stands on two rows", rows.name, rows.lines[row],
                      Excerpt(query));
  }
  return {};
}

Error WrongCell(const QueryRows& rows, std::size_t row, std::size_t column,
                std::string_view expected) {
  return InputError("{}:{}: column '{}' is '{}', expected {}", rows.name, rows.lines[row],
                    rows.columns[column], Excerpt(rows.cells[row][column]), expected);
}

/// The cost of the cell; NaN where it is missing.
Result<double> CostAt(const QueryRows& costs, std::size_t row, std::size_t column) {
  const std::string& cell = costs.cells[row][column];
  if (cell.empty()) return std::nan("");
  const std::optional<double> cost = io::ParseNumber(cell);
  if (cost.has_value() && !std::isinf(*cost)) return *cost;
  return WrongCell(costs, row, column, "a number");
}

Result<std::uint8_t> SuccessAt(const QueryRows& success, std::size_t row, std::size_t column) {
  const std::string& cell = success.cells[row][column];
  if (cell == "1" || cell == "true" || cell == "True" || cell == "TRUE") return std::uint8_t{1};
  if (cell == "0" || cell == "false" || cell == "False" || cell == "FALSE") return std::uint8_t{0};
  return WrongCell(success, row, column, "0 or 1");
}

/// Joins what the files say of one query after the other.
class Join {
 public:
  Join(const QueryRows& costs, const QueryRows& features, const QueryRows* success, std::string id)
      : costs_(costs), features_(features), success_(success), id_(std::move(id)) {}

  Result<ImportedTable> Run(const MissingCosts& missing) {
    const auto others = [&](const QueryRows& rows) {
      std::vector<std::size_t> columns;
      for (std::size_t j = 0; j < rows.columns.size(); ++j) {
        if (rows.columns[j] != id_ && rows.columns[j] != "cluster") columns.push_back(j);
      }
      return columns;
    };
    actions_ = others(costs_);
    looked_at_ = others(features_);
    if (actions_.size() < 2) {
      return InputError("{}:1: found {} column(s) of costs, expected one per action, at least two",
                        costs_.name, actions_.size());
    }
    for (const std::size_t column : actions_) table_.actions.push_back(costs_.columns[column]);
    for (const std::size_t column : looked_at_)
      table_.features.push_back(features_.columns[column]);
    if (id_ != "query")
      table_.remarks.push_back(fmt::format("queries are joined by column '{}'", id_));
    for (std::size_t row = 0; row < costs_.cells.size(); ++row) GONOGO_TRY(AddQuery(row, missing));
    if (priced_ > 0) {
      table_.remarks.push_back(
          fmt::format("{} missing cost(s) count as {}", priced_, missing.price));
    }
    if (left_out_ > 0) {
      table_.remarks.push_back(fmt::format(
          "{} of {} queries are left out because a cost is missing: the answer is about the others",
          left_out_, costs_.cells.size()));
    }
    return std::move(table_);
  }

 private:
  Status AddQuery(std::size_t row, const MissingCosts& missing) {
    const std::string& query = costs_.cells[row][*costs_.Find(id_)];
    const auto seen = features_.row_of.find(query);
    if (seen == features_.row_of.end()) {
      return InputError("{}: no row for query '{}' of {}", features_.name, Excerpt(query),
                        costs_.name);
    }
    std::vector<double> costs;
    for (const std::size_t column : actions_) {
      double cost = GONOGO_TRY(CostAt(costs_, row, column));
      if (std::isnan(cost) && missing.then == MissingCosts::Then::kRefuse) {
        return WrongCell(costs_, row, column,
                         "the cost of every action: --missing leave-out leaves such queries out, "
                         "--missing NUMBER puts a price there");
      }
      if (std::isnan(cost) && missing.then == MissingCosts::Then::kLeaveOut) {
        ++left_out_;
        return {};
      }
      if (std::isnan(cost)) {
        ++priced_;
        cost = missing.price;
      }
      costs.push_back(cost);
    }
    table_.queries.push_back(query);
    table_.cost.insert(table_.cost.end(), costs.begin(), costs.end());
    GONOGO_TRY(AddSuccess(query));
    for (const std::size_t column : looked_at_) {
      table_.values.push_back(features_.cells[seen->second][column]);
    }
    if (const auto cluster = costs_.Find("cluster")) {
      table_.clusters.push_back(costs_.cells[row][*cluster]);
    } else if (const auto other = features_.Find("cluster")) {
      table_.clusters.push_back(features_.cells[seen->second][*other]);
    }
    return {};
  }

  Status AddSuccess(const std::string& query) {
    if (success_ == nullptr) return {};
    const auto row = success_->row_of.find(query);
    if (row == success_->row_of.end()) {
      return InputError("{}: no row for query '{}' of {}", success_->name, Excerpt(query),
                        costs_.name);
    }
    for (const std::string& action : table_.actions) {
      const std::optional<std::size_t> column = success_->Find(action);
      if (!column) {
        return InputError("{}:1: no column '{}'{}, expected one per action of {}", success_->name,
                          action, DidYouMean(action, success_->columns), costs_.name);
      }
      table_.success.push_back(GONOGO_TRY(SuccessAt(*success_, row->second, *column)));
    }
    return {};
  }

  const QueryRows& costs_;
  const QueryRows& features_;
  const QueryRows* success_;
  std::string id_;
  std::vector<std::size_t> actions_;    // columns of the costs
  std::vector<std::size_t> looked_at_;  // columns of the features
  std::size_t left_out_ = 0;
  std::size_t priced_ = 0;
  ImportedTable table_;
};

}  // namespace

Result<ImportedTable> ReadCostMatrix(const CostMatrixFiles& files, const MissingCosts& missing) {
  QueryRows costs = GONOGO_TRY(ReadQueryRows(files.costs));
  QueryRows features = GONOGO_TRY(ReadQueryRows(files.features));
  std::optional<QueryRows> success;
  if (!files.success.empty()) success = GONOGO_TRY(ReadQueryRows(files.success));
  const std::string id = GONOGO_TRY(FindId({&costs, &features}));
  GONOGO_TRY(IndexBy(id, costs));
  GONOGO_TRY(IndexBy(id, features));
  if (success) GONOGO_TRY(IndexBy(id, *success));
  ImportedTable table =
      GONOGO_TRY(Join(costs, features, success ? &*success : nullptr, id).Run(missing));
  table.name = files.costs.stem().string();
  return table;
}

}  // namespace gonogo::audit
