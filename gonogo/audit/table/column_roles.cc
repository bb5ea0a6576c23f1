// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/column_roles.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "gonogo/audit/table/internal/column_sketch.h"
#include "gonogo/audit/table/internal/column_words.h"
#include "gonogo/audit/table/internal/direction.h"
#include "gonogo/audit/table/internal/feature_column.h"

namespace gonogo::audit {
namespace {

using internal::ColumnSketch;
using internal::IsComplete;
using internal::IsConstantWithin;

using Words = std::span<const std::string_view>;

/// Hands out columns, each at most once.
class Guesser {
 public:
  explicit Guesser(std::vector<ColumnSketch> columns)
      : columns_(std::move(columns)), taken_(columns_.size(), false) {}

  Result<ColumnRoles> Guess(const std::string& file);

 private:
  template <class Fits>
  [[nodiscard]] std::optional<std::size_t> ByName(Words words, const Fits& fits) const {
    for (const std::string_view word : words) {
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const std::string& name = columns_[i].lower_name;
        const bool alike = name == word || name.starts_with(std::string(word) + "_");
        if (!taken_[i] && alike && fits(columns_[i])) return i;
      }
    }
    return std::nullopt;
  }
  GuessedColumn Take(std::size_t column, std::string reason) {
    taken_[column] = true;
    return {columns_[column].name, std::move(reason)};
  }

  bool GuessWide(ColumnRoles& roles);
  void GuessWideOutcomes(const std::vector<std::string>& actions, ColumnRoles& roles);
  Status GuessQueryAndAction(const std::string& file, ColumnRoles& roles);
  Status GuessCluster(const std::string& file, ColumnRoles& roles);
  Status GuessCost(const std::string& file, ColumnRoles& roles);
  void GuessOptional(ColumnRoles& roles);
  void GuessFeatures(ColumnRoles& roles);
  void GuessReference(ColumnRoles& roles) const;

  std::vector<ColumnSketch> columns_;
  std::vector<bool> taken_;
  std::size_t query_ = 0;
  std::size_t action_ = 0;
};

/// Columns of one kind, one for every action: cost_small and cost_large fit cost_*.
struct Pattern {
  std::string before;
  std::string after;

