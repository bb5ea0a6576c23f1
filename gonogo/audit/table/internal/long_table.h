// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/internal/csv_columns.h"
#include "gonogo/audit/table/internal/feature_column.h"
#include "gonogo/audit/table/internal/names.h"
#include "gonogo/audit/table/internal/table_rules.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/result.h"
#include "gonogo/io/csv.h"

namespace gonogo::audit::internal {

/// Rows of a CSV table as they come: one per query and action, or one per query (a log, or with
/// columns for every action). `Pivot` makes the wide table of them once all are there.
class LongTable {
 public:
  LongTable(const CsvColumns& columns, const io::CsvReader& reader);

  /// Takes the reader's current row; refuses cells that are not what they should be.
  [[nodiscard]] Status AddRow();

  /// The wide table; refuses missing and repeated cells and unusable reference outcomes.
  [[nodiscard]] Result<OutcomeTable> Pivot(const Protocol& protocol);

 private:
  [[nodiscard]] Error CellError(std::size_t column, std::string_view expected) const;
  [[nodiscard]] Status ReadName(std::size_t column, NameIndex& names, std::uint32_t& number);
  [[nodiscard]] Status AddCell();
  [[nodiscard]] Status ReadIds();
  [[nodiscard]] Status ReadOutcomes();
  [[nodiscard]] Status ReadCost();
  [[nodiscard]] Status ReadFormula();
  [[nodiscard]] Status ReadAdapterCost();
  [[nodiscard]] Status ReadPropensity();
  [[nodiscard]] Status ReadFlag(Holds kind, std::size_t column, std::vector<std::uint8_t>& flags);
  [[nodiscard]] Status ReadFeatures();
  [[nodiscard]] Status ReadFeature(FeatureColumn& cells, std::size_t column, float& value);

  /// Every query has one row, although there are several actions.
  [[nodiscard]] bool IsLog() const;
  [[nodiscard]] Status CheckEnoughRows() const;
  [[nodiscard]] Status CheckDeclared(const std::vector<std::string>& declared) const;
  [[nodiscard]] Status CheckAllTried(const std::vector<std::string>& declared) const;
  [[nodiscard]] Status PlaceRows(const std::vector<std::size_t>& slot_of_query,
                                 const std::vector<ActionIndex>& action_number,
                                 const OutcomeTable& table);
  [[nodiscard]] Status FillOutcomes(OutcomeTable& table) const;
  [[nodiscard]] Status FillChoices(OutcomeTable& table) const;
  [[nodiscard]] Status FillLog(const std::vector<std::size_t>& slot_of_query,
                               const std::vector<ActionIndex>& action_number,
                               OutcomeTable& table) const;
  void FillFeatures(const std::vector<std::size_t>& order, OutcomeTable& table) const;
  template <typename Group, typename From>
  void FillGroups(const std::vector<CsvColumns::Group>& names,
                  const std::vector<FeatureColumn>& columns, const std::vector<float>& cells,
                  const From& from, std::vector<Group>& groups, OutcomeTable& table) const;

  CsvColumns columns_;                 // those of the action, while a row has several
  std::string_view action_name_ = {};  // then
  const io::CsvReader& reader_;

  NameIndex clusters_;
  NameIndex queries_;
  NameIndex actions_;
  NameIndex choices_;
  std::vector<std::uint32_t> cluster_of_;  // query
  std::vector<float> features_;            // query-major
  std::vector<double> adapter_cost_;       // query
  std::vector<std::size_t> feature_columns_;
  std::vector<std::size_t> action_feature_columns_;
  std::vector<FeatureColumn> feature_cells_;
  std::vector<FeatureColumn> action_feature_cells_;

  std::vector<std::uint32_t> query_;  // from here on: one entry per row
  std::vector<std::uint32_t> action_;
  std::vector<std::uint32_t> choice_;
  std::vector<std::uint32_t> line_;
  LoggedOutcomes rows_;  // what each of them tells; its actions are filled for a log only
  std::vector<float> action_features_;
  std::string declaration_sha256_;

  std::vector<std::string_view> last_features_;  // texts of the previous row, all numbers
  std::vector<std::uint32_t> row_at_;            // cell -> row, after PlaceRows
};

}  // namespace gonogo::audit::internal
