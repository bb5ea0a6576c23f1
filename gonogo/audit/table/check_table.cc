// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/check_table.h"

#include <cmath>

#include <fmt/format.h>

#include "gonogo/audit/table/columns.h"
#include "gonogo/audit/table/internal/table_rules.h"
#include "gonogo/base/text.h"

namespace gonogo::audit {
namespace {

/// One table under inspection. Later steps rely on what earlier ones have made sure of.
class Inspection {
 public:
  Inspection(const OutcomeTable& table, TableScope scope, std::string_view name)
      : table_(table), scope_(scope), name_(name) {}

  [[nodiscard]] Status Run() {
    GONOGO_TRY(CheckActions());
    GONOGO_TRY(CheckClusters());
    GONOGO_TRY(CheckQueries());
    GONOGO_TRY(CheckLogStandsAlone());
    GONOGO_TRY(TryEachColumn(table_, [&](const ColumnInfo& info, const auto& column) {
      return CheckColumn(info, column);
    }));
    GONOGO_TRY(internal::CheckDistinct(name_, "feature groups", group_names_));
    return CheckTexts();
  }

 private:
  [[nodiscard]] Status CheckLogStandsAlone() const {
    if (!table_.logged.has_value()) return {};
    bool has_outcomes = table_.scored.has_value();
    ForEachColumn(table_, [&](const ColumnInfo& info, const auto& column) {
      if constexpr (kIsValues<std::remove_cvref_t<decltype(column)>>) {
        has_outcomes = has_outcomes || (info.of == ColumnOf::kOutcomes && !column.empty());
      }
    });
    if (has_outcomes) {
      return InputError(
          "{}: the table is a log, with one action tried at every query, and has outcomes of all "
          "actions too, expected one of them",
          name_);
    }
    if (table_.action_features.empty()) return {};
    return InputError(
        "{}: the table is a log and has features that differ between actions, expected features "
        "of the query only",
        name_);
  }

  template <typename T>
  [[nodiscard]] Status CheckColumn(const ColumnInfo& info, const std::vector<T>& values) const {
    const bool is_outcome = info.of == ColumnOf::kOutcomes;
    if (is_outcome && table_.logged.has_value()) return {};
    if (values.empty() && !info.required) return {};
    // Estimates that stand for outcomes may lie anywhere, and so may rewards.
    const bool anywhere =
        (is_outcome && table_.scored.has_value()) || (info.name == "cost" && table_.of_rewards);
    const Holds holds = anywhere ? Holds::kAnything : info.holds;
    return info.per_action ? CheckCells(holds, info.name, values)
                           : CheckPerQuery(holds, info.name, values);
  }

  [[nodiscard]] Status CheckColumn(const ColumnInfo& info, const NamedOutcome& outcome) const {
    GONOGO_TRY(internal::CheckNames(name_, info.name, std::span(&outcome.name, 1)));
    return CheckCells(info.holds, outcome.name, outcome.values);
  }

  template <typename Group>
  requires kIsFeatures<Group>
  [[nodiscard]] Status CheckColumn(const ColumnInfo& info, const Group& group) {
    GONOGO_TRY(internal::CheckNames(name_, info.name, std::span(&group.name, 1)));
    group_names_.push_back(group.name);
    const std::string place = fmt::format("{} '{}'", info.name, group.name);
    const std::size_t rows = info.per_action ? queries_ * actions_ : queries_;
    if (static_cast<std::size_t>(group.values.rows()) != rows) {
      return InputError("{}: {} has {} rows, expected {}, one per query{}", name_, place,
                        group.values.rows(), rows, info.per_action ? " and action" : "");
    }
    if (group.columns.size() != static_cast<std::size_t>(group.values.cols())) {
      return InputError("{}: {} names {} columns, expected {}", name_, place, group.columns.size(),
                        group.values.cols());
    }
    GONOGO_TRY(CheckNames(place + " columns", group.columns));
    GONOGO_TRY(CheckLevels(place, group));
    return CheckValues(place, group.columns, group.values);
  }

  /// The values of a category are positions among its levels.
  template <typename Group>
  [[nodiscard]] Status CheckLevels(const std::string& place, const Group& group) const {
    if (group.levels.empty()) return {};
    if (group.levels.size() != group.columns.size()) {
      return InputError("{}: {} has levels of {} columns, expected {}", name_, place,
                        group.levels.size(), group.columns.size());
    }
    for (std::size_t j = 0; j < group.levels.size(); ++j) {
      const std::vector<std::string>& levels = group.levels[j];
      if (levels.empty()) continue;
      GONOGO_TRY(CheckNames(fmt::format("levels of '{}'", group.columns[j]), levels));
      for (Eigen::Index i = 0; i < group.values.rows(); ++i) {
        const float value = group.values(i, static_cast<Eigen::Index>(j));
        const bool is_level = value >= 0.0F && value == std::floor(value) &&
                              static_cast<double>(value) < static_cast<double>(levels.size());
        if (is_level || std::isnan(value)) continue;
        return InputError(
            "{}: {} row {}, column '{}' is {}, expected the position of one of its {} levels",
            name_, place, i, group.columns[j], value, levels.size());
      }
    }
    return {};
  }

  [[nodiscard]] Error NotPerQuery(std::string_view what, std::size_t found) const {
    return InputError("{}: {} has {} values, expected {}, one per query", name_, what, found,
                      queries_);
  }

