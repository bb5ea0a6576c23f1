// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/models/response_model.h"

#include <array>
#include <optional>

#include <fmt/format.h>

#include "gonogo/paper/charts/response_charts.h"

namespace gonogo::paper {
namespace {

using report::Cell;
using report::ColumnKind;
using response::RegressionScore;
using study::IdentifyResult;
using study::ResponseRow;

/// Table 1.
constexpr std::array<RegressionScore, 6> kPublished{{{0.019, 0.025, 0.944},
                                                     {0.019, 0.025, 0.942},
                                                     {0.029, 0.042, 0.927},
                                                     {0.435, 0.625, 0.752},
                                                     {0.009, 0.012, 0.875},
                                                     {0.008, 0.010, 0.906}}};
constexpr RegressionScore kPublishedWorld{0.039, 0.092, 0.247};
constexpr RegressionScore kPublishedPower{.mae = 13.0, .rmse = 0.0, .r2 = 0.797};  // no RMSE

bool Published(const IdentifyResult& result) { return result.robot == "go2"; }

const ResponseRow* Find(const IdentifyResult& result, std::string_view name) {
  for (const ResponseRow& row : result.rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

std::string Number(double value) { return fmt::format("{:.3f}", value); }

/// MAE, RMSE and R² of ours, then of theirs.
std::vector<Cell> ScoreCells(const std::string& name, const RegressionScore& ours,
                             const RegressionScore& theirs, bool published) {
  std::vector<Cell> cells{name, Number(ours.mae), Number(ours.rmse), Number(ours.r2)};
  for (const double value : {theirs.mae, theirs.rmse, theirs.r2}) {
    cells.emplace_back(published && value != 0.0 ? Number(value) : "");
  }
  return cells;
}

report::Table AccuracyTable(const IdentifyResult& result) {
  report::Table table{.caption = "Held-out accuracy of f_φ (Table 1)",
                      .columns = {{"output"},
                                  {"MAE", ColumnKind::kNumber},
                                  {"RMSE", ColumnKind::kNumber},
                                  {"R²", ColumnKind::kNumber},
                                  {"paper MAE", ColumnKind::kNumber},
                                  {"paper RMSE", ColumnKind::kNumber},
                                  {"paper R²", ColumnKind::kNumber}}};
  const bool published = Published(result);
  const auto& scores = result.rows.front().scores;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    table.rows.push_back(ScoreCells(ResponseNames()[i], scores[i], kPublished.at(i), published));
  }
  if (const ResponseRow* power = Find(result, "power")) {
    table.rows.push_back(
        ScoreCells("power (W), five members", power->scores[3], kPublishedPower, published));
  }
  if (const ResponseRow* world = Find(result, "world-frame heights")) {
    table.rows.push_back(ScoreCells("min. height, world-frame labels", world->scores[4],
                                    kPublishedWorld, published));
  }
  return table;
}

/// What Section 4.2 claims, as bars for ours.
report::Table BarTable(const IdentifyResult& result) {
  const auto& scores = result.rows.front().scores;
  struct Bar {
    const char* name;
    double least;
    double ours;
  };
  const std::array<Bar, 4> bars{{{"displacement", 0.92, std::min(scores[0].r2, scores[1].r2)},
                                 {"yaw", 0.92, scores[2].r2},
                                 {"cost", 0.75, scores[3].r2},
                                 {"relative height", 0.85, std::min(scores[4].r2, scores[5].r2)}}};
  report::Table table{
      .caption = "R² the paper claims, as a bar for ours (the worse of two outputs)",
      .columns = {{"response"}, {"bar", ColumnKind::kNumber}, {"ours", ColumnKind::kNumber}, {""}}};
  for (const Bar& bar : bars) {
    const bool met = bar.ours >= bar.least;
    table.rows.push_back(
        {bar.name, fmt::format("{:.2f}", bar.least), Number(bar.ours),
         Cell(met ? "met" : "missed", met ? report::Tone::kGo : report::Tone::kNoGo)});
  }
  return table;
}

/// What the paper prints about one way of training: displacement and cost, each or neither.
std::array<std::string, 2> PublishedContrast(const std::string& row) {
  if (row == "effort") return {"0.94", "0.75"};
  if (row == "power") return {"", "0.80"};
  if (row == "50 % of the data") return {"0.93", "0.72"};
  if (row == "25 % of the data") return {"0.92", "0.62"};
  if (row == "utility-filtered") return {"-1.9 (Δy)", ""};
  return {"", ""};
}

report::Table ContrastTable(const IdentifyResult& result) {
  report::Table table{.caption = "R² on the same held-out episodes by what f_φ was trained on",
                      .columns = {{"trained on"}, {"windows", ColumnKind::kNumber}}};
  for (const char* output :
       {"Δx", "Δy", "Δψ", "cost", "min. height", "paper displacement", "paper cost"}) {
    table.columns.push_back({output, ColumnKind::kNumber});
  }
  for (const ResponseRow& row : result.rows) {
    std::vector<Cell> cells{row.name == "effort" ? "all data" : row.name,
                            fmt::format("{}", row.training_windows)};
    for (const std::size_t output : {0U, 1U, 2U, 3U, 4U}) {
      cells.emplace_back(Number(row.scores[output].r2));
    }
    for (const std::string& text : PublishedContrast(row.name)) {
      cells.emplace_back(Published(result) ? text : "");
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

report::Table OpenLoopTable(const IdentifyResult& result) {
  report::Table table{.caption =
                          "Open-loop errors of F_η on test episodes (mean absolute; state: "
                          "root mean square in standard deviations)",
                      .columns = {{"rolled out"},
                                  {"displacement (cm)", ColumnKind::kNumber},
                                  {"work (J)", ColumnKind::kNumber},
                                  {"min. height (mm)", ColumnKind::kNumber},
                                  {"full state", ColumnKind::kNumber}}};
  for (const response::OpenLoopScore& s : result.macro->open_loop) {
    table.rows.push_back({fmt::format("{} macro step{}", s.steps, s.steps == 1 ? "" : "s"),
                          fmt::format("{:.2f}", 100 * s.displacement_mae_m),
                          fmt::format("{:.2f}", s.work_mae_j),
                          fmt::format("{:.1f}", 1000 * s.min_height_mae_m), Number(s.state_rmse)});
  }
  if (Published(result)) {
    table.rows.push_back({"paper, 4 macro steps", "3.30", "5.17", "8.8", "0.756"});
  }
  return table;
}

report::Table ValueTable(const IdentifyResult& result) {
  const study::ValueSummary& v = *result.value;
  const auto theirs = [&](const char* text) { return Published(result) ? text : ""; };
  return {.caption = "Task-value network on test episodes",
          .columns = {{"output"},
                      {"MAE", ColumnKind::kNumber},
                      {"R² or AUC", ColumnKind::kNumber},
                      {"paper MAE", ColumnKind::kNumber},
                      {"paper R² or AUC", ColumnKind::kNumber}},
          .rows = {{"remaining work (J)", fmt::format("{:.1f}", v.work.mae), Number(v.work.r2),
                    theirs("15.7"), theirs("0.846")},
                   {"remaining time (s)", Number(v.time.mae), Number(v.time.r2), theirs("0.362"),
                    theirs("0.654")},
                   {"success", "", Number(v.success_auc), "", theirs("0.819")}}};
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
  if (Published(result)) section.blocks.emplace_back(BarTable(result));
  section.blocks.emplace_back(PredictedAgainstMeasured(result));
  section.blocks.emplace_back(ContrastTable(result));
  if (Find(result, "50 % of the data") != nullptr) {
    section.blocks.emplace_back(AccuracyAgainstData(result));
  }
  return section;
}

report::Section PlannerModelSection(const IdentifyResult& result) {
  return {
      .id = "planner-models-" + result.robot,
      .title = "The planner's models of " + result.robot,
      .blocks = {report::Paragraph{fmt::format(
                     "The macro-transition ensemble F_η learned from {} macro steps of {} "
                     "episodes (paper: 42054 of 207) and is rolled out {} times from states of "
                     "episodes it never saw; the task-value network learned from {} samples of "
                     "{} mixed-controller episodes (paper: 4298 of 144).",
                     result.macro->training_windows, result.macro->episodes,
                     result.macro->test_rollouts, result.value->samples, result.value->episodes)},
                 OpenLoopTable(result), ErrorAgainstHorizon(result), ValueTable(result)}};
}

}  // namespace gonogo::paper
