// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/arrange_table.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "gonogo/audit/table/check_table.h"
#include "gonogo/audit/table/internal/names.h"
#include "gonogo/audit/table/internal/table_rules.h"

namespace gonogo::audit {
namespace {

using internal::Column;

/// One loose table on its way to its place.
class Arrangement {
 public:
  Arrangement(OutcomeTable loose, std::span<const std::string> cluster_of, const Protocol& protocol,
              std::string_view name)
      : loose_(std::move(loose)), cluster_of_(cluster_of), protocol_(protocol), name_(name) {}

  [[nodiscard]] Result<OutcomeTable> Run() {
    GONOGO_TRY(PlaceActions());
    GONOGO_TRY(PlaceQueries());
    if (loose_.logged.has_value()) {
      GONOGO_TRY(MoveLog(*loose_.logged));
    } else {
      GONOGO_TRY(Move(Column::kCost, "cost", loose_.cost, table_.cost));
      GONOGO_TRY(Move(Column::kTime, "time", loose_.time, table_.time));
      GONOGO_TRY(Move(Column::kSuccess, "success", loose_.success, table_.success));
      GONOGO_TRY(Move(Column::kEligible, "eligible", loose_.eligible, table_.eligible));
    }
    GONOGO_TRY(MoveChoices());
    GONOGO_TRY(MoveAdapterCost());
    GONOGO_TRY(MoveFeatures());
    table_.declaration = std::move(loose_.declaration);
    table_.declaration_sha256 = std::move(loose_.declaration_sha256);
    table_.provenance = std::move(loose_.provenance);
    table_.notes = std::move(loose_.notes);
    internal::NoteConstantColumns(table_);
    return MakeTable(std::move(table_), TableScope::kWhole, name_);
  }

 private:
  [[nodiscard]] Status PlaceActions() {
    GONOGO_TRY(internal::CheckNames(name_, "actions", loose_.actions));
    GONOGO_TRY(internal::CheckDistinct(name_, "actions", loose_.actions));
    table_.actions = GONOGO_TRY(internal::OrderActions(protocol_, loose_.actions, name_));
    for (const std::string& action : table_.actions) {
      const auto from = std::find(loose_.actions.begin(), loose_.actions.end(), action);
      from_.push_back(static_cast<std::size_t>(from - loose_.actions.begin()));
    }
    return {};
  }

  [[nodiscard]] Status PlaceQueries() {
    if (cluster_of_.empty()) return InputError("{}: there are no queries", name_);
    if (!loose_.queries.empty() && loose_.queries.size() != cluster_of_.size()) {
      return InputError("{}: query has {} names, expected {}, one per cluster entry", name_,
                        loose_.queries.size(), cluster_of_.size());
    }
    GONOGO_TRY(internal::CheckNames(name_, "cluster", cluster_of_));
    GONOGO_TRY(internal::CheckNames(name_, "query", loose_.queries));
    GONOGO_TRY(internal::CheckDistinct(name_, "query", loose_.queries));
    internal::NameIndex clusters;
    std::vector<std::uint32_t> number;
    number.reserve(cluster_of_.size());
    for (const std::string& cluster : cluster_of_) number.push_back(clusters.Number(cluster));
    const std::vector<std::string> names(clusters.names().begin(), clusters.names().end());
    order_ = internal::CanonicalOrder(names, number, loose_.queries);
    std::vector<std::uint32_t> sorted;
    sorted.reserve(order_.size());
    for (const std::size_t query : order_) {
      sorted.push_back(number[query]);
      table_.queries.push_back(loose_.queries.empty() ? std::to_string(query)
                                                      : std::move(loose_.queries[query]));
    }
    internal::SetClusters(names, sorted, table_);
    return {};
  }

  template <typename T>
  [[nodiscard]] Status Move(Column column, std::string_view array, const std::vector<T>& loose,
                            std::vector<T>& cells) const {
    const std::size_t actions = from_.size();
    if (loose.empty() && column != Column::kCost) return {};
    if (loose.size() != order_.size() * actions) {
      return InputError("{}: {} has {} values, expected {} queries x {} actions", name_, array,
                        loose.size(), order_.size(), actions);
    }
    cells.resize(loose.size());
    for (std::size_t query = 0; query < order_.size(); ++query) {
      for (ActionIndex action = 0; action < actions; ++action) {
        const T value = loose[order_[query] * actions + from_[action]];
        const auto expected =
            internal::Expected(column, static_cast<double>(value), action == kDirect);
        if (expected.has_value()) {
          return InputError("{}: {}[{},{}] (query '{}', action '{}') is {}, expected {}", name_,
                            array, order_[query], from_[action], table_.queries[query],
                            table_.actions[action], static_cast<double>(value), *expected);
        }
        cells[table_.cell(query, action)] = value;
      }
    }
    return {};
  }

