// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gonogo/audit/protocol/formula.h"
#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/internal/feature_column.h"
#include "gonogo/base/result.h"
#include "gonogo/io/csv.h"

namespace gonogo::audit::internal {

/// Which column of a CSV table plays which role, by position.
struct CsvColumns {
  static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);
  struct Group {
    std::string name;
    std::vector<std::size_t> columns;
  };

  /// The columns of one action, in a table with one row per query.
  struct Action {
    std::string name;
    std::size_t cost = kAbsent;
    std::size_t time = kAbsent;
    std::size_t success = kAbsent;
    std::size_t eligible = kAbsent;
  };

  std::size_t cluster = kAbsent;
  std::size_t query = kAbsent;
  std::size_t action = kAbsent;
  std::size_t cost = kAbsent;  ///< absent where a formula stands for it
  std::size_t time = kAbsent;
  std::size_t success = kAbsent;
  std::size_t eligible = kAbsent;
  std::size_t choice = kAbsent;
  std::size_t adapter_cost = kAbsent;
  std::size_t propensity = kAbsent;
  std::size_t declaration = kAbsent;  ///< `declaration_sha256`, equal on all rows
  /// The objective or reward of a row, of the columns `formula_columns`.
  std::optional<Formula> formula = {};
  std::vector<std::size_t> formula_columns = {};
  bool of_rewards = false;           ///< of the formula more is better
  std::vector<Action> actions = {};  ///< of a table with one row per query; `action` and those of
                                     ///< outcomes are absent then, `query` may be
  std::vector<Group> features = {};
  std::vector<Group> action_features = {};
  std::vector<std::string> unused = {};
  std::vector<FeatureAs> as = {};  ///< of every column of the file: what somebody declared
};

/// Finds the columns a protocol names in a header. A star in the name of the cost makes it a table
/// with one row per query, where the star stands for the names of the actions (`actions`: those
/// that are meant; empty: all). Refuses a missing compulsory column, a renamed one that is not
/// there, a name that occurs twice, a pattern without a column and a column that belongs to two
/// groups.
[[nodiscard]] Result<CsvColumns> FindColumns(std::span<const std::string> header,
                                             const TableColumns& names,
                                             std::span<const std::string> actions,
                                             const std::string& file);

/// The query of the reader's row is in cluster `above` on an earlier one.
[[nodiscard]] Error TwoClusters(const io::CsvReader& reader, std::size_t query, std::size_t cluster,
                                std::string_view above);

/// The cell of the reader's row is not what it should be.
[[nodiscard]] Error WrongCell(const io::CsvReader& reader, std::size_t column,
                              std::string_view expected);

}  // namespace gonogo::audit::internal
