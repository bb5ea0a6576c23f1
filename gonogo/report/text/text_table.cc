// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/text/text_table.h"

#include <algorithm>

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

std::string TextTable::Render() const {
  std::vector<std::size_t> widths(left_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], DisplayWidth(row[i]));
    }
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - DisplayWidth(row[i]), ' ');
      line += "  " + (left_[i] ? row[i] + padding : padding + row[i]);
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

}  // namespace gonogo::report
