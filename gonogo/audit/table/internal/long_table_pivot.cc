// SPDX-License-Identifier: Apache-2.0
// From one row per query and action to one row per query, with all its actions.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "gonogo/audit/table/internal/long_table.h"
#include "gonogo/audit/table/internal/table_rules.h"
#include "gonogo/base/nearest.h"
#include "gonogo/base/text.h"

namespace gonogo::audit::internal {
namespace {

constexpr std::uint32_t kNoRow = 0xffffffffU;

std::vector<std::string> Texts(const NameIndex& index) {
  return {index.names().begin(), index.names().end()};
}

bool IsTrue(std::string_view text) {
  return text == "1" || text == "1.0" || ParseTruth(text) == true;
}
bool IsFalse(std::string_view text) {
  return text == "0" || text == "0.0" || ParseTruth(text) == false;
}

}  // namespace

Result<OutcomeTable> LongTable::Pivot(const Protocol& protocol) {
  if (query_.empty()) {
    return InputError("{}: no rows after the header, expected one per query and action",
                      reader_.name());
  }
  GONOGO_TRY(CheckDeclared(protocol.actions));
  const bool is_log = IsLog();
  GONOGO_TRY(is_log ? CheckAllTried(protocol.actions) : CheckEnoughRows());
  std::vector<std::string> found = Texts(actions_);
  Protocol wanted = protocol;
  const bool has_direct = std::find(found.begin(), found.end(), "direct") != found.end();
  if (wanted.reference.empty() && !has_direct && wanted.actions.empty()) {
    wanted.reference = found.front();
  }
  std::sort(found.begin(), found.end(), NaturalLess);
  std::vector<std::string> actions = GONOGO_TRY(OrderActions(wanted, found, reader_.name()));
  OutcomeTable table{.actions = std::move(actions)};
  table.of_rewards = columns_.of_rewards;
  std::vector<ActionIndex> action_number;  // position of an action in the table, by its number here
  for (const std::string_view name : actions_.names()) {
    const auto position = std::find(table.actions.begin(), table.actions.end(), name);
    action_number.push_back(static_cast<ActionIndex>(position - table.actions.begin()));
  }

  const std::vector<std::string> clusters = Texts(clusters_);
  const std::vector<std::string> queries = Texts(queries_);
  const std::vector<std::size_t> order = CanonicalOrder(clusters, cluster_of_, queries);
  std::vector<std::size_t> slot_of_query(order.size());
  std::vector<std::uint32_t> cluster_of_sorted(order.size());
  for (std::size_t slot = 0; slot < order.size(); ++slot) {
    slot_of_query[order[slot]] = slot;
    cluster_of_sorted[slot] = cluster_of_[order[slot]];
    table.queries.push_back(queries[order[slot]]);
    if (!adapter_cost_.empty()) table.adapter_cost.push_back(adapter_cost_[order[slot]]);
  }
  SetClusters(clusters, cluster_of_sorted, table);
  if (is_log) {
    GONOGO_TRY(FillLog(slot_of_query, action_number, table));
  } else {
    GONOGO_TRY(PlaceRows(slot_of_query, action_number, table));
    GONOGO_TRY(FillOutcomes(table));
    GONOGO_TRY(FillChoices(table));
  }
  FillFeatures(order, table);
  table.declaration_sha256 = declaration_sha256_;
  if (!columns_.unused.empty()) {
    table.notes.push_back(fmt::format("{} column(s) not used: {}", columns_.unused.size(),
                                      FirstOf(columns_.unused, 100)));
  }
  if (!is_log && !rows_.propensity.empty()) {
    table.notes.push_back(
        fmt::format("column '{}' is not used: every action was tried at every query, so it does "
                    "not matter how likely each was",
                    reader_.header()[columns_.propensity]));
  }
  NoteFeatures(table);
  return table;
}

Status LongTable::CheckDeclared(const std::vector<std::string>& declared) const {
  if (declared.empty()) return {};
  for (std::uint32_t action = 0; action < actions_.size(); ++action) {
    const std::string_view name = actions_.names()[action];
    if (std::find(declared.begin(), declared.end(), name) != declared.end()) continue;
    const auto row = std::find(action_.begin(), action_.end(), action) - action_.begin();
    return InputError("{}:{}: column '{}' is '{}', expected one of the declared actions{}",
                      reader_.name(), line_[static_cast<std::size_t>(row)],
                      reader_.header()[columns_.action], name, DidYouMean(name, declared));
  }
  return {};
}

// With fewer rows than cells one is missing, and a table of the cells might not even fit in memory:
// a column taken for the actions by mistake has as many values as rows.
Status LongTable::CheckEnoughRows() const {
  if (query_.size() >= queries_.size() * actions_.size()) return {};
  std::vector<std::size_t> rows(queries_.size(), 0);
  for (const std::uint32_t query : query_) ++rows[query];
  const auto incomplete =
      std::find_if(rows.begin(), rows.end(), [&](std::size_t n) { return n < actions_.size(); });
  const auto query = static_cast<std::uint32_t>(incomplete - rows.begin());
  std::vector<bool> present(actions_.size(), false);
  for (std::size_t row = 0; row < query_.size(); ++row) {
    if (query_[row] == query) present[action_[row]] = true;
  }
  const auto action = std::find(present.begin(), present.end(), false) - present.begin();
  return InputError(
      "{}: query '{}' has no row for action '{}', expected one row for each query and action, or "
      "one row for each query in a log of single tries",
      reader_.name(), queries_.names()[query], actions_.names()[static_cast<std::size_t>(action)]);
}

Status LongTable::PlaceRows(const std::vector<std::size_t>& slot_of_query,
                            const std::vector<ActionIndex>& action_number,
                            const OutcomeTable& table) {
  row_at_.assign(table.num_queries() * table.num_actions(), kNoRow);
  for (std::uint32_t row = 0; row < query_.size(); ++row) {
    std::uint32_t& cell =
        row_at_[table.cell(slot_of_query[query_[row]], action_number[action_[row]])];
    if (cell != kNoRow) {
      return InputError(
          "{}:{}: query '{}' and action '{}' were already on line {}, expected one "
          "row for each query and action",
          reader_.name(), line_[row], queries_.names()[query_[row]], actions_.names()[action_[row]],
          line_[cell]);
    }
    cell = row;
  }
  return {};  // as many rows as cells and none twice: none is missing
}

Status LongTable::FillOutcomes(OutcomeTable& table) const {
  const auto pick = [&](const auto& rows, auto& cells) {
    if (rows.empty()) return;
    cells.resize(row_at_.size());
    for (std::size_t cell = 0; cell < row_at_.size(); ++cell) cells[cell] = rows[row_at_[cell]];
  };
  ForEachLogColumn(rows_, [&](const ColumnInfo& from, const auto& rows) {
    ForEachColumn(table, [&](const ColumnInfo& to, auto& cells) {
      using Rows = std::remove_cvref_t<decltype(rows)>;
      if constexpr (std::is_same_v<Rows, std::remove_cvref_t<decltype(cells)>>) {
        if (to.of == ColumnOf::kOutcomes && to.name == from.name) pick(rows, cells);
      }
    });
  });
  const auto refuse = [&](std::size_t query, std::string_view column, double value,
                          std::string_view expected) {
    return InputError("{}:{}: {} of the reference action '{}' is {}, expected {}", reader_.name(),
                      line_[row_at_[table.cell(query, kDirect)]], column, table.actions[kDirect],
                      value, expected);
  };
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    const std::size_t cell = table.cell(query, kDirect);
    if (const auto expected = Expected(Holds::kCost, table.cost[cell], true);
        expected.has_value() && !table.of_rewards) {
      return refuse(query, "cost", table.cost[cell], *expected);
    }
    if (table.time.empty()) continue;
    if (const auto expected = Expected(Holds::kTime, table.time[cell], true)) {
      return refuse(query, "time", table.time[cell], *expected);
    }
  }
  for (std::size_t query = 0; query < table.num_queries() && !table.eligible.empty(); ++query) {
    const double eligible = table.eligible[table.cell(query, kDirect)];
    if (const auto expected = Expected(Holds::kEligible, eligible, true)) {
      return refuse(query, "eligibility", eligible, *expected);
    }
  }
  return {};
}

