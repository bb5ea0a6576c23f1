// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/arrange_table.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gonogo/audit/table/check_table.h"
#include "gonogo/audit/table/columns.h"
#include "gonogo/audit/table/internal/names.h"
#include "gonogo/audit/table/internal/table_rules.h"

namespace gonogo::audit {
namespace {

/// A table whose actions and queries are put in their places, column by column.
class Arrangement {
 public:
  Arrangement(OutcomeTable loose, std::span<const std::string> cluster_of, const Protocol& protocol,
              std::string_view name)
      : table_(std::move(loose)), cluster_of_(cluster_of), protocol_(protocol), name_(name) {}

  [[nodiscard]] Result<OutcomeTable> Run() {
    GONOGO_TRY(PlaceActions());
    GONOGO_TRY(PlaceQueries());
    GONOGO_TRY(TryEachColumn(table_, [&](const ColumnInfo& info, auto& column) -> Status {
      if (info.of == ColumnOf::kOutcomes && table_.logged.has_value()) return {};
      return Move(info, column);
    }));
    internal::NoteFeatures(table_);
    return MakeTable(std::move(table_), TableScope::kWhole, name_);
  }

 private:
  [[nodiscard]] Status PlaceActions() {
    const std::vector<std::string> loose = table_.actions;
    GONOGO_TRY(internal::CheckNames(name_, "actions", loose));
    GONOGO_TRY(internal::CheckDistinct(name_, "actions", loose));
    table_.actions = GONOGO_TRY(internal::OrderActions(protocol_, loose, name_));
    for (const std::string& action : table_.actions) {
      const auto from = std::find(loose.begin(), loose.end(), action);
      from_.push_back(static_cast<std::size_t>(from - loose.begin()));
    }
    return {};
  }

  [[nodiscard]] Status PlaceQueries() {
    std::vector<std::string> loose = std::exchange(table_.queries, {});
    if (cluster_of_.empty()) return InputError("{}: there are no queries", name_);
    if (!loose.empty() && loose.size() != cluster_of_.size()) {
      return InputError("{}: query has {} names, expected {}, one per cluster entry", name_,
                        loose.size(), cluster_of_.size());
    }
    GONOGO_TRY(internal::CheckNames(name_, "cluster", cluster_of_));
    GONOGO_TRY(internal::CheckNames(name_, "query", loose));
    GONOGO_TRY(internal::CheckDistinct(name_, "query", loose));
    internal::NameIndex clusters;
    std::vector<std::uint32_t> number;
    number.reserve(cluster_of_.size());
    for (const std::string& cluster : cluster_of_) number.push_back(clusters.Number(cluster));
    const std::vector<std::string> names(clusters.names().begin(), clusters.names().end());
    order_ = internal::CanonicalOrder(names, number, loose);
    std::vector<std::uint32_t> sorted;
    sorted.reserve(order_.size());
    for (const std::size_t query : order_) {
      sorted.push_back(number[query]);
      table_.queries.push_back(loose.empty() ? std::to_string(query) : std::move(loose[query]));
    }
    table_.clusters.clear();
    table_.cluster_begin.clear();
    internal::SetClusters(names, sorted, table_);
    return {};
  }

  template <typename T>
  [[nodiscard]] Status Move(const ColumnInfo& info, std::vector<T>& values) const {
    if (values.empty() && !info.required) return {};
    if (info.per_action) return MoveCells(info.holds, info.name, values);
    if (values.size() != order_.size()) {
      return InputError("{}: {} has {} values, expected {}, one per query", name_, info.name,
                        values.size(), order_.size());
    }
    std::vector<T> moved;
    moved.reserve(values.size());
    for (const std::size_t query : order_) moved.push_back(values[query]);
    values = std::move(moved);
    if constexpr (std::is_same_v<T, ActionIndex>) return RenumberActions(info.name, values);
    return {};  // checked with the whole table
  }

  [[nodiscard]] Status Move(const ColumnInfo& info, NamedOutcome& outcome) const {
    return MoveCells(info.holds, outcome.name, outcome.values);
  }

  template <typename Group>
  requires kIsFeatures<Group>
  [[nodiscard]] Status Move(const ColumnInfo& info, Group& group) const {
    const std::size_t actions = info.per_action ? from_.size() : 1;
    GONOGO_TRY(CheckGroup(info.name, group, order_.size() * actions));
    FeatureMatrix values(group.values.rows(), group.values.cols());
    for (std::size_t query = 0; query < order_.size(); ++query) {
      for (std::size_t action = 0; action < actions; ++action) {
        const std::size_t from = info.per_action ? from_[action] : 0;
        values.row(Row(query * actions + action)) =
            group.values.row(Row(order_[query] * actions + from));
      }
    }
    group.values = std::move(values);
    return {};
  }

