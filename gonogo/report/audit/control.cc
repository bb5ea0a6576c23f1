// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "gonogo/report/audit/audit_report.h"
#include "gonogo/report/audit/charts.h"
#include "gonogo/report/audit/sections.h"

namespace gonogo::report::internal {
namespace {

constexpr const char* kObservableStory =
    "Observable signal: at every query one of two actions was made cheaper, and the sign of a "
    "feature tells which. The audit should recover more of it the larger the bonus.";
constexpr const char* kHiddenStory =
    "Hidden signal: at every query one of two actions was made cheaper, and a coin that nobody "
    "sees tells which. The coin cannot be recovered; whatever gain is left is the table's own. A "
    "table with a real signal may read GO here because of that signal: compare with the audit of "
    "the table as it is.";

Json PointRows(const ResultNode& points) {
  Json rows = Json::array();
  for (const ResultNode& point : points.items()) {
    const ResultNode gain = point["H_alloc"];
    Json row = IntervalRow(gain);
    row.update({{"run", rows.size() + 1},
                {"gamma", InPercent(point["gamma"].number())},
                {"planted bonus γ", Percent(point["gamma"]).typeset()}});
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Allocation gains with their intervals over `x`, and the line a GO has to clear.
Chart GainChart(const ResultNode& points, Json x, Json layers, std::optional<double> threshold) {
  x["axis"]["grid"] = false;
  Chart chart;
  for (Json& layer : layers) {
    layer["encoding"]["x"] = x;
    layer["encoding"]["tooltip"] = Tooltip({"planted bonus γ", "estimate", "interval"});
  }
  layers[0]["encoding"]["y"] = PercentChannel("lower", "allocation gain");
  if (threshold) {
    layers.push_back(R"({"data": {"values": [{}]},
                         "mark": {"type": "rule", "style": "threshold"}})"_json);
    layers.back()["encoding"]["y"]["datum"] = 100.0 * *threshold;
  }
  chart.spec = {{"height", 240}, {"layer", std::move(layers)}};
  chart.spec["data"]["values"] = PointRows(points);
  return chart;
}

/// "Allocation gain at a bonus of 2.00 %: 1.03 %, interval …. …"
std::string GainsInWords(const ResultNode& points) {
  std::string text;
  for (const ResultNode& point : points.items()) {
    text += InWords("Allocation gain at a bonus of " + Percent(point["gamma"]).typeset(),
                    IntervalRow(point["H_alloc"]));
  }
  return text;
}

Chart ObservableChart(const ResultNode& points, std::optional<double> threshold) {
  Chart chart = GainChart(points, PercentChannel("gamma", "planted bonus γ"), R"json([
      {"mark": {"type": "area", "color": "var(--series-1)", "opacity": 0.18},
       "encoding": {"y2": {"field": "upper"}}},
      {"mark": {"type": "line", "color": "var(--series-1)",
                "point": {"color": "var(--series-1)", "size": 70}},
       "encoding": {"y": {"field": "point", "type": "quantitative"}}}
    ])json"_json,
                          threshold);
  chart.title =
      "Allocation gain recovered from a signal planted in an observable feature. The "
      "dashed line is the threshold.";
  chart.description = "Does the audit find a planted signal?" + GainsInWords(points);
  return chart;
}

Chart HiddenChart(const ResultNode& points, std::optional<double> threshold) {
  Chart chart = GainChart(points, R"({"field": "run", "type": "ordinal",
      "axis": {"title": "hidden mapping", "labelAngle": 0}})"_json,
                          R"json([
      {"mark": {"type": "rule", "strokeWidth": 4, "strokeCap": "round", "opacity": 0.45,
                "color": "var(--series-1)"},
       "encoding": {"y2": {"field": "upper"}}},
      {"mark": {"type": "point", "size": 70, "color": "var(--series-1)"},
       "encoding": {"y": {"field": "point", "type": "quantitative"}}}
    ])json"_json,
                          threshold);
  chart.title =
      "Allocation gain when a signal is planted that no feature shows: it should not "
      "exceed what the table itself holds.";
  chart.description = "Does the audit claim a signal that nobody can see?" + GainsInWords(points);
  return chart;
}

