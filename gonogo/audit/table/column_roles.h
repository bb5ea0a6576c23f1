// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/io/csv.h"

namespace gonogo::audit {

/// A column and why it was taken for what it is; no name: there is none.
struct GuessedColumn {
  std::string name = {};
  std::string reason = {};
};

/// Whether more of what decides is better.
enum class Direction { kLess, kMore, kOpen };

/// What the columns of a table probably mean. Guesses from names and contents: a person has to
/// read them.
struct ColumnRoles {
  GuessedColumn cluster, query, action, cost;  ///< always there
  Direction direction = Direction::kLess;  ///< of the cost; a person has to say where it is open
  GuessedColumn time, success, eligible, choice;
  std::vector<GuessedColumn> features;
  std::vector<GuessedColumn> dates;   ///< features if somebody asks for them
  std::vector<GuessedColumn> unused;  ///< and why
  std::vector<std::string> actions;   ///< in order of appearance
  GuessedColumn reference;            ///< one of the actions
  bool reference_is_known = false;    ///< by its name, or because somebody was asked
  bool time_is_limited = false;       ///< somebody said that a choice may not take much longer
  std::string decimal = {};           ///< table.decimal, where somebody said so
  std::size_t clusters = 0;
  std::size_t queries = 0;
};

/// Reads all rows. Refuses a table in which no column can be the query, the action, the cluster or
/// the cost, in words that say what is missing.
[[nodiscard]] Result<ColumnRoles> GuessRoles(io::CsvReader& reader);

}  // namespace gonogo::audit
