// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/internal/csv_columns.h"

#include <algorithm>
#include <optional>
#include <set>

#include "gonogo/audit/table/internal/direction.h"
#include "gonogo/audit/table/internal/names.h"
#include "gonogo/audit/table/internal/table_rules.h"
#include "gonogo/base/nearest.h"
#include "gonogo/base/text.h"

namespace gonogo::audit::internal {
namespace {

/// Gives the columns of a file away, each at most once.
class Header {
 public:
  Header(std::span<const std::string> names, const std::string& file)
      : names_(names), file_(file), role_(names.size()), group_(names.size()) {}

  [[nodiscard]] bool Has(const std::string& name) const {
    return std::find(names_.begin(), names_.end(), name) != names_.end();
  }

  /// `role` says what the column holds.
  [[nodiscard]] Status Take(const std::string& name, const std::string& role, std::size_t& column) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) {
      return InputError(
          "{}: no column '{}'{}: expected the {} there; name your column under [table] in the "
          "protocol, or let 'gonogo init {}' find out which column is what",
          file_, name, DidYouMean(name, names_), role, file_);
    }
    if (std::find(found + 1, names_.end(), name) != names_.end()) {
      return InputError("{}: two columns are called '{}', expected one", file_, name);
    }
    column = static_cast<std::size_t>(found - names_.begin());
    if (!role_[column].empty()) {
      return InputError("{}: column '{}' cannot hold both the {} and the {}", file_, name,
                        role_[column], role);
    }
    role_[column] = role;
    return {};
  }

  /// A column that a formula needs may have a role of its own, but is never a feature: in a log
  /// that would tell the learner what came of the choice.
  [[nodiscard]] Status Use(const std::string& name, const std::string& key, std::size_t& column) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) {
      return InputError("{}: no column '{}', which table.{} names{}", file_, name, key,
                        DidYouMean(name, names_));
    }
    if (std::find(found + 1, names_.end(), name) != names_.end()) {
      return InputError("{}: two columns are called '{}', expected one", file_, name);
    }
    column = static_cast<std::size_t>(found - names_.begin());
    if (role_[column].empty()) role_[column] = key;
    return {};
  }

  /// A column of which more is better by its name, where no column is called cost.
  [[nodiscard]] std::optional<Error> AskDirection(const TableColumns& declared) const {
    for (const std::string& name : names_) {
      if (!SaysMoreIsBetter(name) || name == declared.success) continue;
      const std::string quoted = fmt::format("\"{}\"", name);
      return InputError(
          "{0}: no column 'cost', and of '{1}' more is better by its name: is it a reward or a "
          "cost? 'gonogo init {0}' writes a protocol; it needs one of these lines under [table]:\n"
          "{2}",
          file_, name, DirectionLines(quoted, "  "));
    }
    return std::nullopt;
  }

  /// Columns with a role are never features.
  [[nodiscard]] Result<CsvColumns::Group> TakeGroup(const ColumnPattern& group) {
    CsvColumns::Group taken{.name = group.group};
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (!FitsPattern(group.pattern, names_[i]) || !role_[i].empty()) continue;
      if (!group_[i].empty()) {
        return InputError("{}: column '{}' fits both feature groups '{}' and '{}'", file_,
                          names_[i], group_[i], group.group);
      }
      if (!feature_names_.insert(names_[i]).second) {
        return InputError("{}: two columns are called '{}', expected one", file_, names_[i]);
      }
      group_[i] = group.group;
      taken.columns.push_back(i);
    }
    return taken;
  }

  /// Marks the features that fit one of the patterns.
  [[nodiscard]] Status Declare(const std::vector<std::string>& patterns, std::string_view key,
                               FeatureAs as, std::vector<FeatureAs>& declared) const {
    declared.resize(names_.size(), FeatureAs::kFound);
    for (const std::string& pattern : patterns) {
      bool fits = false;
      for (std::size_t i = 0; i < names_.size(); ++i) {
        if (group_[i].empty() || !FitsPattern(pattern, names_[i])) continue;
        fits = true;
        if (declared[i] != FeatureAs::kFound && declared[i] != as) {
          return InputError(
              "{}: column '{}' is in table.categories and in table.dates, expected one", file_,
              names_[i]);
        }
        declared[i] = as;
      }
      if (fits) continue;
      return InputError(
          "{}: no feature fits '{}' of table.{}{}: name it under [table.features] too", file_,
          pattern, key, DidYouMean(pattern, names_));
    }
    return {};
  }

  [[nodiscard]] std::vector<std::string> Unused() const {
    std::vector<std::string> unused;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (role_[i].empty() && group_[i].empty()) unused.push_back(names_[i]);
    }
    return unused;
  }

 private:
  std::span<const std::string> names_;
  const std::string& file_;
  std::vector<std::string> role_;   // empty: none
  std::vector<std::string> group_;  // empty: none
  std::set<std::string_view> feature_names_;
};

