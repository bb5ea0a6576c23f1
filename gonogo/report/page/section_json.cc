// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/page/section_json.h"

namespace gonogo::report {
namespace {

using Json = nlohmann::json;

Json ToJson(const Cell& cell) {
  return {{"text", cell.text}, {"tone", static_cast<int>(cell.tone)}};
}

Cell CellOf(const Json& json) {
  return {json.at("text").get<std::string>(), static_cast<Tone>(json.at("tone").get<int>())};
}

Json ToJson(const Chart& chart) {
  return {{"kind", "chart"},
          {"title", chart.title},
          {"description", chart.description},
          {"spec", chart.spec}};
}

Chart ChartOf(const Json& json) {
  return {json.at("title"), json.at("description"), json.at("spec")};
}

Json ToJson(const Paragraph& paragraph) {
  return {
      {"kind", "paragraph"}, {"text", paragraph.text}, {"tone", static_cast<int>(paragraph.tone)}};
}

Json ToJson(const List& list) { return {{"kind", "list"}, {"items", list.items}}; }

Json ToJson(const Table& table) {
  Json json = {{"kind", "table"},
               {"caption", table.caption},
               {"folded", table.folded},
               {"columns", Json::array()},
               {"rows", Json::array()}};
  for (const Column& column : table.columns) {
    json["columns"].push_back({{"title", column.title}, {"kind", static_cast<int>(column.kind)}});
  }
  for (const std::vector<Cell>& cells : table.rows) {
    Json row = Json::array();
    for (const Cell& cell : cells) row.push_back(ToJson(cell));
    json["rows"].push_back(std::move(row));
  }
  return json;
}

Table TableOf(const Json& json) {
  Table table{.caption = json.at("caption"), .folded = json.at("folded")};
  for (const Json& column : json.at("columns")) {
    table.columns.push_back({column.at("title"), static_cast<ColumnKind>(column.at("kind"))});
  }
  for (const Json& cells : json.at("rows")) {
    table.rows.emplace_back();
    for (const Json& cell : cells) table.rows.back().push_back(CellOf(cell));
  }
  return table;
}

Json ToJson(const Cards& cards) {
  Json json = {{"kind", "cards"}, {"cards", Json::array()}};
  for (const Card& card : cards.cards) {
    Json entry = {{"title", card.title}, {"badge", ToJson(card.badge)}, {"text", card.text}};
    if (card.chart) entry["chart"] = ToJson(*card.chart);
    json["cards"].push_back(std::move(entry));
  }
  return json;
}

Cards CardsOf(const Json& json) {
  Cards cards;
  for (const Json& entry : json.at("cards")) {
    Card card{
        .title = entry.at("title"), .badge = CellOf(entry.at("badge")), .text = entry.at("text")};
    if (entry.contains("chart")) card.chart = ChartOf(entry.at("chart"));
    cards.cards.push_back(std::move(card));
  }
  return cards;
}

Block BlockOf(const Json& json) {
  const std::string kind = json.at("kind");
  if (kind == "paragraph") {
    return Paragraph{json.at("text"), static_cast<Tone>(json.at("tone").get<int>())};
  }
  if (kind == "list") return List{json.at("items").get<std::vector<std::string>>()};
  if (kind == "table") return TableOf(json);
  if (kind == "chart") return ChartOf(json);
  return CardsOf(json);
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
  try {  // the library of JSON reports a wrong shape by throwing
    Section section{.id = json.at("id"), .title = json.at("title"), .blocks = {}};
    for (const Json& block : json.at("blocks")) section.blocks.push_back(BlockOf(block));
    return section;
  } catch (const Json::exception& error) {
    return InputError("{}: not a section: {}", name, error.what());
  }
}

}  // namespace gonogo::report
