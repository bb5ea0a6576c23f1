// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/audit/table/internal/names.h"
#include "gonogo/base/result.h"
#include "gonogo/io/csv.h"

namespace gonogo::audit::internal {

/// What a column holds.
struct ColumnSketch {
  std::string name;
  std::string lower_name;             ///< without capitals, for comparing
  std::vector<std::uint32_t> values;  ///< one per row: the number of its text
  NameIndex texts = {};
  bool is_number = true;     ///< every text is a finite number, or missing
  bool is_flag = true;       ///< every text is 0, 1, true or false
  bool is_negative = false;  ///< some number is below 0
  bool is_missing = false;   ///< somewhere nothing is known
  bool has_digits = false;   ///< some text has a digit in it
  bool is_truth = true;      ///< every text is true or false, or missing
  bool is_date = true;       ///< every text is a date, or missing

  [[nodiscard]] std::size_t distinct() const { return texts.size(); }
};

/// All columns of a table.
[[nodiscard]] Result<std::vector<ColumnSketch>> SketchColumns(io::CsvReader& reader);

/// Whether rows with the same value of `by` have the same value of `column`.
[[nodiscard]] bool IsConstantWithin(const ColumnSketch& by, const ColumnSketch& column);

/// Whether every pair of values of `a` and `b` stands on exactly one row.
[[nodiscard]] bool IsComplete(const ColumnSketch& a, const ColumnSketch& b);

}  // namespace gonogo::audit::internal
