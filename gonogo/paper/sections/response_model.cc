// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/sections/response_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "gonogo/paper/published/cells.h"
#include "gonogo/paper/published/published.h"

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
  chart.spec = ChartSpec("scatter");
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

/// The outputs of f_phi in their order, with units.
const std::vector<std::string>& ResponseNames() {
  static const std::vector<std::string> names{"Δx (m)",
                                              "Δy (m)",
                                              "Δψ (rad)",
                                              "effort proxy",
                                              "min. rel. height (m)",
                                              "mean rel. height (m)"};
  return names;
}

/// Predicted against measured, one card per output.
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

/// R² against the number of training windows, one line per output. Needs the rows of less data.
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
  chart.spec = ChartSpec("data");
  chart.spec["data"]["values"] = std::move(values);
  return chart;
}

/// Open-loop errors against the horizon, one card per error.
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
    chart.spec = ChartSpec("horizon");
    chart.spec["data"]["values"] = std::move(values);
    cards.cards.push_back({.title = quantity.name, .chart = std::move(chart)});
  }
  return cards;
}

using report::Cell;
using response::RegressionScore;
using study::IdentifyResult;
using study::ResponseRow;

/// The rows of Table 1 in the order of the outputs.
constexpr std::array kOutputs{"dx", "dy", "dyaw", "effort", "min_height", "mean_height"};
/// Our own bar: the paper prints 0.88 and 0.91 for the two heights and claims no bound.
constexpr double kHeightBar = 0.85;

