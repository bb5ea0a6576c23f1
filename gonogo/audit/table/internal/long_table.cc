// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/internal/long_table.h"

#include <cmath>
#include <optional>

#include "gonogo/audit/table/internal/table_rules.h"
#include "gonogo/base/text.h"

namespace gonogo::audit::internal {
namespace {

std::optional<double> ParseFlag(std::string_view text) {
  if (const std::optional<bool> truth = ParseTruth(text)) return *truth ? 1.0 : 0.0;
  return io::ParseNumber(text);
}

std::vector<std::size_t> AllColumns(const std::vector<CsvColumns::Group>& groups) {
  std::vector<std::size_t> all;
  for (const CsvColumns::Group& group : groups) {
    all.insert(all.end(), group.columns.begin(), group.columns.end());
  }
  return all;
}

}  // namespace

LongTable::LongTable(const CsvColumns& columns, const io::CsvReader& reader)
    : columns_(columns),
      reader_(reader),
      feature_columns_(AllColumns(columns.features)),
      action_feature_columns_(AllColumns(columns.action_features)),
      last_features_(feature_columns_.size()) {
  for (const std::size_t column : feature_columns_) {
    feature_cells_.emplace_back(reader.header()[column], columns.as[column]);
  }
  for (const std::size_t column : action_feature_columns_) {
    action_feature_cells_.emplace_back(reader.header()[column], columns.as[column]);
  }
}

Error LongTable::CellError(std::size_t column, std::string_view expected) const {
  return WrongCell(reader_, column, expected);
}

Status LongTable::AddRow() {
  if (columns_.actions.empty()) return AddCell();
  for (const CsvColumns::Action& action : columns_.actions) {
    action_name_ = action.name;
    columns_.cost = action.cost;
    columns_.time = action.time;
    columns_.success = action.success;
    columns_.eligible = action.eligible;
    GONOGO_TRY(AddCell());
  }
  return {};
}

Status LongTable::AddCell() {
  for (const auto read :
       {&LongTable::ReadIds, &LongTable::ReadOutcomes, &LongTable::ReadFeatures}) {
    GONOGO_TRY((this->*read)());
  }
  return {};
}

Status LongTable::ReadName(std::size_t column, NameIndex& names, std::uint32_t& number) {
  const std::string_view name = reader_.fields()[column];
  const std::size_t known = names.size();
  number = names.Number(name);
  if (names.size() == known) return {};  // was checked when it was new
  if (const auto expected = ExpectedName(name)) return CellError(column, *expected);
  return {};
}

Status LongTable::ReadIds() {
  const auto fields = reader_.fields();
  std::uint32_t cluster = 0;
  std::uint32_t query = 0;
  std::uint32_t action = 0;
  Status named = ReadName(columns_.cluster, clusters_, cluster);
  if (named.ok() && columns_.query != CsvColumns::kAbsent) {
    named = ReadName(columns_.query, queries_, query);
  } else if (named.ok()) {
    query = queries_.Number(fmt::format("row {}", reader_.line()));
  }
  if (named.ok() && columns_.action != CsvColumns::kAbsent) {
    named = ReadName(columns_.action, actions_, action);
  } else if (named.ok()) {
    action = actions_.Number(action_name_);
  }
  if (!named.ok()) return named;
  if (query == cluster_of_.size()) {
    cluster_of_.push_back(cluster);
  } else if (cluster_of_[query] != cluster) {
    return TwoClusters(reader_, columns_.query, columns_.cluster,
                       clusters_.names()[cluster_of_[query]]);
  }
  query_.push_back(query);
  action_.push_back(action);
  line_.push_back(static_cast<std::uint32_t>(reader_.line()));
  if (columns_.choice != CsvColumns::kAbsent) {
    choice_.push_back(choices_.Number(fields[columns_.choice]));
  }
  if (columns_.declaration == CsvColumns::kAbsent) return {};
  if (declaration_sha256_.empty()) {
    declaration_sha256_ = fields[columns_.declaration];
    if (ExpectedName(declaration_sha256_)) return CellError(columns_.declaration, "a fingerprint");
  }
  if (fields[columns_.declaration] == declaration_sha256_) return {};
  return CellError(columns_.declaration, "the same fingerprint on every row");
}

Status LongTable::ReadFlag(Holds kind, std::size_t column, std::vector<std::uint8_t>& flags) {
  if (column == CsvColumns::kAbsent) return {};
  const std::optional<double> flag = ParseFlag(reader_.fields()[column]);
  if (!flag.has_value()) return CellError(column, "0 or 1");
  if (const auto expected = Expected(kind, *flag, false)) return CellError(column, *expected);
  flags.push_back(*flag != 0.0 ? 1 : 0);
  return {};
}

Status LongTable::ReadCost() {
  const std::optional<double> cost = io::ParseNumber(reader_.fields()[columns_.cost]);
  if (!cost.has_value()) return CellError(columns_.cost, "a number");
  if (const auto expected = Expected(Holds::kCost, *cost, false)) {
    return CellError(columns_.cost, *expected);
  }
  rows_.cost.push_back(*cost);
  return {};
}

Status LongTable::ReadFormula() {
  std::vector<double> values;
  std::string found;
  for (const std::size_t column : columns_.formula_columns) {
    const std::optional<double> value = ParseFlag(reader_.fields()[column]);
    if (!value.has_value()) return CellError(column, "a number");
    found += fmt::format("{}{} = {}", found.empty() ? "" : ", ", reader_.header()[column], *value);
    values.push_back(*value);
  }
  const double value = columns_.formula->Evaluate(values);
  const Holds holds = columns_.of_rewards ? Holds::kAnything : Holds::kCost;
  if (const auto expected = Expected(holds, value, false)) {
    return InputError("{}:{}: table.{} is {} where {}, expected {}{}", reader_.name(),
                      reader_.line(), columns_.of_rewards ? "reward" : "objective", value, found,
                      *expected,
                      columns_.of_rewards || !(value < 0.0)
                          ? ""
                          : "; where more is better declare table.reward instead");
  }
  rows_.cost.push_back(columns_.of_rewards ? -value : value);
  return {};
}

Status LongTable::ReadOutcomes() {
  GONOGO_TRY(columns_.formula ? ReadFormula() : ReadCost());
  if (columns_.time != CsvColumns::kAbsent) {
    const std::optional<double> time = io::ParseNumber(reader_.fields()[columns_.time]);
    if (!time.has_value()) return CellError(columns_.time, "a number");
    if (const auto expected = Expected(Holds::kTime, *time, false)) {
      return CellError(columns_.time, *expected);
    }
    rows_.time.push_back(*time);
  }
  GONOGO_TRY(ReadAdapterCost());
  GONOGO_TRY(ReadPropensity());
  GONOGO_TRY(ReadFlag(Holds::kSuccess, columns_.success, rows_.success));
  return ReadFlag(Holds::kEligible, columns_.eligible, rows_.eligible);
}

Status LongTable::ReadAdapterCost() {
  const std::size_t column = columns_.adapter_cost;
  if (column == CsvColumns::kAbsent) return {};
  const std::optional<double> cost = io::ParseNumber(reader_.fields()[column]);
  if (!cost.has_value()) return CellError(column, "a number");
  if (const auto expected = Expected(Holds::kCost, *cost, false)) {
    return CellError(column, *expected);
  }
  const std::uint32_t query = query_.back();
  if (query == adapter_cost_.size()) {
    adapter_cost_.push_back(*cost);
  } else if (adapter_cost_[query] != *cost) {
    return CellError(column, fmt::format("{} as on the other rows of query '{}'",
                                         adapter_cost_[query], queries_.names()[query]));
  }
  return {};
}

Status LongTable::ReadFeature(FeatureColumn& cells, std::size_t column, float& value) {
  const auto expected = cells.Read(reader_.fields()[column], reader_.line(), value);
  return expected ? CellError(column, *expected) : Status();
}

// Rows of one query usually follow each other with the same texts: those are not parsed again.
Status LongTable::ReadFeatures() {
  const std::size_t width = feature_columns_.size();
  const std::uint32_t query = query_.back();
  const bool is_new = features_.size() == query * width && width > 0;
  const bool same_as_last = query_.size() > 1 && query_[query_.size() - 2] == query;
  if (is_new) features_.resize((query + 1) * width);
  for (std::size_t j = 0; j < width; ++j) {
    const std::size_t column = feature_columns_[j];
    const std::string_view text = reader_.fields()[column];
    if (!is_new && same_as_last && text == last_features_[j]) continue;
    float& kept = features_[query * width + j];
    float value = 0.0F;
    GONOGO_TRY(ReadFeature(feature_cells_[j], column, value));
    if (is_new) kept = value;
    if (kept != value && !(std::isnan(kept) && std::isnan(value))) {
      return InputError(
          "{}:{}: column '{}' is '{}', which differs from the other rows of query '{}', expected "
          "the "
          "same on all of them: what differs between actions goes under [table.action_features]",
          reader_.name(), reader_.line(), reader_.header()[column], Excerpt(text),
          queries_.names()[query]);
    }
    last_features_[j] = text;
  }
  for (std::size_t j = 0; j < action_feature_columns_.size(); ++j) {
    float value = 0.0F;
    GONOGO_TRY(ReadFeature(action_feature_cells_[j], action_feature_columns_[j], value));
    action_features_.push_back(value);
  }
  return {};
}

}  // namespace gonogo::audit::internal
