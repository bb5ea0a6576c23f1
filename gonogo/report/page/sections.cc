// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/page/sections.h"

#include <algorithm>

#include <fmt/format.h>

#include "gonogo/base/text.h"

namespace gonogo::report {
namespace {

using Json = nlohmann::json;

/// What is wrong with a file. Thrown inside this file only, as the library of JSON does.
struct WrongValue {
  std::string message;
};

[[noreturn]] void Refuse(const Json& from, const char* key, std::string_view expected) {
  const bool missing = !from.is_object() || !from.contains(key);
  const std::string found =
      missing ? "missing" : Excerpt(from[key].dump(-1, ' ', false, Json::error_handler_t::replace));
  throw WrongValue{fmt::format("{} is {}, expected {}", key, found, expected)};
}

template <typename T>
T Get(const Json& from, const char* key, std::string_view expected) {
  try {
    return from.at(key).get<T>();
  } catch (const Json::exception&) {
    Refuse(from, key, expected);
  }
}

std::string TextOf(const Json& from, const char* key) {
  return Get<std::string>(from, key, "a text");
}

const Json& ListOf(const Json& from, const char* key) {
  if (!from.is_object() || !from.contains(key) || !from[key].is_array()) {
    Refuse(from, key, "a list");
  }
  return from[key];
}

/// One of the enumerators up to `last`.
template <typename Enum>
Enum EnumOf(const Json& from, const char* key, Enum last) {
  const std::string expected = fmt::format("a whole number, 0 to {}", static_cast<int>(last));
  if (!from.is_object() || !from.contains(key) || !from[key].is_number_integer()) {
    Refuse(from, key, expected);
  }
  const auto number = from[key].get<std::int64_t>();
  if (number < 0 || number > static_cast<int>(last)) Refuse(from, key, expected);
  return static_cast<Enum>(number);
}

Json ToJson(const Cell& cell) {
  return {{"text", cell.text.plain}, {"tone", static_cast<int>(cell.tone)}};
}

Cell CellOf(const Json& json) {
  return {TextOf(json, "text"), EnumOf(json, "tone", Tone::kNeutral)};
}

Json ToJson(const Chart& chart) {
  return {{"kind", "chart"},
          {"title", chart.title},
          {"description", chart.description},
          {"spec", chart.spec}};
}

Chart ChartOf(const Json& json) {
  return {TextOf(json, "title"), TextOf(json, "description"), Get<Json>(json, "spec", "a chart")};
}

Json ToJson(const Paragraph& paragraph) {
  return {{"kind", "paragraph"},
          {"text", paragraph.text.plain},
          {"tone", static_cast<int>(paragraph.tone)}};
}

Json ToJson(const List& list) {
  Json json = {{"kind", "list"}, {"items", Json::array()}};
  for (const Text& item : list.items) json["items"].push_back(item.plain);
  return json;
}

Json ToJson(const Table& table) {
  Json json = {{"kind", "table"},
               {"caption", table.caption.plain},
               {"folded", table.folded},
               {"columns", Json::array()},
               {"rows", Json::array()}};
  for (const Column& column : table.columns) {
    json["columns"].push_back(
        {{"title", column.title.plain}, {"kind", static_cast<int>(column.kind)}});
  }
  for (const std::vector<Cell>& cells : table.rows) {
    Json row = Json::array();
    for (const Cell& cell : cells) row.push_back(ToJson(cell));
    json["rows"].push_back(std::move(row));
  }
  return json;
}

Table TableOf(const Json& json) {
  Table table{.caption = TextOf(json, "caption"),
              .folded = Get<bool>(json, "folded", "true or false")};
  for (const Json& column : ListOf(json, "columns")) {
    table.columns.push_back({TextOf(column, "title"), EnumOf(column, "kind", ColumnKind::kProse)});
  }
  for (const Json& cells : ListOf(json, "rows")) {
    if (!cells.is_array() || cells.size() != table.columns.size()) {
      Refuse(json, "rows", fmt::format("rows of {} cells", table.columns.size()));
    }
    table.rows.emplace_back();
    for (const Json& cell : cells) table.rows.back().push_back(CellOf(cell));
  }
  return table;
}

Json ToJson(const Cards& cards) {
  Json json = {{"kind", "cards"}, {"cards", Json::array()}};
  for (const Card& card : cards.cards) {
    Json entry = {{"title", card.title}, {"badge", ToJson(card.badge)}, {"text", card.text.plain}};
    if (card.chart) entry["chart"] = ToJson(*card.chart);
    json["cards"].push_back(std::move(entry));
  }
  return json;
}

Cards CardsOf(const Json& json) {
  Cards cards;
  for (const Json& entry : ListOf(json, "cards")) {
    Card card{.title = TextOf(entry, "title"),
              .badge = CellOf(Get<Json>(entry, "badge", "a text and a tone")),
              .text = TextOf(entry, "text")};
    if (entry.contains("chart")) card.chart = ChartOf(entry["chart"]);
    cards.cards.push_back(std::move(card));
  }
  return cards;
}

Block BlockOf(const Json& json) {
  const std::string kind = TextOf(json, "kind");
  if (kind == "paragraph") {
    return Paragraph{TextOf(json, "text"), EnumOf(json, "tone", Tone::kNeutral)};
  }
  if (kind == "list") {
    List list;
    for (std::string& item : Get<std::vector<std::string>>(json, "items", "a list of texts")) {
      list.items.emplace_back(std::move(item));
    }
    return list;
  }
  if (kind == "table") return TableOf(json);
  if (kind == "chart") return ChartOf(json);
  if (kind == "cards") return CardsOf(json);
  Refuse(json, "kind", "paragraph, list, table, chart or cards");
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
    json["blocks"].push_back(std::visit([](const auto& b) { return ToJson(b); }, block));
  }
  return json;
}

Result<Section> SectionFromJson(const Json& json, const std::string& name) {
  try {
    Section section{.id = TextOf(json, "id"), .title = TextOf(json, "title"), .blocks = {}};
    for (const Json& block : ListOf(json, "blocks")) section.blocks.push_back(BlockOf(block));
    return section;
  } catch (const WrongValue& wrong) {
    return InputError("{}: not a section: {}", name, wrong.message);
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