const ResponseRow* Find(const IdentifyResult& result, std::string_view name) {
  for (const ResponseRow& row : result.rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

std::string ThreeDecimals(double value) { return fmt::format("{:.3f}", value); }

/// MAE, RMSE and R² of ours, then of theirs.
std::vector<Cell> ScoreCells(const std::string& name, const RegressionScore& ours,
                             const std::array<std::optional<double>, 3>& theirs) {
  std::vector<Cell> cells{name, ThreeDecimals(ours.mae), ThreeDecimals(ours.rmse),
                          ThreeDecimals(ours.r2)};
  for (const std::optional<double>& value : theirs) {
    cells.emplace_back(value ? ThreeDecimals(*value) : "");
  }
  return cells;
}

/// A row of Table 1.
std::array<std::optional<double>, 3> PublishedScores(const IdentifyResult& result,
                                                     std::string_view row) {
  const PublishedTable& paper = Published("model", result.robot);
  return {paper.Number(row, "mae"), paper.Number(row, "rmse"), paper.Number(row, "r2")};
}

report::Table AccuracyTable(const IdentifyResult& result) {
  report::Table table =
      NumberTable("Held-out accuracy of f_φ (Table 1)",
                  {"output", "MAE", "RMSE", "R²", "paper MAE", "paper RMSE", "paper R²"});
  const auto& scores = result.rows.front().scores;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    table.rows.push_back(
        ScoreCells(ResponseNames()[i], scores[i], PublishedScores(result, kOutputs.at(i))));
  }
  const PublishedTable& contrasts = Published("model-contrasts", result.robot);
  if (const ResponseRow* power = Find(result, "power")) {
    table.rows.push_back(
        ScoreCells("power (W), five members", power->scores[3],
                   {contrasts.Number("power", "mae"), {}, contrasts.Number("power", "cost")}));
  }
  if (const ResponseRow* world = Find(result, "world-frame heights")) {
    table.rows.push_back(ScoreCells("min. height, world-frame labels", world->scores[4],
                                    PublishedScores(result, "world_frame_height")));
  }
  return table;
}

/// What Section 4.2 claims, as bars for ours. The paper must be about this robot.
report::Table BarTable(const IdentifyResult& result) {
  const auto& scores = result.rows.front().scores;
  const PublishedTable& claims = Published("model-claims", result.robot);
  const auto claim = [&](const char* row) { return claims.Number(row, "r2").value(); };
  struct Bar {
    const char* name;
    double least;
    double ours;
  };
  const std::array<Bar, 4> bars{
      {{"displacement", claim("displacement"), std::min(scores[0].r2, scores[1].r2)},
       {"yaw", claim("yaw"), scores[2].r2},
       {"cost", claim("cost"), scores[3].r2},
       {"relative height", kHeightBar, std::min(scores[4].r2, scores[5].r2)}}};
  report::Table table =
      NumberTable("R² the paper claims, as a bar for ours (the worse of two outputs)",
                  {"response", "bar", "ours"});
  table.columns.push_back({""});
  for (const Bar& bar : bars) {
    const bool met = bar.ours >= bar.least;
    table.rows.push_back(
        {bar.name, fmt::format("{:.2f}", bar.least), ThreeDecimals(bar.ours),
         Cell(met ? "met" : "missed", met ? report::Tone::kGo : report::Tone::kNoGo)});
  }
  return table;
}

/// What the paper prints about one way of training: displacement and cost, each or neither.
std::array<std::string, 2> PublishedContrast(const IdentifyResult& result, const std::string& row) {
  const auto two = [](std::optional<double> r2) { return r2 ? Fixed(r2, 2) : ""; };
  if (row == "effort") {
    const PublishedTable& all = Published("model", result.robot);
    return {two(all.Number("dx", "r2")), two(all.Number("effort", "r2"))};
  }
  const PublishedTable& paper = Published("model-contrasts", result.robot);
  if (const auto lateral = paper.Text(row, "lateral")) return {*lateral + " (Δy)", ""};
  return {two(paper.Number(row, "displacement")), two(paper.Number(row, "cost"))};
}

report::Table ContrastTable(const IdentifyResult& result) {
  report::Table table = NumberTable("R² on the same held-out episodes by what f_φ was trained on",
                                    {"trained on", "windows", "Δx", "Δy", "Δψ", "cost",
                                     "min. height", "paper displacement", "paper cost"});
  for (const ResponseRow& row : result.rows) {
    std::vector<Cell> cells{row.name == "effort" ? "all data" : row.name,
                            fmt::format("{}", row.training_windows)};
    for (const std::size_t output : {0U, 1U, 2U, 3U, 4U}) {
      cells.emplace_back(ThreeDecimals(row.scores[output].r2));
    }
    for (const std::string& text : PublishedContrast(result, row.name)) cells.emplace_back(text);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

report::Table OpenLoopTable(const IdentifyResult& result) {
  report::Table table = NumberTable(
      "Open-loop errors of F_η on test episodes (mean absolute; state: root mean square in "
      "standard deviations)",
      {"rolled out", "displacement (cm)", "work (J)", "min. height (mm)", "full state"});
  for (const response::OpenLoopScore& s : result.macro->open_loop) {
    table.rows.push_back(
        {fmt::format("{} macro step{}", s.steps, s.steps == 1 ? "" : "s"),
         fmt::format("{:.2f}", 100 * s.displacement_mae_m), fmt::format("{:.2f}", s.work_mae_j),
         fmt::format("{:.1f}", 1000 * s.min_height_mae_m), ThreeDecimals(s.state_rmse)});
  }
  const PublishedTable& paper = Published("macro-transition", result.robot);
  constexpr const char* kRow = "4 macro steps";
  if (paper.Has(kRow)) {
    table.rows.push_back({"paper, 4 macro steps", Fixed(paper.Number(kRow, "displacement"), 2),
                          Fixed(paper.Number(kRow, "work"), 2),
                          Fixed(paper.Number(kRow, "min_height"), 1),
                          Fixed(paper.Number(kRow, "state"))});
  }
  return table;
}

report::Table ValueTable(const IdentifyResult& result) {
  const study::ValueSummary& v = *result.value;
  const PublishedTable& paper = Published("task-value", result.robot);
  const auto theirs = [&](const char* row, const char* column) {
    return TextOrBlank(paper.Text(row, column));
  };
  report::Table table = NumberTable("Task-value network on test episodes",
                                    {"output", "MAE", "R² or AUC", "paper MAE", "paper R² or AUC"});
  table.rows = {{"remaining work (J)", fmt::format("{:.1f}", v.work.mae), ThreeDecimals(v.work.r2),
                 theirs("work", "mae"), theirs("work", "score")},
                {"remaining time (s)", ThreeDecimals(v.time.mae), ThreeDecimals(v.time.r2),
                 theirs("time", "mae"), theirs("time", "score")},
                {"success", "", ThreeDecimals(v.success_auc), "", theirs("success", "score")}};
  return table;
}

}  // namespace

report::Section ResponseModelSection(const IdentifyResult& result) {
  report::Section section{.id = "response-model-" + result.robot,
                          .title = "The command response of " + result.robot,
                          .blocks = {}};
  section.blocks.emplace_back(report::Paragraph{fmt::format(
      "Excitation on {} ground: {} states of {} episodes. A window is {:.2f} s under one command; "
      "{} windows of whole episodes were held out, choose the checkpoint and are scored here, as "
      "in the paper.",
      result.terrain, result.states, result.episodes, result.window_s, result.held_out_windows)});
  section.blocks.emplace_back(AccuracyTable(result));
  if (!Published("model-claims", result.robot).rows.empty()) {
    section.blocks.emplace_back(BarTable(result));
  }
  section.blocks.emplace_back(PredictedAgainstMeasured(result));
  section.blocks.emplace_back(ContrastTable(result));
  if (Find(result, "50 % of the data") != nullptr) {
    section.blocks.emplace_back(AccuracyAgainstData(result));
  }
  return section;
}

report::Section PlannerModelSection(const IdentifyResult& result) {
  // What the paper learned from is said on every robot's page, for comparison.
  const PublishedTable& macro = Published("macro-transition");
  const PublishedTable& value = Published("task-value");
  return {.id = "planner-models-" + result.robot,
          .title = "The planner's models of " + result.robot,
          .blocks = {report::Paragraph{fmt::format(
                         "The macro-transition ensemble F_η learned from {} macro steps of {} "
                         "episodes (paper: {} of {}) and is rolled out {} times from states of "
                         "episodes it never saw; the task-value network learned from {} samples of "
                         "{} mixed-controller episodes (paper: {} of {}).",
                         result.macro->training_windows, result.macro->episodes,
                         *macro.Text("training", "windows"), *macro.Text("training", "episodes"),
                         result.macro->test_rollouts, result.value->samples, result.value->episodes,
                         *value.Text("training", "samples"), *value.Text("training", "episodes"))},
                     OpenLoopTable(result), ErrorAgainstHorizon(result), ValueTable(result)}};
}

}  // namespace gonogo::paper
