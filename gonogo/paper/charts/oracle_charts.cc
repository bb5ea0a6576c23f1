// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/charts/oracle_charts.h"

#include <fmt/format.h>

namespace gonogo::paper {
namespace {

using nlohmann::json;

/// Horizontal bars with their value beside them.
report::Chart Bars(const std::string& axis, const std::string& format, json rows,
                   const std::string& description) {
  report::Chart chart{.title = "", .description = description};
  chart.spec = R"json({"height": {"step": 26},
    "encoding": {
      "y": {"field": "name", "type": "nominal", "title": null, "sort": null},
      "x": {"field": "value", "type": "quantitative", "scale": {"padding": 34}}},
    "layer": [
      {"mark": {"type": "point", "filled": true, "size": 90, "color": "var(--series-1)"}},
      {"mark": {"type": "text", "align": "left", "dx": 8},
       "encoding": {"text": {"field": "value", "type": "quantitative"}}}]})json"_json;
  chart.spec["encoding"]["x"]["title"] = axis;
  chart.spec["encoding"]["x"]["axis"]["format"] = format;
  chart.spec["encoding"]["x"]["axis"]["tickCount"] = 4;
  chart.spec["layer"][1]["encoding"]["text"]["format"] = format;
  chart.spec["data"]["values"] = std::move(rows);
  return chart;
}

}  // namespace

report::Cards OracleCharts(const study::ScaleOracle& oracle) {
  json shares = json::array();
  json costs = json::array();
  const double best = oracle.scales[oracle.best].mean_cot;
  for (const study::ScaleShare& scale : oracle.scales) {
    shares.push_back({{"name", scale.method}, {"value", scale.share}});
    costs.push_back({{"name", scale.method}, {"value", scale.mean_cot / best}});
  }
  costs.push_back({{"name", "oracle per episode"}, {"value", oracle.oracle_cot / best}});
  report::Chart cost =
      Bars("COT relative to the best single scale", ".3f", std::move(costs),
           "How much cheaper would the best scale of every episode be? Mean cost of "
           "transport of every scale and of that oracle, relative to the best scale.");
  cost.spec["encoding"]["x"]["scale"]["zero"] = false;
  report::Chart share =
      Bars("share of episodes", ".0%", std::move(shares),
           "Is one scale best everywhere? Share of episodes in which each scale is "
           "the cheapest.");
  share.spec["encoding"]["x"]["scale"]["domain"] = {0.0, 1.0};
  return {{{.title = "Cheapest scale of the episode", .chart = std::move(share)},
           {.title = "Cost against the best single scale", .chart = std::move(cost)}}};
}

}  // namespace gonogo::paper
