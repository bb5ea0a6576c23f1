// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/text/text_table.h"

#include <algorithm>
#include <numeric>

#include "gonogo/base/check.h"

namespace gonogo::report {

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm') ++i;
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {
      ++width;
    }
  }
  return width;
}

std::string Wrap(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::string line;
  const auto finish = [&] {
    if (!line.empty()) out += std::string(indent, ' ') + line + "\n";
    line.clear();
  };
  while (!text.empty()) {
    const std::size_t begin = text.find_first_not_of(" \n");
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    const bool fits = indent + DisplayWidth(line) + 1 + DisplayWidth(word) <= width;
    if (!line.empty() && !fits) finish();
    if (!line.empty()) line += ' ';
    line += word;
  }
  finish();
  return out;
}

TextTable::TextTable(std::vector<std::string> columns) : left_(columns.size(), false) {
  GONOGO_CHECK(!columns.empty());
  left_[0] = true;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].starts_with('<')) continue;
    left_[i] = true;
    columns[i].erase(0, 1);
  }
  rows_.push_back(std::move(columns));
}

void TextTable::AddRow(std::vector<std::string> cells) {
  GONOGO_CHECK(cells.size() <= left_.size());
  cells.resize(left_.size());
  rows_.push_back(std::move(cells));
}

void TextTable::WhenNarrow(std::vector<std::size_t> left_out, std::optional<std::size_t> below) {
  left_out_ = std::move(left_out);
  below_ = below;
}

std::vector<std::size_t> TextTable::Widths() const {
  std::vector<std::size_t> widths(left_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], DisplayWidth(row[i]));
    }
  }
  return widths;
}

std::string TextTable::Render(std::size_t width) const {
  const std::vector<std::size_t> widths = Widths();
  std::vector<std::size_t> columns(left_.size());
  std::iota(columns.begin(), columns.end(), 0);
  const auto total = [&] {
    std::size_t sum = 0;
    for (const std::size_t i : columns) sum += 2 + widths[i];
    return sum;
  };
  for (const std::size_t out : left_out_) {
    if (total() > width) std::erase(columns, out);
  }
  const bool moves = below_.has_value() && total() > width;
  if (moves) std::erase(columns, *below_);
  std::string out;
  while (true) {
    // The first column names the rows; as many of the others as fit, but at least one.
    std::vector<std::size_t> shown = {columns.front()};
    std::size_t used = 2 + widths[columns.front()];
    std::size_t next = 1;
    while (next < columns.size() && (next == 1 || used + 2 + widths[columns[next]] <= width)) {
      used += 2 + widths[columns[next]];
      shown.push_back(columns[next++]);
    }
    out += RenderColumns(shown, moves && out.empty() ? below_ : std::nullopt);
    if (next >= columns.size()) return out;
    columns.erase(columns.begin() + 1, columns.begin() + static_cast<std::ptrdiff_t>(next));
    out += "\n";
  }
}

std::string TextTable::RenderColumns(const std::vector<std::size_t>& columns,
                                     std::optional<std::size_t> below) const {
  const std::vector<std::size_t> widths = Widths();
  std::string out;
  const bool untitled = std::all_of(rows_.front().begin(), rows_.front().end(),
                                    [](const std::string& title) { return title.empty(); });
  for (const auto& row : rows_) {
    if (untitled && &row == &rows_.front()) continue;
    std::string line;
    for (const std::size_t i : columns) {
      const std::string padding(widths[i] - DisplayWidth(row[i]), ' ');
      line += "  " + (left_[i] ? row[i] + padding : padding + row[i]);
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    const bool is_header = &row == &rows_.front();
    if (below && !is_header && !row[*below].empty()) {
      out += std::string(4 + widths[columns.front()], ' ') + row[*below] + "\n";
    }
  }
  return out;
}

}  // namespace gonogo::report
