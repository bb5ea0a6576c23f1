// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/page/sections.h"

#include <algorithm>

namespace gonogo::report {

using Json = nlohmann::json;

// Found by the library of JSON, which throws where a value is missing or of another type.
static void to_json(Json& json, const Text& text) { json = text.plain; }
static void from_json(const Json& json, Text& text) { text = Text(json.get<std::string>()); }
}  // namespace gonogo::report

template <>
struct nlohmann::adl_serializer<gonogo::report::Cell> {
  static void to_json(json& json, const gonogo::report::Cell& cell) {
    json = {{"text", cell.text}, {"tone", cell.tone}};
  }
  static gonogo::report::Cell from_json(const json& json) {
    return {json.at("text").get<gonogo::report::Text>(),
            json.at("tone").get<gonogo::report::Tone>()};
  }
};

namespace gonogo::report {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Chart, title, description, spec)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Paragraph, text, tone)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(List, items)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Column, title, kind)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Table, caption, folded, columns, rows)
static void to_json(Json& json, const Card& card) {
  json = {{"title", card.title}, {"badge", card.badge}, {"text", card.text}};
  if (card.chart) json["chart"] = *card.chart;
}
static void from_json(const Json& json, Card& card) {
  card = {json.at("title"), json.at("badge").get<Cell>(), json.at("text").get<Text>()};
  if (json.contains("chart")) card.chart = json["chart"].get<Chart>();
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Cards, cards)

namespace {

constexpr const char* kKinds[] = {"paragraph", "list", "table", "chart", "cards"};  // of a Block

Block BlockOf(const Json& json) {
  const auto kind = std::find(std::begin(kKinds), std::end(kKinds), json.at("kind"));
  switch (kind - std::begin(kKinds)) {
    case 0:
      return json.get<Paragraph>();
    case 1:
      return json.get<List>();
    case 2:
      return json.get<Table>();
    case 3:
      return json.get<Chart>();
    default:
      return json.get<Cards>();
  }
}

/// Every row as long as the columns.
bool IsWhole(const Block& block) {
  const auto* table = std::get_if<Table>(&block);
  return table == nullptr ||
         std::all_of(table->rows.begin(), table->rows.end(), [&](const std::vector<Cell>& row) {
           return row.size() == table->columns.size();
         });
}

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

Json SectionJson(const Section& section) {
  Json json = {{"schema", "gonogo.section/1"},
               {"id", section.id},
               {"title", section.title},
               {"blocks", Json::array()}};
  for (const Block& block : section.blocks) {
    json["blocks"].push_back(std::visit([](const auto& b) { return Json(b); }, block));
    json["blocks"].back()["kind"] = kKinds[block.index()];
  }
  return json;
}

Result<Section> SectionFromJson(const Json& json, const std::string& name) {
  try {
    Section section{.id = json.at("id"), .title = json.at("title"), .blocks = {}};
    for (const Json& block : json.at("blocks")) section.blocks.push_back(BlockOf(block));
    if (std::all_of(section.blocks.begin(), section.blocks.end(), IsWhole)) return section;
    return InputError("{}: not a section: a table has rows and columns that do not fit", name);
  } catch (const Json::exception& wrong) {
    return InputError("{}: not a section: {}", name, wrong.what());
  }
}

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
