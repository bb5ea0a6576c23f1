// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/charts/control_charts.h"

#include <fmt/format.h>

namespace gonogo::paper {
namespace {

using nlohmann::json;

json Row(double gamma, const char* of, const PublishedEstimate& e) {
  return {{"gamma", gamma}, {"of", of}, {"point", e.point}, {"lower", e.lower}, {"upper", e.upper}};
}

PublishedEstimate InPercent(const audit::Estimate& e) {
  const stats::Interval interval = e.interval.value_or(stats::Interval{e.point, e.point});
  return {100.0 * e.point, 100.0 * interval.lower, 100.0 * interval.upper};
}

/// Estimates with intervals against the bonus, the paper's beside ours.
report::Chart Sweep(json rows, const std::string& axis) {
  report::Chart chart{.title = "",
                      .description = "Is a planted signal found? " + axis +
                                     " against the planted bonus, with 95 % intervals."};
  chart.spec = R"json({"height": 240, "encoding": {
      "x": {"field": "gamma", "type": "quantitative", "title": "bonus, %"},
      "color": {"field": "of", "type": "nominal", "title": null, "sort": ["paper", "ours"],
        "scale": {"range": ["var(--series-2)", "var(--series-1)"]}, "legend": {"orient": "bottom"}},
      "xOffset": {"field": "of", "type": "nominal", "sort": ["paper", "ours"]}},
    "layer": [
      {"mark": {"type": "rule"}, "encoding": {
        "y": {"field": "lower", "type": "quantitative"}, "y2": {"field": "upper"}}},
      {"mark": {"type": "point", "filled": true, "size": 60}, "encoding": {
        "y": {"field": "point", "type": "quantitative"},
        "tooltip": [{"field": "of"}, {"field": "gamma"}, {"field": "point", "format": ".2f"},
                    {"field": "lower", "format": ".2f"},
                    {"field": "upper", "format": ".2f"}]}}]})json"_json;
  chart.spec["encoding"]["x"]["type"] = "ordinal";  // room for two beside each other
  chart.spec["layer"][0]["encoding"]["y"]["title"] = axis;
  chart.spec["data"]["values"] = std::move(rows);
  return chart;
}

report::Chart Mappings(std::span<const audit::ControlPoint> hidden,
                       std::span<const double> thresholds) {
  json rows = json::array();
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    json row = Row(5.0, "ours", InPercent(hidden[i].result.h_alloc));
    row["mapping"] = i + 1;
    rows.push_back(std::move(row));
  }
  json lines = json::array();
  for (const double threshold : thresholds) lines.push_back({{"threshold", 100.0 * threshold}});
  report::Chart chart{
      .title = "",
      .description =
          "Is a hidden signal claimed? Interval of H_alloc for every hidden mapping, with the "
          "three thresholds."};
  chart.spec = R"json({"height": 240, "layer": [
      {"mark": {"type": "rule", "strokeDash": [4, 3], "color": "var(--muted)"}, "encoding": {
        "y": {"field": "threshold", "type": "quantitative"}}},
      {"mark": {"type": "rule", "color": "var(--series-1)"}, "encoding": {
        "x": {"field": "mapping", "type": "ordinal", "title": "hidden mapping"},
        "y": {"field": "lower", "type": "quantitative", "title": "H_alloc, %"},
        "y2": {"field": "upper"}}},
      {"mark": {"type": "point", "filled": true, "size": 60, "color": "var(--series-1)"},
       "encoding": {
        "x": {"field": "mapping", "type": "ordinal"},
        "y": {"field": "point", "type": "quantitative"}}}]})json"_json;
  chart.spec["layer"][0]["data"]["values"] = std::move(lines);
  chart.spec["layer"][1]["data"]["values"] = rows;
  chart.spec["layer"][2]["data"]["values"] = std::move(rows);
  return chart;
}

}  // namespace

report::Cards ControlCharts(std::span<const PublishedControl> published,
                            std::span<const audit::ControlPoint> observable,
                            std::span<const audit::ControlPoint> hidden,
                            std::span<const double> thresholds) {
  json gains = json::array();
  json violations = json::array();
  for (const PublishedControl& row : published) {
    gains.push_back(Row(row.gamma, "paper", row.h_alloc));
    violations.push_back(Row(row.gamma, "paper", row.q));
  }
  for (const audit::ControlPoint& point : observable) {
    gains.push_back(Row(100.0 * point.gamma, "ours", InPercent(point.result.h_alloc)));
    violations.push_back(Row(100.0 * point.gamma, "ours", InPercent(point.result.q)));
  }
  return {{{.title = "Allocation gain", .chart = Sweep(std::move(gains), "H_alloc, %")},
           {.title = "Violations", .chart = Sweep(std::move(violations), "q, %")},
           {.title = "Ten hidden mappings of 5 %", .chart = Mappings(hidden, thresholds)}}};
}

}  // namespace gonogo::paper
