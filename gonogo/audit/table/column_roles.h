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

/// What the columns of a table probably mean. Guesses from names and contents: a person has to
/// read them.
struct ColumnRoles {
  GuessedColumn cluster, query, action, cost;  ///< always there
  GuessedColumn time, success, eligible, choice;
  std::vector<GuessedColumn> features;
  std::vector<GuessedColumn> unused;  ///< and why
  std::vector<std::string> actions;   ///< in order of appearance
  GuessedColumn reference;            ///< one of the actions
  std::size_t clusters = 0;
  std::size_t queries = 0;
};

/// Reads all rows. Refuses a table in which no column can be the query, the action, the cluster or
/// the cost, in words that say what is missing.
[[nodiscard]] Result<ColumnRoles> GuessRoles(io::CsvReader& reader);

}  // namespace gonogo::audit
