// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/charts/response_charts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace gonogo::paper {
namespace {

using nlohmann::json;

constexpr Eigen::Index kPoints = 500;  // a picture shows no more

/// Enough digits for a picture.
double Rounded(double value) { return std::round(value * 1e4) / 1e4; }

report::Chart Scatter(const study::IdentifyResult& result, Eigen::Index output,
                      const std::string& name) {
  const Eigen::Index rows = result.measured.rows();
  const Eigen::Index stride = std::max<Eigen::Index>(1, rows / kPoints);
  json points = json::array();
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (Eigen::Index i = 0; i < rows; i += stride) {
    const double measured = Rounded(result.measured(i, output));
    const double predicted = Rounded(result.predicted(i, output));
    points.push_back({{"measured", measured}, {"predicted", predicted}});
    low = std::min({low, measured, predicted});
    high = std::max({high, measured, predicted});
  }
  report::Chart chart{.title = "",
                      .description = "Is " + name +
                                     " predicted well? Predicted against measured values of "
                                     "windows that were held out; on the diagonal the two agree."};
  chart.spec = R"json({"height": 220, "layer": [
    {"mark": {"type": "line", "color": "var(--muted)", "strokeDash": [4, 3]}},
    {"mark": {"type": "point", "filled": true, "size": 9, "opacity": 0.45,
              "color": "var(--series-1)"}}]})json"_json;
  const json scale{{"domain", {low, high}}, {"nice", true}, {"zero", false}};
  const json encoding{{"x",
                       {{"field", "measured"},
                        {"type", "quantitative"},
                        {"scale", scale},
                        {"axis", {{"tickCount", 4}}}}},
                      {"y",
                       {{"field", "predicted"},
                        {"type", "quantitative"},
                        {"scale", scale},
                        {"axis", {{"tickCount", 4}}}}}};
  chart.spec["encoding"] = encoding;
  chart.spec["layer"][0]["data"]["values"] = {{{"measured", low}, {"predicted", low}},
                                              {{"measured", high}, {"predicted", high}}};
  chart.spec["layer"][1]["data"]["values"] = std::move(points);
  return chart;
}

}  // namespace

const std::vector<std::string>& ResponseNames() {
  static const std::vector<std::string> names{"Δx (m)",
                                              "Δy (m)",
                                              "Δψ (rad)",
                                              "effort proxy",
                                              "min. rel. height (m)",
                                              "mean rel. height (m)"};
  return names;
}

report::Cards PredictedAgainstMeasured(const study::IdentifyResult& result) {
  report::Cards cards;
  for (std::size_t i = 0; i < ResponseNames().size(); ++i) {
    const std::string& name = ResponseNames()[i];
    cards.cards.push_back(
        {.title = fmt::format("{}: R² {:.3f}", name, result.rows.front().scores[i].r2),
         .chart = Scatter(result, static_cast<Eigen::Index>(i), name)});
  }
  return cards;
}

report::Chart AccuracyAgainstData(const study::IdentifyResult& result) {
  json values = json::array();
  for (const study::ResponseRow& row : result.rows) {
    if (row.name != "effort" && !row.name.ends_with("of the data")) continue;
    for (const std::size_t i : {0U, 2U, 3U, 4U}) {
      values.push_back({{"windows", row.training_windows},
                        {"R²", Rounded(row.scores[i].r2)},
                        {"output", ResponseNames()[i]}});
    }
  }
  report::Chart chart{.title = "R² on the held-out episodes against the amount of data",
                      .description =
                          "How much data does the model need? R² on episodes that were held out, "
                          "against the number of training windows, one line each for displacement, "
                          "yaw, effort and height."};
  chart.spec = R"json({"height": 260,
    "mark": {"type": "line", "point": true},
    "encoding": {
      "x": {"field": "windows", "type": "quantitative", "title": "training windows",
            "axis": {"tickCount": 5}},
      "y": {"field": "R²", "type": "quantitative", "title": null, "scale": {"zero": false}},
      "color": {"field": "output", "type": "nominal", "sort": null,
        "legend": {"orient": "bottom", "title": null, "columns": 2},
        "scale": {"range":
          ["var(--series-1)", "var(--series-2)", "var(--series-3)", "var(--series-4)"]}},
      "tooltip": [{"field": "output"}, {"field": "windows"}, {"field": "R²"}]}})json"_json;
  chart.spec["data"]["values"] = std::move(values);
  return chart;
}

report::Cards ErrorAgainstHorizon(const study::IdentifyResult& result) {
  struct Quantity {
    const char* name;
    double unit;
    double response::OpenLoopScore::*score;
  };
  static constexpr std::array<Quantity, 4> kQuantities{
      {{"displacement (cm)", 100.0, &response::OpenLoopScore::displacement_mae_m},
       {"work (J)", 1.0, &response::OpenLoopScore::work_mae_j},
       {"min. height (mm)", 1000.0, &response::OpenLoopScore::min_height_mae_m},
       {"full state (standard deviations)", 1.0, &response::OpenLoopScore::state_rmse}}};
  report::Cards cards;
  for (const Quantity& quantity : kQuantities) {
    json values = json::array();
    for (const response::OpenLoopScore& score : result.macro->open_loop) {
      values.push_back({{"macro steps", score.steps},
                        {"error", Rounded(quantity.unit * score.*quantity.score)}});
    }
    report::Chart chart{
        .title = "",
        .description = fmt::format(
            "How far ahead can it predict? Error of {} after so many macro steps without looking.",
            quantity.name)};
    chart.spec = R"json({"height": 170,
      "mark": {"type": "line", "point": true, "color": "var(--series-1)"},
      "encoding": {
        "x": {"field": "macro steps", "type": "ordinal", "axis": {"labelAngle": 0}},
        "y": {"field": "error", "type": "quantitative", "axis": {"tickCount": 4}},
        "tooltip": [{"field": "macro steps"}, {"field": "error"}]}})json"_json;
    chart.spec["data"]["values"] = std::move(values);
    cards.cards.push_back({.title = quantity.name, .chart = std::move(chart)});
  }
  return cards;
}

}  // namespace gonogo::paper