  [[nodiscard]] std::string With(const std::string& star) const { return before + star + after; }
};

/// The patterns with this word for these names, in front or behind.
std::vector<Pattern> PatternsOf(std::string_view word) {
  std::vector<Pattern> patterns;
  for (const char* sign : {"_", ".", "-", ":", " "}) {
    patterns.push_back({std::string(word) + sign, ""});
    patterns.push_back({"", sign + std::string(word)});
  }
  return patterns;
}

// A table with one row per query has no column of actions: their names are in the header.
bool Guesser::GuessWide(ColumnRoles& roles) {
  const auto several = [](const ColumnSketch& column) { return column.distinct() > 1; };
  if (ByName(internal::kActionWords, several)) return false;
  for (const std::string_view word : internal::kCostWords) {
    for (const Pattern& pattern : PatternsOf(word)) {
      std::vector<std::string> actions;
      for (const ColumnSketch& column : columns_) {
        const std::string& name = column.lower_name;
        const std::size_t around = pattern.before.size() + pattern.after.size();
        if (!column.has_digits || name.size() <= around) continue;
        if (!name.starts_with(pattern.before) || !name.ends_with(pattern.after)) continue;
        const std::string star = name.substr(pattern.before.size(), name.size() - around);
        if (std::find(internal::kNoActions.begin(), internal::kNoActions.end(), star) !=
            internal::kNoActions.end())
          continue;
        actions.push_back(column.name.substr(pattern.before.size(), name.size() - around));
      }
      if (actions.size() < 2) continue;
      roles.cost = {pattern.With("*"), "one column for every action"};
      GuessWideOutcomes(actions, roles);
      return true;
    }
  }
  return false;
}

void Guesser::GuessWideOutcomes(const std::vector<std::string>& actions, ColumnRoles& roles) {
  const auto find = [&](const std::string& name) {
    const auto found =
        std::find_if(columns_.begin(), columns_.end(),
                     [&](const ColumnSketch& column) { return column.name == name; });
    return static_cast<std::size_t>(found - columns_.begin());
  };
  const auto take_all = [&](const std::string& pattern) {
    for (const std::string& action : actions) {
      std::string name = pattern;
      const std::size_t column = find(name.replace(name.find('*'), 1, action));
      if (column == columns_.size() || taken_[column]) return false;
    }
    for (const std::string& action : actions) {
      std::string name = pattern;
      taken_[find(name.replace(name.find('*'), 1, action))] = true;
    }
    return true;
  };
  take_all(roles.cost.name);
  const auto guess = [&](Words words, GuessedColumn& role) {
    for (const std::string_view word : words) {
      for (const Pattern& pattern : PatternsOf(word)) {
        if (!role.name.empty() || !take_all(pattern.With("*"))) continue;
        role = {pattern.With("*"), "one column for every action"};
      }
    }
  };
  guess(internal::kTimeWords, roles.time);
  guess(internal::kSuccessWords, roles.success);
  roles.actions = actions;
  const std::size_t rows = columns_.front().values.size();
  roles.queries = rows;
  const auto query = ByName(internal::kQueryWords,
                            [&](const ColumnSketch& column) { return column.distinct() == rows; });
  if (query) {
    query_ = *query;
    roles.query = Take(query_, "another value on every row");
    return;
  }
  query_ = columns_.size();  // every row is one
  ColumnSketch& every = columns_.emplace_back();
  for (std::size_t row = 0; row < rows; ++row)
    every.values.push_back(every.texts.Number(std::to_string(row)));
  taken_.push_back(true);
}

Status Guesser::GuessQueryAndAction(const std::string& file, ColumnRoles& roles) {
  const auto several = [](const ColumnSketch& column) { return column.distinct() > 1; };
  const auto query = ByName(internal::kQueryWords, several);
  const auto action = ByName(internal::kActionWords, several);
  if (query && action && *query != *action) {
    query_ = *query;
    action_ = *action;
  } else {
    // The pair of columns that tells every row apart; actions are few and mostly words.
    std::optional<std::pair<std::size_t, std::size_t>> best;
    const auto rank = [&](std::size_t q, std::size_t a) {
      const bool named = (query && *query == q) || (action && *action == a);
      return std::tuple(named, !columns_[a].is_number, -static_cast<long>(columns_[a].distinct()));
    };
    for (std::size_t q = 0; q < columns_.size(); ++q) {
      for (std::size_t a = 0; a < columns_.size(); ++a) {
        const std::size_t actions = columns_[a].distinct();
        if (q == a || actions < 2 || actions > columns_[q].distinct()) continue;
        if (!IsComplete(columns_[q], columns_[a])) continue;
        if (!best || rank(q, a) > rank(best->first, best->second)) best = {q, a};
      }
    }
    if (!best) {
      return InputError(
          "{}: no two columns tell the rows apart as query and action, expected one row for every "
          "pair of them; call them 'query' and 'action'. Where a row is a query and every action "
          "has a "
          "column of its own, call those cost_NAME",
          file);
    }
    std::tie(query_, action_) = *best;
  }
  const bool complete = IsComplete(columns_[query_], columns_[action_]);
  const std::string rows = complete ? "every pair of query and action has one row"
                                    : "not every pair has exactly one row";
  roles.query =
      Take(query_, fmt::format("{} different values; {}", columns_[query_].distinct(), rows));
  roles.action = Take(action_, fmt::format("{} different values", columns_[action_].distinct()));
  roles.queries = columns_[query_].distinct();
  for (const std::string_view name : columns_[action_].texts.names())
    roles.actions.emplace_back(name);
  return {};
}

Status Guesser::GuessCluster(const std::string& file, ColumnRoles& roles) {
  const ColumnSketch& query = columns_[query_];
  const auto groups = [&](const ColumnSketch& column) {
    return column.distinct() > 1 && column.distinct() < query.distinct() &&
           IsConstantWithin(query, column);
  };
  std::optional<std::size_t> cluster = ByName(internal::kClusterWords, groups);
  if (!cluster) {
    // Names of queries may begin anew in every cluster: the reader says on which line.
    cluster = ByName(std::span(internal::kClusterWords).first(1),
                     [](const ColumnSketch& column) { return column.distinct() > 1; });
  }
  for (std::size_t i = 0; i < columns_.size() && !cluster; ++i) {
    if (!taken_[i] && !columns_[i].is_number && groups(columns_[i])) cluster = i;
  }
  if (!cluster) {
    return InputError(
        "{}: no column says which queries belong together; add a column 'cluster' with one name "
        "for all queries of the same source (a day, a customer, a terrain): whole clusters are "
        "resampled, so queries that resemble each other have to share one",
        file);
  }
  roles.clusters = columns_[*cluster].distinct();
  const bool same = groups(columns_[*cluster]);
  roles.cluster = Take(
      *cluster,
      same ? fmt::format("{} different values, the same on all rows of a query", roles.clusters)
           : "its name; but queries of one name are in several clusters");
  return {};
}

Status Guesser::GuessCost(const std::string& file, ColumnRoles& roles) {
  const ColumnSketch& query = columns_[query_];
  const auto differs = [&](const ColumnSketch& column) {
    return column.is_number && !column.is_negative && !column.is_flag &&
           !IsConstantWithin(query, column);
  };
  const auto less = [&](const ColumnSketch& column) {
    return differs(column) && !internal::SaysMoreIsBetter(column.name);
  };
  const auto more = [&](const ColumnSketch& column) {
    return column.is_number && internal::SaysMoreIsBetter(column.name) &&
           !IsConstantWithin(query, column);
  };
  const auto first = [&](const auto& fits) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!taken_[i] && fits(columns_[i])) return i;
    }
    return std::nullopt;
  };
  // What is called a cost and is none in some cells is refused by the reader, which names the line;
  // another column in its place would be a wrong answer without a word.
  const auto called_cost = [&](const ColumnSketch& column) {
    return column.has_digits && !column.is_flag && !column.is_date &&
           !internal::SaysMoreIsBetter(column.name) && !IsConstantWithin(query, column);
  };
  const auto value =
      first([&](const ColumnSketch& column) { return more(column) && !column.is_flag; });
  // What takes long costs, but beside a score it is more often a side effect of what decides.
  const auto named = ByName(internal::kCostWords, called_cost);
  const bool is_time = named && ByName(internal::kTimeWords, [&](const ColumnSketch& column) {
                         return &column == &columns_[*named];
                       });
  if (named && !(is_time && value)) {
    const bool clean = differs(columns_[*named]) && !columns_[*named].is_missing;
    std::string reason = clean ? "its name; smaller is better"
                               : "its name; but not every cell is a number of 0 or more";
    if (value) {
      reason += fmt::format("; of '{}' more is better: if that decides, write reward for cost",
                            columns_[*value].name);
    }
    roles.cost = Take(*named, reason);
    return {};
  }
  auto cost = value;
  if (!cost) {
    if (const auto unnamed = first(less)) {
      roles.cost = Take(*unnamed,
                        "the first column of numbers that differ between the actions of a query; "
                        "smaller is taken to be better: where more is, write reward instead of "
                        "cost");
      return {};
    }
    cost = first(more);
  }
  if (!cost) {
    return InputError(
        "{}: no column of numbers of 0 or more differs between the actions of a query, expected "
        "the cost there; call it 'cost', or 'reward' where more is better",
        file);
  }
  roles.direction = Direction::kOpen;
  roles.cost = Take(*cost, "its name says that more is better, and only you know");
  return {};
}