  template <typename T>
  [[nodiscard]] Status CheckPerQuery(Holds holds, std::string_view what,
                                     const std::vector<T>& values) const {
    if (values.size() != queries_) return NotPerQuery(what, values.size());
    for (std::size_t query = 0; query < queries_; ++query) {
      const auto value = static_cast<double>(values[query]);
      if (holds == Holds::kAction && value >= static_cast<double>(actions_)) {
        return InputError("{}: {} of query {} is {}, expected the index of an action, below {}",
                          name_, what, QueryName(query), value, actions_);
      }
      const auto expected = internal::Expected(holds, value, false);
      if (!expected.has_value()) continue;
      return InputError("{}: {} of query {} is {}, expected {}", name_, what, QueryName(query),
                        value, *expected);
    }
    return {};
  }

  [[nodiscard]] Status CheckActions() const {
    GONOGO_TRY(internal::CheckActionCount(name_, table_.actions));
    return CheckNames("actions", table_.actions);
  }

  [[nodiscard]] Status CheckNames(std::string_view list,
                                  const std::vector<std::string>& names) const {
    GONOGO_TRY(internal::CheckNames(name_, list, names));
    return internal::CheckDistinct(name_, list, names);
  }

  [[nodiscard]] Status CheckClusters() {
    const std::size_t clusters = table_.clusters.size();
    if (clusters < (scope_ == TableScope::kWhole ? 2U : 1U)) {
      return InputError("{}: found {} cluster(s), expected at least {}", name_, clusters,
                        scope_ == TableScope::kWhole ? "two independent ones" : "one");
    }
    GONOGO_TRY(CheckNames("clusters", table_.clusters));
    const std::vector<std::size_t>& begin = table_.cluster_begin;
    if (begin.size() != clusters + 1) {
      return InputError(
          "{}: cluster_begin has {} offsets, expected {}: one per cluster and the end", name_,
          begin.size(), clusters + 1);
    }
    if (begin.front() != 0) {
      return InputError("{}: cluster_begin[0] is {}, expected 0", name_, begin.front());
    }
    for (std::size_t k = 0; k < clusters; ++k) {
      if (begin[k] < begin[k + 1]) continue;
      return InputError(
          "{}: cluster_begin[{}] is {}, expected more than cluster_begin[{}] = {}: cluster '{}' "
          "needs a query and none of another one's",
          name_, k + 1, begin[k + 1], k, begin[k], table_.clusters[k]);
    }
    queries_ = begin.back();
    actions_ = table_.actions.size();
    // Whatever the offsets promise has to be there; a product that overflows would hide it.
    const bool is_log = table_.logged.has_value();
    if (!is_log && queries_ > table_.cost.size())
      return WrongLength("cost", table_.cost.size(), "values");
    return {};
  }

  [[nodiscard]] Status CheckQueries() const {
    if (table_.queries.empty()) return {};  // nobody asked for names
    if (table_.queries.size() != queries_) {
      return InputError("{}: queries has {} names, expected {}, as cluster_begin ends there", name_,
                        table_.queries.size(), queries_);
    }
    return CheckNames("queries", table_.queries);
  }

  [[nodiscard]] Error WrongLength(std::string_view what, std::size_t found,
                                  std::string_view of_what) const {
    return InputError("{}: {} has {} {}, expected {} queries x {} actions", name_, what, found,
                      of_what, queries_, actions_);
  }

  template <typename T>
  [[nodiscard]] Status CheckCells(Holds holds, std::string_view what,
                                  const std::vector<T>& cells) const {
    if (cells.size() != queries_ * actions_) return WrongLength(what, cells.size(), "values");
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      const auto value = static_cast<double>(cells[cell]);
      const auto expected = internal::Expected(holds, value, cell % actions_ == kDirect);
      if (!expected.has_value()) continue;
      return InputError("{}: {} of query {} and action '{}' is {}, expected {}", name_, what,
                        QueryName(cell / actions_), table_.actions[cell % actions_], value,
                        *expected);
    }
    return {};
  }

  [[nodiscard]] Status CheckValues(const std::string& place,
                                   const std::vector<std::string>& columns,
                                   const FeatureMatrix& values) const {
    if (values.allFinite()) return {};
    for (Eigen::Index i = 0; i < values.rows(); ++i) {
      for (Eigen::Index j = 0; j < values.cols(); ++j) {
        const auto expected = internal::ExpectedFeature(values(i, j));
        if (!expected.has_value()) continue;
        return InputError("{}: {} row {}, column '{}' is {}, expected {}", name_, place, i,
                          columns[static_cast<std::size_t>(j)], values(i, j), *expected);
      }
    }
    return {};
  }

  /// Results quote these, and a JSON file holds nothing but text.
  [[nodiscard]] Status CheckTexts() const {
    GONOGO_TRY(CheckText("declaration", table_.declaration));
    GONOGO_TRY(CheckText("declaration_sha256", table_.declaration_sha256));
    GONOGO_TRY(CheckText("provenance", table_.provenance));
    for (const std::string& note : table_.notes) GONOGO_TRY(CheckText("notes", note));
    return {};
  }

  [[nodiscard]] Status CheckText(std::string_view what, const std::string& text) const {
    if (IsText(text)) return {};
    return InputError("{}: {} is '{}', expected UTF-8 text", name_, what, Excerpt(text));
  }

  [[nodiscard]] std::string QueryName(std::size_t query) const {
    return table_.queries.empty() ? fmt::format("{}", query)
                                  : fmt::format("'{}'", table_.queries[query]);
  }

  const OutcomeTable& table_;
  TableScope scope_;
  std::string_view name_;
  std::size_t queries_ = 0;
  std::size_t actions_ = 0;
  std::vector<std::string> group_names_;
};

}  // namespace

Status CheckTable(const OutcomeTable& table, TableScope scope, std::string_view name) {
  return Inspection(table, scope, name).Run();
}

Result<OutcomeTable> MakeTable(OutcomeTable parts, TableScope scope, std::string_view name) {
  GONOGO_TRY(CheckTable(parts, scope, name));
  return parts;
}

}  // namespace gonogo::audit