/// What stands for the cost: a column or a formula of columns.
Status TakeFormula(const TableColumns& names, Header& header, CsvColumns& columns) {
  columns.of_rewards = !names.reward.empty();
  const std::string& text = columns.of_rewards ? names.reward : names.objective;
  if (text.empty()) return {};
  const std::string key = columns.of_rewards ? "reward" : "objective";
  columns.formula = header.Has(text) ? Formula::Column(text) : GONOGO_TRY(Formula::Parse(text));
  for (const std::string& name : columns.formula->columns()) {
    GONOGO_TRY(header.Use(name, key, columns.formula_columns.emplace_back()));
  }
  return {};
}

bool HasStar(const std::string& name) { return name.find('*') != std::string::npos; }

/// The text that the star of the pattern stands for in the name; nothing where it does not fit.
std::optional<std::string> StarIn(const std::string& pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  const std::string_view before = std::string_view(pattern).substr(0, star);
  const std::string_view after = std::string_view(pattern).substr(star + 1);
  if (name.size() <= before.size() + after.size()) return std::nullopt;
  if (!name.starts_with(before) || !name.ends_with(after)) return std::nullopt;
  return std::string(name.substr(before.size(), name.size() - before.size() - after.size()));
}

/// The columns of every action.
Status TakeActions(const TableColumns& names, std::span<const std::string> wanted,
                   std::span<const std::string> header, const std::string& file, Header& free,
                   CsvColumns& columns) {
  for (const std::string& column : header) {
    const std::optional<std::string> action = StarIn(names.cost, column);
    const bool is_meant = wanted.empty() || (action && std::find(wanted.begin(), wanted.end(),
                                                                 *action) != wanted.end());
    if (action && is_meant) columns.actions.push_back({.name = *action});
  }
  if (columns.actions.size() < 2) {
    return InputError(
        "{}:1: {} column(s) fit table.cost = '{}'{}, expected one for every action, at least two",
        file, columns.actions.size(), names.cost,
        wanted.empty() ? "" : " with an action of protocol.actions for the star");
  }
  struct Outcome {
    const std::string& pattern;
    std::string_view meaning;
    std::size_t CsvColumns::Action::*column;
  };
  using Action = CsvColumns::Action;
  for (const Outcome& outcome :
       {Outcome{names.cost, "cost", &Action::cost}, Outcome{names.time, "time", &Action::time},
        Outcome{names.success, "success", &Action::success},
        Outcome{names.eligible, "eligibility", &Action::eligible}}) {
    if (!HasStar(outcome.pattern)) continue;
    for (Action& action : columns.actions) {
      std::string name = outcome.pattern;
      name.replace(name.find('*'), 1, action.name);
      GONOGO_TRY(free.Take(name, fmt::format("{} of action '{}'", outcome.meaning, action.name),
                           action.*outcome.column));
    }
  }
  return {};
}