void Guesser::GuessOptional(ColumnRoles& roles) {
  const auto numbers = [&](const ColumnSketch& column) {
    return column.is_number && !column.is_negative && !column.is_flag;
  };
  const auto flags = [](const ColumnSketch& column) { return column.is_flag; };
  if (const auto time = ByName(internal::kTimeWords, numbers)) {
    roles.time = Take(*time, "its name; counts only where the constraint names time");
  }
  if (const auto success = ByName(internal::kSuccessWords, flags)) {
    roles.success = Take(*success, "its name; 1 where the action did what it should");
  }
  for (std::size_t i = 0; i < columns_.size() && roles.success.name.empty(); ++i) {
    if (taken_[i] || !flags(columns_[i]) || columns_[i].distinct() < 2) continue;
    if (columns_[i].lower_name == "eligible" || IsConstantWithin(columns_[query_], columns_[i]))
      continue;
    roles.success =
        Take(i, "the only column of 0 and 1 that differs between the actions of a query");
  }
  constexpr std::array<std::string_view, 1> kEligible{"eligible"};
  constexpr std::array<std::string_view, 1> kChoice{"choice"};
  if (const auto eligible = ByName(kEligible, flags)) roles.eligible = Take(*eligible, "its name");
  const auto any = [](const ColumnSketch&) { return true; };
  if (const auto choice = ByName(kChoice, any)) roles.choice = Take(*choice, "its name");
}

