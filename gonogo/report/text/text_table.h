// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Text for a terminal.
namespace gonogo::report {

enum class Style { kPlain, kBold, kDim, kGo, kNoGo, kAbstain, kWarning };

/// What a terminal can show: lines of so many columns, and styles, if it takes any.
struct TextLook {
  std::size_t width = static_cast<std::size_t>(-1);
  std::function<std::string(Style, std::string_view)> paint = {};

  /// Of sentences, which are hard to read when they are long.
  [[nodiscard]] std::size_t prose_width() const { return std::min<std::size_t>(width, 100); }
  [[nodiscard]] std::string Paint(Style style, const std::string& text) const {
    return paint && !text.empty() ? paint(style, text) : text;
  }
};

/// Columns a text takes on a terminal: one for each UTF-8 code point, none for escape codes.
[[nodiscard]] std::size_t DisplayWidth(std::string_view text);

/// The words of a text in lines of at most `width` columns, every one indented by `indent` spaces
/// and ended by a line break. A longer word has a line of its own.
[[nodiscard]] std::string Wrap(std::string_view text, std::size_t width, std::size_t indent = 0);

/// Aligned columns: the first is left-aligned, the others right-aligned unless a column name starts
/// with '<'.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> columns);
  /// Missing cells at the end of a row are empty.
  void AddRow(std::vector<std::string> cells);
  /// Where a line is too narrow: columns to leave out, the first one first, and then one to move
  /// to a line of its own below each row.
  void WhenNarrow(std::vector<std::size_t> left_out, std::optional<std::size_t> below = {});

  /// The first row, if every column has an empty name, is left out.
  /// Every line indented by two spaces and ended by a line break. Lines have at most `width`
  /// columns as far as `WhenNarrow` allows; what still does not fit follows in a second table
  /// whose rows begin alike.
  [[nodiscard]] std::string Render(std::size_t width = kAnyWidth) const;

  static constexpr std::size_t kAnyWidth = static_cast<std::size_t>(-1);

 private:
  [[nodiscard]] std::vector<std::size_t> Widths() const;
  [[nodiscard]] std::string RenderColumns(const std::vector<std::size_t>& columns,
                                          std::optional<std::size_t> below) const;

  std::vector<std::size_t> left_out_;
  std::optional<std::size_t> below_;
  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;  // the header first
};

}  // namespace gonogo::report
