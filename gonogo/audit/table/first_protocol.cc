// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/first_protocol.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/audit/table/internal/direction.h"
#include "gonogo/base/text.h"

namespace gonogo::audit {
namespace {

/// A basic string of TOML.
std::string Quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20U || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

bool IsBareKey(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
}

std::string Key(const std::string& text) { return IsBareKey(text) ? text : Quoted(text); }

std::string Line(const std::string& key, const std::string& value, const std::string& comment) {
  const std::string line = fmt::format("{} = {}", key, value);
  return comment.empty() ? line + "\n" : fmt::format("{:<34} # {}\n", line, comment);
}

/// The line of a column that need not be there.
std::string Optional(const std::string& key, const GuessedColumn& column,
                     const std::string& without) {
  if (column.name.empty()) return "# " + Line(key, Quoted(key), without);
  return Line(key, Quoted(column.name), column.reason);
}

/// What decides, and in which direction.
std::string CostLines(const ColumnRoles& roles) {
  const std::string column = Quoted(roles.cost.name);
  if (roles.direction == Direction::kLess) return Line("cost", column, roles.cost.reason);
  if (roles.direction == Direction::kMore) {
    return Line("reward", column, "more is better: gains are shares of what the reference earns");
  }
  return fmt::format(
      "# Of {} more is better by its name, and a guess in the wrong direction would turn every "
      "answer\n# round: take the '#' off one of these two lines.\n{}\n",
      column, internal::DirectionLines(column, "# "));
}

/// What a choice may not do: time is limited only where somebody asked for it.
std::string ConstraintLines(const ColumnRoles& roles) {
  const bool has_time = !roles.time.name.empty();
  std::string text;
  if (!roles.eligible.name.empty()) {
    text = Line("constraint", "\"success and time\"", "here: what the eligibility column says");
  } else if (roles.time_is_limited) {
    text = Line("constraint", "\"success and time\"",
                "a choice may not take much longer than the reference, nor fail where it succeeds");
  } else if (!roles.success.name.empty()) {
    text = Line("constraint", "\"success\"",
                "a choice may not fail where the reference succeeds; others: \"net success\" (on "
                "average), \"none\"");
  } else {
    text = Line("constraint", "\"none\"", "no column says what a choice may not do");
  }
  if (!roles.success.name.empty()) {
    text +=
        "# As cheap as possible with at most one point less success on average, instead of these "
        "two:\n# kappa = 0.01\n# constraint = \"mean success\"\n# A failure that costs 8 units, "
        "whatever the action's price, and forbids nothing:\n# failure_cost = 8.0\n# constraint = "
        "\"none\"\n";
  }
  if (!has_time) return text;
  return text +
         (roles.time_is_limited ? ""
                                : "# constraint = \"success and time\" also forbids what "
                                  "takes longer:\n# ") +
         Line("time_budget", "1.1", "an action may take so many times as long as the reference");
}

}  // namespace

std::string FirstProtocol(const ColumnRoles& roles, const std::string& table) {
  std::vector<std::string> actions;
  for (const std::string& action : roles.actions) actions.push_back(Quoted(action));
  std::string text = fmt::format(
      "# What an audit of {0} asks, guessed by 'gonogo init {0}'. Read every line: the roles of "
      "the\n# columns are guesses, the thresholds are yours to choose.\n\n[protocol]\n",
      table);
  text += Line("name", Quoted(std::filesystem::path(table).stem().string()), "");
  text += Line("reference", Quoted(roles.reference.name), roles.reference.reason);
  text += Line("actions", fmt::format("[{}]", fmt::join(actions, ", ")),
               "what an adapter may choose from");
  text += Line("cluster", Quoted(roles.cluster.name),
               "in words: what is drawn anew in another deployment");
  text += Line("min_clusters", "20",
               fmt::format("fewer decide nothing; the table has {}", roles.clusters));
  text += Line("delta_dep", "0.01",
               "share of the cost an adapter must save over the best fixed action");
  text +=
      Line("delta_alloc", "0.01", "share it must save over the same actions assigned at random");
  text += Line("kappa", "0.05", "share of its choices that may fail or take too long");
  text += ConstraintLines(roles);
  text += "\n# Which column is what.\n[table]\n";
  text += Line("cluster", Quoted(roles.cluster.name), roles.cluster.reason);
  text += Optional("query", roles.query, "no such column: every row is a query");
  text += Optional("action", roles.action, "no such column: the header names the actions");
  text += CostLines(roles);
  text += Optional("time", roles.time, "no such column: nothing is too slow");
  text += Optional("success", roles.success, "no such column: nothing counts as failed");
  if (!roles.eligible.name.empty())
    text += Line("eligible", Quoted(roles.eligible.name), roles.eligible.reason);
  if (!roles.choice.name.empty())
    text += Line("choice", Quoted(roles.choice.name), roles.choice.reason);
  if (!roles.decimal.empty())
    text += Line("decimal", Quoted(roles.decimal), "1,234 can be read in two ways");
  if (!roles.dates.empty()) {
    std::vector<std::string> dates;
    for (const GuessedColumn& date : roles.dates) dates.push_back(Quoted(date.name));
    text += "# " + Line("dates", fmt::format("[{}]", fmt::join(dates, ", ")),
                        "features that are dates; name them under [table.features] too");
  }
  text += "\n# What an adapter may look at before it chooses: everything that is known by then.\n";
  text += "[table.features]\n";
  for (const GuessedColumn& feature : roles.features) {
    text += Line(Key(feature.name), Quoted(feature.name), feature.reason);
  }
  if (roles.features.empty()) {
    text +=
        "# No column of numbers is the same on all rows of a query, so there is nothing to learn\n"
        "# from yet. Name columns here: group = \"column\", or group = \"prefix_*\".\n";
  }
  for (const GuessedColumn& date : roles.dates) {
    text +=
        "# " + Line(Key(date.name), Quoted(date.name), date.reason + ". Needs table.dates above");
  }
  for (const GuessedColumn& unused : roles.unused) {
    text += fmt::format("# left out: {}: {}\n", Excerpt(unused.name), unused.reason);
  }
  text += "\n[learner]\n" +
          Line("kind", "\"ridge\"", "answers in seconds; \"mlp\", the paper's, takes minutes");
  return text;
}

}  // namespace gonogo::audit
