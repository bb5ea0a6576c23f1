// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo::audit {

/// Numbers and columns joined by + - * / and parentheses: what a table's objective is made of. A
/// name that is more than letters, digits, `_` and `.` stands between backticks.
class Formula {
 public:
  /// Refuses what cannot be read, with the position of the first character that does not fit.
  [[nodiscard]] static Result<Formula> Parse(std::string_view text);
  /// The column of that name alone, whatever signs it has.
  [[nodiscard]] static Formula Column(std::string name);

  /// Every column once, in the order of the text.
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }

  /// `values` holds one number for each of `columns()`. Not finite where something is divided by
  /// zero.
  [[nodiscard]] double Evaluate(std::span<const double> values) const;

 private:
  friend class FormulaParser;
  enum class Kind { kNumber, kColumn, kAdd, kSubtract, kMultiply, kDivide, kNegate };
  struct Step {
    Kind kind = Kind::kNumber;
    double number = 0.0;
    std::size_t column = 0;
  };

  std::vector<std::string> columns_;
  std::vector<Step> steps_;  // operands before what joins them
};

}  // namespace gonogo::audit
