// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/control_blocks.h"

#include <fmt/format.h>

#include "gonogo/report/audit/audit_tables.h"
#include "gonogo/report/audit/channel.h"
#include "gonogo/report/charts/chart_parts.h"
#include "gonogo/report/text/number_text.h"

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

Json PointRows(const Json& points) {
  Json rows = Json::array();
  for (const Json& point : points) {
    const Json& gain = At(point, "H_alloc");
    rows.push_back({{"run", rows.size() + 1},
                    {"gamma", InPercent(NumberAt(point, "gamma"))},
                    {"gain", InPercent(NumberAt(gain, "point"))},
                    {"lower", InPercent(NumberAt(gain, "lower"))},
                    {"upper", InPercent(NumberAt(gain, "upper"))},
                    {"planted bonus γ", Percent(NumberAt(point, "gamma"))},
                    {"allocation gain", Percent(NumberAt(gain, "point"))},
                    {"interval", ShownInterval(gain)}});
  }
  return rows;
}

/// Allocation gains with their intervals over `x`, and the line a GO has to clear.
Chart GainChart(const Json& points, Json x, Json layers, std::optional<double> threshold) {
  x["axis"]["grid"] = false;
  Chart chart;
  for (Json& layer : layers) {
    layer["encoding"]["x"] = x;
    layer["encoding"]["tooltip"] = Tooltip({"planted bonus γ", "allocation gain", "interval"});
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

/// "Allocation gain at a bonus of 2.00 %: 1.03 %. …"
std::string GainsInWords(const Json& points) {
  std::string text;
  for (const Json& point : points) {
    const Json& gain = At(point, "H_alloc");
    text +=
        fmt::format("{}Allocation gain at a bonus of {}: {}, interval {}.", text.empty() ? "" : " ",
                    Percent(NumberAt(point, "gamma")), Percent(NumberAt(gain, "point")),
                    PercentInterval(NumberAt(gain, "lower"), NumberAt(gain, "upper")));
  }
  return text;
}

Chart ObservableChart(const Json& points, std::optional<double> threshold) {
  Chart chart = GainChart(points, PercentChannel("gamma", "planted bonus γ"), R"json([
      {"mark": {"type": "area", "color": "var(--series-1)", "opacity": 0.18},
       "encoding": {"y2": {"field": "upper"}}},
      {"mark": {"type": "line", "color": "var(--series-1)",
                "point": {"color": "var(--series-1)", "size": 70}},
       "encoding": {"y": {"field": "gain", "type": "quantitative"}}}
    ])json"_json,
                          threshold);
  chart.title =
      "Allocation gain recovered from a signal planted in an observable feature. The "
      "dashed line is the threshold.";
  chart.description = "Does the audit find a planted signal? " + GainsInWords(points);
  return chart;
}

Chart HiddenChart(const Json& points, std::optional<double> threshold) {
  Chart chart = GainChart(points, R"({"field": "run", "type": "ordinal",
      "axis": {"title": "hidden mapping", "labelAngle": 0}})"_json,
                          R"json([
      {"mark": {"type": "rule", "strokeWidth": 4, "strokeCap": "round", "opacity": 0.45,
                "color": "var(--series-1)"},
       "encoding": {"y2": {"field": "upper"}}},
      {"mark": {"type": "point", "size": 70, "color": "var(--series-1)"},
       "encoding": {"y": {"field": "gain", "type": "quantitative"}}}
    ])json"_json,
                          threshold);
  chart.title =
      "Allocation gain when a signal is planted that no feature shows: it should not "
      "exceed what the table itself holds.";
  chart.description = "Does the audit claim a signal that nobody can see? " + GainsInWords(points);
  return chart;
}

Table PointTable(const Json& points, bool hidden) {
  Table table{.caption = "What the audit says with the planted signal",
              .columns = {{hidden ? "Mapping" : "Planted bonus γ"},
                          {"Deployment gain", ColumnKind::kNumber},
                          {"Allocation gain", ColumnKind::kNumber},
                          {"Violation rate", ColumnKind::kNumber},
                          {"Reads"}}};
  for (const Json& point : points) {
    std::vector<Cell> row{hidden ? fmt::format("{}", table.rows.size() + 1)
                                 : Percent(NumberAt(point, "gamma"))};
    for (const char* key : {"H_dep", "H_alloc", "q"}) {
      const Json& estimate = At(point, key);
      row.emplace_back(Percent(NumberAt(estimate, "point")) + " " + ShownInterval(estimate));
    }
    row.push_back(DecisionBadge(TextAt(point, "reading")));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::vector<Block> ControlBlocks(const Json& control, std::optional<double> threshold) {
  const Json& points = At(control, "points");
  if (!points.is_array() || points.empty()) return {};
  const bool hidden = TextAt(control, "kind") == "hidden";
  std::vector<Block> blocks{
      Paragraph{hidden ? kHiddenStory : kObservableStory},
      hidden ? HiddenChart(points, threshold) : ObservableChart(points, threshold),
      PointTable(points, hidden)};
  const Json& counts = At(control, "lower_bound_above");
  if (hidden && counts.is_array()) {
    List list{{fmt::format("Planted bonus γ: {}.", Percent(NumberAt(points.front(), "gamma")))}};
    for (const Json& count : counts) {
      list.items.push_back(fmt::format("Lower bound of the allocation gain above {}: {} of {}.",
                                       Percent(NumberAt(count, "threshold")),
                                       Display(At(count, "count")), points.size()));
    }
    blocks.emplace_back(std::move(list));
  }
  return blocks;
}

}  // namespace gonogo::report::internal
