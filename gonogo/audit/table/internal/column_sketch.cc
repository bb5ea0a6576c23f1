// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/internal/column_sketch.h"

#include <cctype>
#include <cmath>

#include "gonogo/audit/table/internal/dates.h"
#include "gonogo/audit/table/internal/feature_column.h"

namespace gonogo::audit::internal {
namespace {

constexpr std::uint32_t kUnseen = static_cast<std::uint32_t>(-1);

void AddCell(std::string_view text, ColumnSketch& column) {
  const std::size_t known = column.texts.size();
  column.values.push_back(column.texts.Number(text));
  if (column.texts.size() == known) return;  // was looked at when it was new
  const std::optional<double> number = io::ParseNumber(text);
  const bool finite = number.has_value() && std::isfinite(*number);
  const bool is_truth = ParseTruth(text).has_value();
  column.is_flag = column.is_flag && (is_truth || (finite && (*number == 0.0 || *number == 1.0)));
  if (IsMissing(text)) {
    column.is_missing = true;
    return;
  }
  column.is_number = column.is_number && finite;
  column.has_digits =
      column.has_digits || text.find_first_of("0123456789") != std::string_view::npos;
  column.is_negative = column.is_negative || (finite && *number < 0.0);
  column.is_truth = column.is_truth && is_truth;
  column.is_date = column.is_date && ParseDate(text).has_value();
}

}  // namespace

Result<std::vector<ColumnSketch>> SketchColumns(io::CsvReader& reader) {
  std::vector<ColumnSketch> columns(reader.header().size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    columns[i].name = reader.header()[i];
    for (const char c : columns[i].name) {
      columns[i].lower_name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  while (true) {
    const bool more = GONOGO_TRY(reader.Next());
    if (!more) break;
    for (std::size_t i = 0; i < columns.size(); ++i) AddCell(reader.fields()[i], columns[i]);
  }
  return columns;
}

bool IsConstantWithin(const ColumnSketch& by, const ColumnSketch& column) {
  std::vector<std::uint32_t> seen(by.distinct(), kUnseen);
  for (std::size_t row = 0; row < column.values.size(); ++row) {
    std::uint32_t& value = seen[by.values[row]];
    if (value == kUnseen) value = column.values[row];
    if (value != column.values[row]) return false;
  }
  return true;
}

bool IsComplete(const ColumnSketch& a, const ColumnSketch& b) {
  const std::size_t rows = a.values.size();
  if (rows % a.distinct() != 0 || rows / a.distinct() != b.distinct()) return false;
  std::vector<bool> seen(rows, false);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t cell = a.values[row] * b.distinct() + b.values[row];
    if (seen[cell]) return false;
    seen[cell] = true;
  }
  return true;
}

}  // namespace gonogo::audit::internal