  /// Values are checked with the whole table.
  [[nodiscard]] Status MoveLog(const LoggedOutcomes& loose) {
    LoggedOutcomes log;
    GONOGO_TRY(MoveActions("action", loose.action, log.action));
    const auto move = [&](std::string_view array, const auto& from, auto& to) -> Status {
      GONOGO_TRY(CheckPerQuery(array, from.size()));
      for (const std::size_t query : order_) {
        if (!from.empty()) to.push_back(from[query]);
      }
      return {};
    };
    GONOGO_TRY(move("cost", loose.cost, log.cost));
    GONOGO_TRY(move("time", loose.time, log.time));
    GONOGO_TRY(move("success", loose.success, log.success));
    GONOGO_TRY(move("eligible", loose.eligible, log.eligible));
    GONOGO_TRY(move("propensity", loose.propensity, log.propensity));
    table_.logged = std::move(log);
    return {};
  }

  [[nodiscard]] Status MoveChoices() { return MoveActions("choice", loose_.choice, table_.choice); }

  [[nodiscard]] Status CheckPerQuery(std::string_view array, std::size_t size) const {
    if (size == 0 || size == order_.size()) return {};
    return InputError("{}: {} has {} values, expected {}, one per query", name_, array, size,
                      order_.size());
  }

  [[nodiscard]] Status MoveActions(std::string_view array, const std::vector<ActionIndex>& loose,
                                   std::vector<ActionIndex>& moved) const {
    if (loose.empty()) return {};
    GONOGO_TRY(CheckPerQuery(array, loose.size()));
    for (const std::size_t query : order_) {
      const auto to = std::find(from_.begin(), from_.end(), loose[query]);
      if (to == from_.end()) {
        return InputError("{}: {}[{}] is {}, expected the index of an action, below {}", name_,
                          array, query, loose[query], from_.size());
      }
      moved.push_back(static_cast<ActionIndex>(to - from_.begin()));
    }
    return {};
  }

  [[nodiscard]] Status MoveAdapterCost() {
    if (loose_.adapter_cost.empty()) return {};
    GONOGO_TRY(CheckPerQuery("adapter_cost", loose_.adapter_cost.size()));
    for (const std::size_t query : order_) {
      table_.adapter_cost.push_back(loose_.adapter_cost[query]);
    }
    return {};
  }

  [[nodiscard]] Status MoveFeatures() {
    for (FeatureGroup& group : loose_.features) {
      GONOGO_TRY(CheckGroup("features", group, order_.size()));
      FeatureMatrix values(group.values.rows(), group.values.cols());
      for (std::size_t query = 0; query < order_.size(); ++query) {
        values.row(Row(query)) = group.values.row(Row(order_[query]));
      }
      table_.features.push_back(
          {std::move(group.name), std::move(group.columns), std::move(values)});
    }
    const std::size_t actions = from_.size();
    for (ActionFeatureGroup& group : loose_.action_features) {
      GONOGO_TRY(CheckGroup("action_features", group, order_.size() * actions));
      FeatureMatrix values(group.values.rows(), group.values.cols());
      for (std::size_t query = 0; query < order_.size(); ++query) {
        for (std::size_t action = 0; action < actions; ++action) {
          values.row(Row(query * actions + action)) =
              group.values.row(Row(order_[query] * actions + from_[action]));
        }
      }
      table_.action_features.push_back(
          {std::move(group.name), std::move(group.columns), std::move(values)});
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

  OutcomeTable loose_;
  std::span<const std::string> cluster_of_;
  const Protocol& protocol_;
  std::string name_;
  OutcomeTable table_;
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
  const EarlierLooks looks = table.earlier_looks;
  // Remarks about columns were made when the table was.
  std::vector<std::string> notes = table.notes;
  OutcomeTable arranged = GONOGO_TRY(ArrangeTable(std::move(table), cluster_of, protocol, name));
  arranged.notes = std::move(notes);
  arranged.earlier_looks = looks;
  return arranged;
}

}  // namespace gonogo::audit
