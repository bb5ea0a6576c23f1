// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/audit/table/internal/names.h"

namespace gonogo::audit::internal {

/// What somebody declared a feature to be.
enum class FeatureAs { kFound, kCategory, kDate };

/// Whether the cell says that nothing is known: empty, NA, N/A, nan, null, None, NaT, ?
[[nodiscard]] bool IsMissing(std::string_view text);

/// Whether a cell is true or false, in words.
[[nodiscard]] std::optional<bool> ParseTruth(std::string_view text);

/// Whether so many different texts in so many cells can be levels of a category. Else they are
/// texts: nearly every cell has one of its own.
[[nodiscard]] bool CanBeCategory(std::span<const std::string_view> texts, std::size_t cells);

/// A column of features of a CSV table, while its cells come: numbers, or texts, some of them
/// missing. What it is, is known at the end.
class FeatureColumn {
 public:
  FeatureColumn(std::string name, FeatureAs as) : name_(std::move(name)), as_(as) {}

  /// The cell as a number: of a text, its place in `texts()`; of what is missing, NaN. What was
  /// expected instead, where it cannot be read.
  [[nodiscard]] std::optional<std::string> Read(std::string_view cell, std::size_t line,
                                                float& value);

  /// A column that it becomes.
  struct Part {
    std::string name;
    std::vector<std::string> levels = {};  ///< of a category
    std::vector<float> of_text = {};  ///< its value at every text; none: cells are what they are
  };
  /// What it becomes at the end, with so many `cells`; nothing where it holds texts or dates that
  /// nobody asked for, and then `left_out` says so.
  [[nodiscard]] std::vector<Part> Finish(std::size_t cells, std::string& left_out) const;

 private:
  /// A number, true or false: no text may stand in the same column.
  [[nodiscard]] std::optional<std::string> NoText(std::size_t line);
  [[nodiscard]] std::optional<std::string> ReadText(std::string_view cell, std::size_t line,
                                                    float& value);
  [[nodiscard]] Part AsCategory() const;
  [[nodiscard]] std::vector<Part> AsDate() const;

  std::string name_;
  FeatureAs as_;
  NameIndex texts_;
  std::size_t first_text_ = 0;    // line; 0: none
  std::size_t first_number_ = 0;  // likewise; of true or false, too
  bool begins_with_truth_ = false;
};

}  // namespace gonogo::audit::internal