Table PointTable(const ResultNode& points, bool hidden) {
  Table table{.caption = "What the audit says with the planted signal",
              .columns = {{.title = "mapping", .page_only = true}, {"gamma"}},
              .name = "points"};
  for (const char* key : {"H_dep", "H_alloc", "q"}) {
    table.columns.push_back({key, ColumnKind::kNumber});
    table.columns.push_back({Say("interval of {}", key), ColumnKind::kNumber, true});
  }
  table.columns.push_back({"reading"});
  for (const ResultNode& point : points.items()) {
    std::vector<Cell> row{Constant(std::to_string(table.rows.size() + 1)), Percent(point["gamma"])};
    for (const char* key : {"H_dep", "H_alloc", "q"}) {
      row.emplace_back(Percent(point[key]["point"]));
      row.emplace_back(PercentInterval(point[key]));
    }
    row.emplace_back(point["reading"].text("no decision"));
    table.rows.push_back(std::move(row));
  }
  if (!hidden) {  // the bonus tells the rows apart
    table.columns.erase(table.columns.begin());
    for (std::vector<Cell>& row : table.rows) row.erase(row.begin());
  }
  return table;
}

}  // namespace

std::vector<Block> ControlBlocks(const ResultNode& control, std::optional<double> threshold) {
  const ResultNode points = control["points"];
  if (points.items().empty()) return {};
  const bool hidden = control["kind"] == "hidden";
  std::vector<Block> blocks{
      Paragraph{hidden ? kHiddenStory : kObservableStory},
      hidden ? HiddenChart(points, threshold) : ObservableChart(points, threshold),
      PointTable(points, hidden)};
  const ResultNode counts = control["lower_bound_above"];
  if (!hidden || !counts.filled()) return blocks;
  List list{.name = "claims"};
  for (const ResultNode& count : counts.items()) {
    list.items.push_back(Say("lower bound of H_alloc above {}: {} of {} mappings",
                             Percent(count["threshold"]), Count(count["count"]),
                             Count(Size(points))));
  }
  list.items.emplace_back(
      "What remains is the table's own gain: compare with an audit of the table as it is.");
  blocks.emplace_back(std::move(list));
  return blocks;
}

}  // namespace gonogo::report::internal

namespace gonogo::report {
namespace {

using internal::FactsTable;

Section ControlProvenance(const ResultNode& provenance) {
  Section section{.id = "provenance", .title = "Protocol and provenance"};
  Table declared{.caption = "Everything declared, key by key",
                 .columns = {{"key"}, {"value", ColumnKind::kProse}},
                 .folded = true};
  const ResultNode protocol = provenance["protocol"];
  std::istringstream lines(protocol.text());
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find(" = ");
    if (equals == std::string::npos) continue;
    const std::string key = line.substr(0, equals);
    const std::string value = line.substr(equals + 3);
    declared.rows.push_back(
        {Text(key, key, protocol.place()), Text(value, value, protocol.place())});
  }
  if (!declared.rows.empty()) section.blocks.emplace_back(std::move(declared));
  section.blocks.emplace_back(FactsTable("Where the numbers come from", provenance, {"protocol"}));
  return section;
}

}  // namespace

Page MakeControlPage(const nlohmann::json& control) {
  const ResultNode root(control);
  const bool hidden = root["kind"] == "hidden";
  Page page{.title = hidden ? "Hidden signal" : "Observable signal", .kicker = "gonogo control"};
  page.subtitle = hidden ? "A bonus that no feature shows: an honest audit does not find it."
                         : "A bonus whose place the features show: a working audit finds it.";
  page.sections = {{.id = "control",
                    .title = hidden ? "What was claimed" : "What was recovered",
                    .blocks = internal::ControlBlocks(root, root["threshold"].number())}};
  if (root["provenance"].is_object()) {
    page.sections.push_back(ControlProvenance(root["provenance"]));
  }
  page.attachment = Attachment{.file_name = "control.json", .content = control};
  return page;
}

}  // namespace gonogo::report