void Guesser::GuessFeatures(ColumnRoles& roles) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const ColumnSketch& column = columns_[i];
    if (taken_[i] || column.name.empty() || column.lower_name == "declaration_sha256") continue;
    if (!IsConstantWithin(columns_[query_], column)) {
      roles.unused.push_back({column.name,
                              "differs between the actions of a query: an outcome must not be a "
                              "feature; if it is known before acting, name it under "
                              "[table.action_features]"});
    } else if (column.distinct() < 2) {
      roles.unused.push_back({column.name, "never changes"});
    } else if (column.is_number || column.is_truth) {
      roles.features.push_back(
          {column.name, fmt::format("{}, the same on all rows of a query{}",
                                    column.is_truth ? "true or false" : "a number",
                                    column.is_missing ? "; some are missing" : "")});
    } else if (column.is_date) {
      roles.dates.push_back({column.name, "a date: a learner sees day, day of the week and hour"});
    } else if (internal::CanBeCategory(column.texts.names(), roles.queries)) {
      roles.features.push_back(
          {column.name, fmt::format("a category of {} values", column.distinct())});
    } else {
      roles.unused.push_back(
          {column.name,
           fmt::format("holds texts, {} different ones: make vectors of them first, as "
                       "examples/routing/text_vectors.py does",
                       column.distinct())});
    }
  }
}

void Guesser::GuessReference(ColumnRoles& roles) const {
  for (const std::string_view word : internal::kReferenceWords) {
    for (const std::string& action : roles.actions) {
      std::string lower;
      for (const char c : action)
        lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      if (lower == word) {
        roles.reference = {action, "its name: what is done without an adapter"};
        roles.reference_is_known = true;
        return;
      }
    }
  }
  roles.reference = {roles.actions.front(),
                     "the first action of the file; name the one that is used today"};
}

Result<ColumnRoles> Guesser::Guess(const std::string& file) {
  if (columns_.empty() || columns_.front().values.empty()) {
    return InputError("{}: no rows after the header", file);
  }
  ColumnRoles roles;
  const bool wide = GuessWide(roles);
  if (!wide) GONOGO_TRY(GuessQueryAndAction(file, roles));
  GONOGO_TRY(GuessCluster(file, roles));
  if (!wide) GONOGO_TRY(GuessCost(file, roles));
  if (!wide) GuessOptional(roles);
  GuessFeatures(roles);
  GuessReference(roles);
  return roles;
}

}  // namespace

Result<ColumnRoles> GuessRoles(io::CsvReader& reader) {
  std::vector<ColumnSketch> columns = GONOGO_TRY(internal::SketchColumns(reader));
  return Guesser(std::move(columns)).Guess(reader.name());
}

}  // namespace gonogo::audit
