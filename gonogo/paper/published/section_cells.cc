// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/published/section_cells.h"

#include <algorithm>

namespace gonogo::paper {
namespace {

const report::Table* FindTable(const report::Section& section, int number) {
  for (const report::Block& block : section.blocks) {
    const auto* table = std::get_if<report::Table>(&block);
    if (table != nullptr && --number == 0) return table;
  }
  return nullptr;
}

}  // namespace

std::string CellText(const report::Section& section, const SectionPlace& place) {
  const report::Table* table = FindTable(section, place.table);
  if (table == nullptr) return "";
  const auto column = std::find_if(table->columns.begin(), table->columns.end(),
                                   [&](const auto& c) { return c.title == place.column; });
  if (column == table->columns.end()) return "";
  // Some rows say in brackets how many episodes they are about, which depends on the run.
  const auto same = [](const std::string& name, const report::Cell& cell) {
    return cell.text == name || cell.text.plain.starts_with(name + " (");
  };
  for (const std::vector<report::Cell>& row : table->rows) {
    if (row.size() != table->columns.size() || row.size() < place.row.size()) continue;
    if (!std::equal(place.row.begin(), place.row.end(), row.begin(), same)) continue;
    return row[static_cast<std::size_t>(column - table->columns.begin())].text.plain;
  }
  return "";
}

std::string ParagraphText(const report::Section& section, const std::string& part) {
  for (const report::Block& block : section.blocks) {
    const auto* paragraph = std::get_if<report::Paragraph>(&block);
    if (paragraph != nullptr && paragraph->text.plain.find(part) != std::string::npos) {
      return paragraph->text.plain;
    }
  }
  return "";
}

}  // namespace gonogo::paper