// Either the same action name on all rows of a query, or a mark on the row that was chosen. A query
// has at least two rows, so the two cannot be confused.
Status LongTable::FillChoices(OutcomeTable& table) const {
  if (choice_.empty()) return {};
  const std::size_t actions = table.num_actions();
  const std::vector<std::string_view>& texts = choices_.names();
  const auto line = [&](std::size_t cell) { return line_[row_at_[cell]]; };
  table.choice.resize(table.num_queries());
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    const std::size_t first = table.cell(query, kDirect);
    const std::uint32_t text = choice_[row_at_[first]];
    std::size_t marked = 0;
    bool same = true;
    for (std::size_t cell = first; cell < first + actions; ++cell) {
      const std::string_view here = texts[choice_[row_at_[cell]]];
      same = same && choice_[row_at_[cell]] == text;
      if (IsTrue(here)) {
        ++marked;
        table.choice[query] = static_cast<ActionIndex>(cell - first);
      } else if (!IsFalse(here)) {
        marked = actions + 1;  // not a mark at all
      }
    }
    if (!same && marked == 1) continue;
    const auto named = std::find(table.actions.begin(), table.actions.end(), texts[text]);
    if (!same || named == table.actions.end()) {
      return InputError(
          "{}:{}: the choice of query '{}' is '{}', expected the name of an action "
          "on all its rows, or 1 on one of them and 0 on the others",
          reader_.name(), line(first), table.queries[query], Excerpt(texts[text]));
    }
    table.choice[query] = static_cast<ActionIndex>(named - table.actions.begin());
  }
  return {};
}

