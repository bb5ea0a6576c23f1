// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/check_table.h"

#include <fmt/format.h>

#include "gonogo/audit/table/internal/table_rules.h"
#include "gonogo/base/text.h"

namespace gonogo::audit {
namespace {

using internal::Column;

/// One table under inspection. Later steps rely on what earlier ones have made sure of.
class Inspection {
 public:
  Inspection(const OutcomeTable& table, TableScope scope, std::string_view name)
      : table_(table), scope_(scope), name_(name) {}

  [[nodiscard]] Status Run() {
    GONOGO_TRY(CheckActions());
    GONOGO_TRY(CheckClusters());
    GONOGO_TRY(CheckQueries());
    GONOGO_TRY(table_.logged.has_value() ? CheckLog(*table_.logged) : CheckOutcomes());
    for (const NamedOutcome& outcome : table_.other_outcomes) {
      GONOGO_TRY(internal::CheckNames(name_, "other_outcomes", std::span(&outcome.name, 1)));
      GONOGO_TRY(CheckCells(Column::kOther, outcome.name, outcome.values, true));
    }
    GONOGO_TRY(CheckChoices());
    GONOGO_TRY(CheckAdapterCost());
    GONOGO_TRY(CheckGroups("features", table_.features, queries_, "one per query"));
    GONOGO_TRY(CheckGroups("action_features", table_.action_features, queries_ * actions_,
                           "one per query and action"));
    GONOGO_TRY(internal::CheckDistinct(name_, "feature groups", group_names_));
    return CheckTexts();
  }

 private:
  [[nodiscard]] Status CheckOutcomes() const {
    const bool scored = table_.scored.has_value();  // estimates may lie anywhere
    GONOGO_TRY(CheckCells(scored ? Column::kOther : Column::kCost, "cost", table_.cost, true));
    GONOGO_TRY(CheckCells(Column::kTime, "time", table_.time, false));
    GONOGO_TRY(CheckCells(Column::kSuccess, "success", table_.success, false));
    GONOGO_TRY(CheckCells(Column::kEligible, "eligible", table_.eligible, false));
    if (!scored) return {};
    const ScoredOutcomes& scores = *table_.scored;
    GONOGO_TRY(CheckCells(Column::kOther, "violation scores", scores.violation, false));
    GONOGO_TRY(CheckCells(Column::kOther, "success scores", scores.success, false));
    GONOGO_TRY(CheckCells(Column::kOther, "predicted costs", scores.predicted, true));
    GONOGO_TRY(CheckCells(Column::kOther, "weights", scores.weight, true));
    return CheckCells(Column::kOther, "costs seen", scores.seen, true);
  }

  [[nodiscard]] Status CheckLog(const LoggedOutcomes& log) const {
    if (!table_.cost.empty() || !table_.time.empty() || !table_.success.empty() ||
        !table_.eligible.empty() || table_.scored.has_value()) {
      return InputError(
          "{}: the table is a log, with one action tried at every query, and has outcomes of all "
          "actions too, expected one of them",
          name_);
    }
    if (!table_.action_features.empty()) {
      return InputError(
          "{}: the table is a log and has features that differ between actions, expected features "
          "of the query only",
          name_);
    }
    if (log.action.size() != queries_) return NotPerQuery("action tried", log.action.size());
    for (std::size_t query = 0; query < queries_; ++query) {
      if (log.action[query] < actions_) continue;
      return InputError("{}: action tried at query {} is {}, expected an index below {}", name_,
                        QueryName(query), log.action[query], actions_);
    }
    if (log.cost.size() != queries_) return NotPerQuery("cost", log.cost.size());
    GONOGO_TRY(CheckPerQuery(Column::kCost, "cost", log.cost));
    GONOGO_TRY(CheckPerQuery(Column::kTime, "time", log.time));
    GONOGO_TRY(CheckPerQuery(Column::kSuccess, "success", log.success));
    GONOGO_TRY(CheckPerQuery(Column::kEligible, "eligible", log.eligible));
    return CheckPerQuery(Column::kPropensity, "propensity", log.propensity);
  }

  [[nodiscard]] Error NotPerQuery(std::string_view what, std::size_t found) const {
    return InputError("{}: {} has {} values, expected {}, one per query", name_, what, found,
                      queries_);
  }

  template <typename T>
  [[nodiscard]] Status CheckPerQuery(Column column, std::string_view what,
                                     const std::vector<T>& values) const {
    if (values.empty()) return {};
    if (values.size() != queries_) return NotPerQuery(what, values.size());
    for (std::size_t query = 0; query < queries_; ++query) {
      const auto value = static_cast<double>(values[query]);
      const auto expected = internal::Expected(column, value, false);
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
  [[nodiscard]] Status CheckCells(Column column, std::string_view what, const std::vector<T>& cells,
                                  bool required) const {
    if (cells.empty() && !required) return {};
    if (cells.size() != queries_ * actions_) return WrongLength(what, cells.size(), "values");
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      const auto value = static_cast<double>(cells[cell]);
      const auto expected = internal::Expected(column, value, cell % actions_ == kDirect);
      if (!expected.has_value()) continue;
      return InputError("{}: {} of query {} and action '{}' is {}, expected {}", name_, what,
                        QueryName(cell / actions_), table_.actions[cell % actions_], value,
                        *expected);
    }
    return {};
  }

  [[nodiscard]] Status CheckChoices() const {
    if (table_.choice.empty()) return {};
    if (table_.choice.size() != queries_) return NotPerQuery("choice", table_.choice.size());
    for (std::size_t query = 0; query < queries_; ++query) {
      if (table_.choice[query] < actions_) continue;
      return InputError("{}: choice of query {} is {}, expected the index of an action, below {}",
                        name_, QueryName(query), table_.choice[query], actions_);
    }
    return {};
  }

  [[nodiscard]] Status CheckAdapterCost() const {
    return CheckPerQuery(Column::kCost, "adapter_cost", table_.adapter_cost);
  }

  template <typename Group>
  [[nodiscard]] Status CheckGroups(std::string_view what, const std::vector<Group>& groups,
                                   std::size_t rows, std::string_view why) {
    for (const Group& group : groups) {
      GONOGO_TRY(internal::CheckNames(name_, what, std::span(&group.name, 1)));
      group_names_.push_back(group.name);
      const std::string place = fmt::format("{} '{}'", what, group.name);
      if (static_cast<std::size_t>(group.values.rows()) != rows) {
        return InputError("{}: {} has {} rows, expected {}, {}", name_, place, group.values.rows(),
                          rows, why);
      }
      if (group.columns.size() != static_cast<std::size_t>(group.values.cols())) {
        return InputError("{}: {} names {} columns, expected {}", name_, place,
                          group.columns.size(), group.values.cols());
      }
      GONOGO_TRY(CheckNames(place + " columns", group.columns));
      GONOGO_TRY(CheckValues(place, group.columns, group.values));
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