  template <typename T>
  [[nodiscard]] Status MoveCells(Holds holds, std::string_view array,
                                 std::vector<T>& values) const {
    const std::size_t actions = from_.size();
    if (values.size() != order_.size() * actions) {
      return InputError("{}: {} has {} values, expected {} queries x {} actions", name_, array,
                        values.size(), order_.size(), actions);
    }
    std::vector<T> cells(values.size());
    for (std::size_t query = 0; query < order_.size(); ++query) {
      for (ActionIndex action = 0; action < actions; ++action) {
        const T value = values[order_[query] * actions + from_[action]];
        const auto expected =
            internal::Expected(holds, static_cast<double>(value), action == kDirect);
        if (expected.has_value()) {
          return InputError("{}: {}[{},{}] (query '{}', action '{}') is {}, expected {}", name_,
                            array, order_[query], from_[action], table_.queries[query],
                            table_.actions[action], static_cast<double>(value), *expected);
        }
        cells[table_.cell(query, action)] = value;
      }
    }
    values = std::move(cells);
    return {};
  }

  [[nodiscard]] Status RenumberActions(std::string_view array,
                                       std::vector<ActionIndex>& actions) const {
    for (std::size_t query = 0; query < actions.size(); ++query) {
      const auto to = std::find(from_.begin(), from_.end(), actions[query]);
      if (to == from_.end()) {
        return InputError("{}: {}[{}] is {}, expected the index of an action, below {}", name_,
                          array, order_[query], actions[query], from_.size());
      }
      actions[query] = static_cast<ActionIndex>(to - from_.begin());
    }
    return {};
  }

  /// The row is named as the caller knows it, before it moves.
  template <typename Group>
  [[nodiscard]] Status CheckGroup(std::string_view array, const Group& group,
                                  std::size_t rows) const {
    if (static_cast<std::size_t>(group.values.rows()) != rows) {
      return InputError("{}: {} '{}' has {} rows, expected {}", name_, array, group.name,
                        group.values.rows(), rows);
    }
    if (group.values.cols() == 0) {
      return InputError("{}: {} '{}' has no columns, expected at least one", name_, array,
                        group.name);
    }
    if (group.values.allFinite()) return {};
    for (Eigen::Index i = 0; i < group.values.rows(); ++i) {
      for (Eigen::Index j = 0; j < group.values.cols(); ++j) {
        const auto expected = internal::ExpectedFeature(group.values(i, j));
        if (!expected.has_value()) continue;
        return InputError("{}: {} '{}' row {}, column {} is {}, expected {}", name_, array,
                          group.name, i, j, group.values(i, j), *expected);
      }
    }
    return {};
  }

  [[nodiscard]] static Eigen::Index Row(std::size_t row) { return static_cast<Eigen::Index>(row); }

  OutcomeTable table_;
  std::span<const std::string> cluster_of_;
  const Protocol& protocol_;
  std::string name_;
  std::vector<std::size_t> from_;   ///< where each action of the table was
  std::vector<std::size_t> order_;  ///< where each query of the table was
};

}  // namespace

Result<OutcomeTable> ArrangeTable(OutcomeTable loose, std::span<const std::string> cluster_of,
                                  const Protocol& protocol, std::string_view name) {
  return Arrangement(std::move(loose), cluster_of, protocol, name).Run();
}

Result<OutcomeTable> ArrangeTable(OutcomeTable table, const Protocol& protocol,
                                  std::string_view name) {
  GONOGO_TRY(CheckTable(table, TableScope::kWhole, name));
  std::vector<std::string> cluster_of;
  cluster_of.reserve(table.num_queries());
  for (std::size_t cluster = 0; cluster < table.num_clusters(); ++cluster) {
    cluster_of.resize(table.queries_of(cluster).end, table.clusters[cluster]);
  }
  // Remarks about columns were made when the table was.
  std::vector<std::string> notes = table.notes;
  OutcomeTable arranged = GONOGO_TRY(ArrangeTable(std::move(table), cluster_of, protocol, name));
  arranged.notes = std::move(notes);
  return arranged;
}

}  // namespace gonogo::audit
