// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/page/merge_sections.h"

#include <algorithm>

namespace gonogo::report {
namespace {

bool SameHead(const Table& a, const Table& b) {
  return a.caption == b.caption &&
         std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(),
                    [](const Column& x, const Column& y) { return x.title == y.title; });
}

/// Adds the rows to a table of the section that has the same head.
bool Join(Section& section, const Table& table) {
  for (Block& block : section.blocks) {
    auto* own = std::get_if<Table>(&block);
    if (own == nullptr || !SameHead(*own, table)) continue;
    own->rows.insert(own->rows.end(), table.rows.begin(), table.rows.end());
    return true;
  }
  return false;
}

/// Adds a paragraph behind those at the top, unless it is there already.
void Join(Section& section, const Paragraph& paragraph) {
  auto place = section.blocks.begin();
  for (; place != section.blocks.end(); ++place) {
    const auto* own = std::get_if<Paragraph>(&*place);
    if (own == nullptr) break;
    if (own->text == paragraph.text) return;
  }
  section.blocks.insert(place, paragraph);
}

void Add(Section& section, const Block& block) {
  if (const auto* paragraph = std::get_if<Paragraph>(&block)) return Join(section, *paragraph);
  const auto* table = std::get_if<Table>(&block);
  if (table == nullptr || !Join(section, *table)) section.blocks.push_back(block);
}

}  // namespace

std::vector<Section> MergeSections(const std::vector<Section>& sections) {
  std::vector<Section> merged;
  for (const Section& section : sections) {
    const auto same = std::find_if(merged.begin(), merged.end(),
                                   [&](const Section& other) { return other.id == section.id; });
    if (same == merged.end()) {
      merged.push_back(section);
    } else {
      for (const Block& block : section.blocks) Add(*same, block);
    }
  }
  return merged;
}

}  // namespace gonogo::report