// Row i of the groups is row `from[i]` of `cells`, which has the columns of all groups.
template <typename Group, typename From>
void LongTable::FillGroups(const std::vector<CsvColumns::Group>& names,
                           const std::vector<FeatureColumn>& columns,
                           const std::vector<float>& cells, const From& from,
                           std::vector<Group>& groups, OutcomeTable& table) const {
  std::size_t next = 0;
  for (const CsvColumns::Group& group : names) {
    std::vector<FeatureColumn::Part> parts;
    std::vector<std::size_t> source;
    for (std::size_t end = next + group.columns.size(); next < end; ++next) {
      std::string left_out;
      for (FeatureColumn::Part& part : columns[next].Finish(from.size(), left_out)) {
        parts.push_back(std::move(part));
        source.push_back(next);
      }
      if (!left_out.empty()) table.notes.push_back(std::move(left_out));
    }
    if (parts.empty()) continue;
    Group made{.name = group.name, .columns = {}, .values = {}};
    made.values.resize(static_cast<Eigen::Index>(from.size()),
                       static_cast<Eigen::Index>(parts.size()));
    float* out = made.values.data();
    for (std::size_t row = 0; row < from.size(); ++row) {
      const float* in = &cells[from[row] * columns.size()];
      for (std::size_t p = 0; p < parts.size(); ++p) {
        const float cell = in[source[p]];
        const bool is_text = !parts[p].of_text.empty() && !std::isnan(cell);
        *out++ = is_text ? parts[p].of_text[static_cast<std::size_t>(cell)] : cell;
      }
    }
    for (std::size_t p = 0; p < parts.size(); ++p) {
      made.columns.push_back(std::move(parts[p].name));
      if (parts[p].levels.empty()) continue;
      made.levels.resize(parts.size());
      made.levels[p] = std::move(parts[p].levels);
    }
    groups.push_back(std::move(made));
  }
}

void LongTable::FillFeatures(const std::vector<std::size_t>& order, OutcomeTable& table) const {
  FillGroups(columns_.features, feature_cells_, features_, order, table.features, table);
  FillGroups(columns_.action_features, action_feature_cells_, action_features_, row_at_,
             table.action_features, table);
}

}  // namespace gonogo::audit::internal