Status TakeRoles(const TableColumns& names, const std::string& file, Header& header,
                 CsvColumns& columns) {
  const TableColumns usual;
  const bool wide = HasStar(names.cost);
  const bool says_work = names.cost == usual.cost && !header.Has("cost") && header.Has("work");
  const bool has_formula = !names.reward.empty() || !names.objective.empty();
  if (!has_formula && names.cost == usual.cost && !says_work && !header.Has("cost")) {
    if (const std::optional<Error> open = header.AskDirection(names)) return *open;
  }
  struct Role {
    std::string name;
    std::string usual;
    std::string meaning;
    bool optional;
    std::size_t* column;
  };
  const std::vector<Role> roles = {
      {names.cluster, usual.cluster, "cluster", false, &columns.cluster},
      {names.query, usual.query, "query", false, &columns.query},
      {names.action, usual.action, "action", false, &columns.action},
      {says_work ? "work" : names.cost, usual.cost, "cost", false, &columns.cost},
      {names.time, usual.time, "time", true, &columns.time},
      {names.success, usual.success, "success", true, &columns.success},
      {names.eligible, usual.eligible, "eligibility", true, &columns.eligible},
      {names.choice, usual.choice, "choice", true, &columns.choice},
      {names.adapter_cost, usual.adapter_cost, "adapter's cost", true, &columns.adapter_cost},
      {names.propensity, usual.propensity, "propensity", true, &columns.propensity},
      {"declaration_sha256", "declaration_sha256", "declaration", true, &columns.declaration}};
  for (const Role& role : roles) {
    const bool is_outcome = role.column == &columns.cost || role.column == &columns.time ||
                            role.column == &columns.success || role.column == &columns.eligible;
    if (wide && is_outcome && !HasStar(role.name) && role.name != role.usual) {
      return InputError(
          "{}:1: table.{} is '{}', expected a star for the action in it, as in table.cost = '{}'",
          file, role.usual, role.name, names.cost);
    }
    if (wide && (is_outcome || role.column == &columns.action)) continue;
    const bool unnamed = wide && role.column == &columns.query && role.name == usual.query;
    if (unnamed && !header.Has(role.name)) continue;  // a row is a query
    // A renamed column was asked for, so it has to be there.
    if (role.optional && role.name == role.usual && !header.Has(role.name)) continue;
    if (role.column == &columns.cost && has_formula) continue;
    GONOGO_TRY(header.Take(role.name, role.meaning, *role.column));
  }
  return {};
}

Status TakeGroups(const std::vector<ColumnPattern>& patterns, bool required,
                  const std::string& file, Header& header, std::vector<CsvColumns::Group>& groups) {
  for (const ColumnPattern& pattern : patterns) {
    CsvColumns::Group group = GONOGO_TRY(header.TakeGroup(pattern));
    if (!group.columns.empty()) {
      groups.push_back(std::move(group));
    } else if (required) {
      return InputError("{}: no column fits the pattern '{}' of feature group '{}'", file,
                        pattern.pattern, pattern.group);
    }
  }
  return {};
}

}  // namespace

Result<CsvColumns> FindColumns(std::span<const std::string> header, const TableColumns& names,
                               std::span<const std::string> actions, const std::string& file) {
  static const std::vector<ColumnPattern> kUsualFeatures = {
      {"obs", "obs_*"}, {"target", "target_*"}, {"features", "f_*"}};
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto expected = ExpectedName(header[i]);
    if (!expected.has_value() || header[i].empty()) continue;
    return InputError("{}:1: column {} is called '{}', expected {}", file, i + 1,
                      Excerpt(header[i]), *expected);
  }
  CsvColumns columns;
  Header free(header, file);
  Status status = TakeRoles(names, file, free, columns);
  if (status.ok() && HasStar(names.cost)) {
    status = TakeActions(names, actions, header, file, free, columns);
  }
  if (status.ok()) status = TakeFormula(names, free, columns);
  if (status.ok()) {
    status = TakeGroups(names.action_features, true, file, free, columns.action_features);
  }
  if (status.ok()) {
    const bool declared = !names.features.empty();
    status = TakeGroups(declared ? names.features : kUsualFeatures, declared, file, free,
                        columns.features);
  }
  if (status.ok()) {
    status = free.Declare(names.categories, "categories", FeatureAs::kCategory, columns.as);
  }
  if (status.ok()) status = free.Declare(names.dates, "dates", FeatureAs::kDate, columns.as);
  if (!status.ok()) return status.error();
  columns.unused = free.Unused();
  return columns;
}

Error TwoClusters(const io::CsvReader& reader, std::size_t query, std::size_t cluster,
                  std::string_view above) {
  return InputError(
      "{}:{}: query '{}' is in cluster '{}' here and in cluster '{}' above, expected one cluster "
      "per "
      "query. Where names of queries begin anew in every cluster, join the two: awk -F, "
      "'NR>1{{${}=${}\"-\"${}}}1' OFS=, makes such names",
      reader.name(), reader.line(), Excerpt(reader.fields()[query]),
      Excerpt(reader.fields()[cluster]), Excerpt(above), query + 1, cluster + 1, query + 1);
}

Error WrongCell(const io::CsvReader& reader, std::size_t column, std::string_view expected) {
  const std::string_view cell = reader.fields()[column];
  const bool has_more =
      expected == "a number" && cell.find_first_of("0123456789") != std::string_view::npos;
  return InputError(
      "{}:{}: column '{}' is '{}', expected {}{}", reader.name(), reader.line(),
      reader.header()[column], Excerpt(cell), expected,
      has_more ? " alone: without a currency, a unit or signs between thousands" : "");
}

}  // namespace gonogo::audit::internal
