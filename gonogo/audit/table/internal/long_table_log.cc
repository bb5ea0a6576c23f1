// SPDX-License-Identifier: Apache-2.0
// One row per query: what a log has instead of one row per query and action.
#include <algorithm>

#include "gonogo/audit/table/internal/long_table.h"
#include "gonogo/base/text.h"

namespace gonogo::audit::internal {

// A column that was taken for the actions by mistake has a value of its own in (almost) every row.
bool LongTable::IsLog() const {
  return actions_.size() > 1 && query_.size() == queries_.size() &&
         query_.size() >= 2 * actions_.size();
}

Status LongTable::ReadPropensity() {
  const std::size_t column = columns_.propensity;
  if (column == CsvColumns::kAbsent) return {};
  const std::optional<double> propensity = io::ParseNumber(reader_.fields()[column]);
  if (!propensity.has_value()) return CellError(column, "a probability, above 0 and at most 1");
  if (const auto expected = Expected(Holds::kPropensity, *propensity, false)) {
    return CellError(column, *expected);
  }
  rows_.propensity.push_back(*propensity);
  return {};
}

Status LongTable::CheckAllTried(const std::vector<std::string>& declared) const {
  for (const std::string& action : declared) {
    const auto& tried = actions_.names();
    if (std::find(tried.begin(), tried.end(), action) != tried.end()) continue;
    return InputError(
        "{}: the declared action '{}' was never tried in this log, so nothing is known about it: "
        "leave it out of protocol.actions, or try it",
        reader_.name(), action);
  }
  return {};
}

Status LongTable::FillLog(const std::vector<std::size_t>& slot_of_query,
                          const std::vector<ActionIndex>& action_number,
                          OutcomeTable& table) const {
  if (!columns_.action_features.empty()) {
    return InputError(
        "{}: this is a log, with one action for every query, and group '{}' has features that "
        "differ between actions: those of actions that were not tried are not in the table, "
        "expected features of the query only",
        reader_.name(), columns_.action_features.front().name);
  }
  LoggedOutcomes log = rows_;
  for (const std::uint32_t action : action_) log.action.push_back(action_number[action]);
  ForEachLogColumn(log, [&](const ColumnInfo& /*info*/, auto& column) {
    const auto rows = column;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      column[slot_of_query[query_[row]]] = rows[row];
    }
  });
  table.logged = std::move(log);
  if (choice_.empty()) return {};
  table.choice.resize(table.num_queries());
  for (std::size_t row = 0; row < query_.size(); ++row) {
    const std::string_view text = choices_.names()[choice_[row]];
    const auto named = std::find(table.actions.begin(), table.actions.end(), text);
    if (named == table.actions.end()) {
      return InputError("{}:{}: the choice of query '{}' is '{}', expected the name of an action",
                        reader_.name(), line_[row], queries_.names()[query_[row]], Excerpt(text));
    }
    table.choice[slot_of_query[query_[row]]] =
        static_cast<ActionIndex>(named - table.actions.begin());
  }
  return {};
}

}  // namespace gonogo::audit::internal
