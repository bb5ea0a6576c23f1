// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/calibration_page.h"

#include <fmt/format.h>

#include "gonogo/report/calibration_families.h"
#include "gonogo/report/text/json_access.h"
#include "gonogo/report/text/number_text.h"
#include "gonogo/report/text/words.h"

namespace gonogo::report {
namespace {

using namespace internal;  // NOLINT(google-build-using-namespace): this file is its only reader

constexpr const char* kHowToRead =
    "A false GO is wrong about the adapter that would ship; 2.5 % are allowed where one channel "
    "lies "
    "exactly at its threshold, 0.5 % where nothing is to be gained, 5 % false NO-GO. Coverage of "
    "nominal 95 % intervals should be 93 % at least, q above its bound in 2.5 % at most. "
    "Efficiency: "
    "GO at twice the thresholds over the GO of an oracle that tests the same adapter on as many "
    "fresh clusters. Families marked “confirms” had no part in the making of any rule.";

std::string Share(const Json& proportion) {
  return fmt::format("{} {}", Percent(NumberAt(proportion, "share"), 1),
                     PercentInterval(NumberAt(proportion, "lower"), NumberAt(proportion, "upper")));
}

std::string Short(const Json& proportion) { return Percent(NumberAt(proportion, "share"), 1); }

/// One row per cell and rule.
template <typename MakeCells>
Table PerRule(std::string caption, std::vector<Column> columns, const Json& result,
              MakeCells&& make_cells) {
  Table table{.caption = std::move(caption), .columns = std::move(columns)};
  for (const Json& cell : At(result, "cells")) {
    for (const auto& [name, rule] : At(cell, "rules").items()) {
      std::vector<Cell> row = {TextAt(cell, "name"), name};
      for (std::string& text : make_cells(cell, rule)) row.emplace_back(std::move(text));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Table AnswerTable(const Json& result) {
  return PerRule("What each rule answered, with 95 % Monte-Carlo intervals",
                 {{"cell"},
                  {"rule"},
                  {"GO", ColumnKind::kNumber},
                  {"NO-GO", ColumnKind::kNumber},
                  {"abstain", ColumnKind::kNumber},
                  {"false GO", ColumnKind::kNumber},
                  {"false NO-GO", ColumnKind::kNumber},
                  {"efficiency", ColumnKind::kNumber},
                  {"flips", ColumnKind::kNumber}},
                 result, [](const Json& /*cell*/, const Json& rule) {
                   return std::vector<std::string>{Share(At(rule, "GO")),
                                                   Share(At(rule, "NO-GO")),
                                                   Short(At(rule, "ABSTAIN")),
                                                   Share(At(rule, "false_GO")),
                                                   Share(At(rule, "false_NO-GO")),
                                                   Percent(NumberAt(rule, "efficiency"), 0),
                                                   Percent(NumberAt(rule, "flip_rate"), 1)};
                 });
}

Table CoverageTable(const Json& result) {
  return PerRule(
      "Coverage (share below / above the interval) and mean width of nominal 95 % "
      "intervals",
      {{"cell"},
       {"rule"},
       {"H_dep", ColumnKind::kNumber},
       {"H_alloc", ColumnKind::kNumber},
       {"q", ColumnKind::kNumber},
       {"H_total", ColumnKind::kNumber}},
      result, [](const Json& /*cell*/, const Json& rule) {
        std::vector<std::string> cells;
        for (const char* name : {"H_dep", "H_alloc", "q", "H_total"}) {
          const Json& interval = At(At(rule, "intervals"), name);
          cells.push_back(fmt::format("{} ({} / {}), {}", Short(At(interval, "coverage")),
                                      Short(At(interval, "lower_miss")),
                                      Short(At(interval, "upper_miss")),
                                      Percent(NumberAt(interval, "mean_width"))));
        }
        return cells;
      });
}

Table TruthTable(const Json& result) {
  Table table{.caption = "The worlds and what is true of the adapters shipped in them, on average",
              .columns = {{"cell"},
                          {"what it shows", ColumnKind::kProse},
                          {"data sets", ColumnKind::kNumber},
                          {"H_dep", ColumnKind::kNumber},
                          {"H_alloc", ColumnKind::kNumber},
                          {"q", ColumnKind::kNumber},
                          {"deserve GO", ColumnKind::kNumber},
                          {"oracle GO", ColumnKind::kNumber},
                          {"reference share", ColumnKind::kNumber},
                          {"CPU per audit", ColumnKind::kNumber},
                          {"CPU of pair fits", ColumnKind::kNumber}}};
  for (const Json& cell : At(result, "cells")) {
    const Json& truth = At(cell, "mean_truth");
    table.rows.push_back(
        {TextAt(cell, "name"), TextAt(cell, "purpose"), Number(NumberAt(cell, "data_sets")),
         Percent(NumberAt(truth, "H_dep")), Percent(NumberAt(truth, "H_alloc")),
         Percent(NumberAt(truth, "q")), Short(At(cell, "deserves_GO")),
         Short(At(cell, "oracle_GO")), Percent(NumberAt(cell, "reference_modal_share"), 0),
         fmt::format("{:.0f} ms", 1e3 * NumberAt(cell, "fit_cpu_seconds").value_or(0.0)),
         fmt::format("{:.0f} ms", 1e3 * NumberAt(cell, "pair_fit_cpu_seconds").value_or(0.0))});
  }
  return table;
}

Table GoalTable(const std::string& rule, const Json& goals) {
  Table table{.caption = fmt::format("Goals of the {} rule", rule),
              .columns = {{"goal", ColumnKind::kProse}, {"measured"}, {"met"}}};
  for (const Json& goal : goals) {
    const bool met = At(goal, "met") == true;
    table.rows.push_back({TextAt(goal, "goal"), TextAt(goal, "measured"),
                          Cell(met ? "met" : "missed", met ? Tone::kGo : Tone::kNoGo)});
  }
  return table;
}

/// How many goals the calibrated rule met, and which it missed.
std::optional<Banner> Summary(const Json& result) {
  const Json& goals = At(At(result, "goals"), "calibrated");
  if (!goals.is_array() || goals.empty()) return std::nullopt;
  std::vector<std::string> missed;
  for (const Json& goal : goals) {
    if (At(goal, "met") != true) missed.push_back(TextAt(goal, "goal"));
  }
  const bool all = missed.empty();
  return Banner{
      .word = {fmt::format("{} of {}", goals.size() - missed.size(), goals.size()),
               all ? Tone::kGo : Tone::kOpen},
      .headline = all ? "The calibrated rule met every goal: its GO and NO-GO answers are wrong no "
                        "more often than they may be."
                      : fmt::format("goals were met by the calibrated rule. It missed {}.",
                                    JoinWords(missed)),
      .status = fmt::format("{} simulated worlds with known truth",
                            At(result, "cells").is_array() ? At(result, "cells").size() : 0)};
}

/// P(GO) against the true H_dep of the worlds in which adapters are useful.
Chart OperatingCharacteristic(const Json& result) {
  Json rows = Json::array();
  for (const Json& cell : At(result, "cells")) {
    const std::string name = TextAt(cell, "name");
    const bool same_size = At(At(cell, "world"), "clusters") == 20;
    if (TextAt(cell, "role") != "effect" || !same_size) continue;
    for (const auto& [rule, summary] : At(cell, "rules").items()) {
      const Json& go = At(summary, "GO");
      rows.push_back({{"rule", rule},
                      {"cell", name},
                      {"H_dep", 100.0 * NumberAt(At(cell, "mean_truth"), "H_dep").value_or(0.0)},
                      {"GO", 100.0 * NumberAt(go, "share").value_or(0.0)},
                      {"lower", 100.0 * NumberAt(go, "lower").value_or(0.0)},
                      {"upper", 100.0 * NumberAt(go, "upper").value_or(0.0)}});
    }
  }
  Chart chart{
      .title = "How often each rule says GO when the adapter is worth it (%, 20 clusters)",
      .description =
          "How often does each rule say GO when the adapter is worth it? Share of GO against "
          "the true deployment gain, one line for each rule; the table of answers lists them."};
  chart.spec = R"json({"height": 260, "layer": [
    {"mark": {"type": "line", "point": true},
     "encoding": {"y": {"field": "GO", "type": "quantitative", "title": null,
                        "scale": {"domain": [0, 100]}}}},
    {"mark": {"type": "rule", "opacity": 0.6},
     "encoding": {"y": {"field": "lower", "type": "quantitative"}, "y2": {"field": "upper"}}}],
    "encoding": {"x": {"field": "H_dep", "type": "quantitative", "title": "true H_dep, %"},
      "color": {"field": "rule", "type": "nominal", "scale": {
        "range": ["var(--series-1)", "var(--series-2)", "var(--series-3)", "var(--series-4)"]}}}})json"_json;
  chart.spec["data"]["values"] = std::move(rows);
  return chart;
}

/// False GO of every cell, one mark per rule.
Chart FalseGoChart(const Json& result) {
  Json rows = Json::array();
  for (const Json& cell : At(result, "cells")) {
    for (const auto& [rule, summary] : At(cell, "rules").items()) {
      const Json& share = At(summary, "false_GO");
      rows.push_back({{"rule", rule},
                      {"cell", TextAt(cell, "name")},
                      {"share", 100.0 * NumberAt(share, "share").value_or(0.0)},
                      {"lower", 100.0 * NumberAt(share, "lower").value_or(0.0)},
                      {"upper", 100.0 * NumberAt(share, "upper").value_or(0.0)}});
    }
  }
  Chart chart{
      .title = "Wrong GO answers, with 95 % Monte-Carlo intervals; the goal is 2.5 %",
      .description =
          "How often is GO wrong? Share of wrong GO answers for each world and rule; the table "
          "of answers lists them."};
  chart.spec = R"json({"height": {"step": 12}, "layer": [
    {"mark": {"type": "rule"}, "encoding": {
      "x": {"field": "lower", "type": "quantitative", "title": "false GO, %"},
      "x2": {"field": "upper"}}},
    {"mark": {"type": "point", "filled": true}, "encoding": {
      "x": {"field": "share", "type": "quantitative"}}}],
    "encoding": {"y": {"field": "cell", "type": "nominal", "title": null, "sort": null},
      "yOffset": {"field": "rule"},
      "color": {"field": "rule", "type": "nominal", "scale": {
        "range": ["var(--series-1)", "var(--series-2)", "var(--series-3)", "var(--series-4)"]}}}})json"_json;
  chart.spec["data"]["values"] = std::move(rows);
  return chart;
}

}  // namespace

Page MakeCalibrationPage(const nlohmann::json& result) {
  Page page{.title = "How far the verdict can be trusted",
            .kicker = "gonogo calibrate",
            .subtitle = fmt::format(
                "{} learner, up to {} data sets per cell, {} refits, seed {}",
                TextAt(result, "learner"), Number(NumberAt(result, "data_sets")),
                Number(NumberAt(result, "refits")), Number(NumberAt(result, "seed"), 10))};
  page.banner = Summary(result);
  if (Table families = FamilyTable(result); !families.rows.empty()) {
    page.sections.push_back({.id = "families",
                             .title = "Families of worlds",
                             .blocks = {Paragraph{kHowToRead}, std::move(families)}});
  }
  Section goals{.id = "goals", .title = "Goals"};
  for (const auto& [rule, list] : At(result, "goals").items()) {
    Table table = GoalTable(rule, list);
    table.folded = rule != "calibrated";
    goals.blocks.emplace_back(std::move(table));
  }
  page.sections.push_back(std::move(goals));
  page.sections.push_back(
      {.id = "answers",
       .title = "Answers",
       .blocks = {OperatingCharacteristic(result), FalseGoChart(result), AnswerTable(result)}});
  page.sections.push_back(
      {.id = "coverage", .title = "Coverage", .blocks = {CoverageTable(result)}});
  page.sections.push_back({.id = "worlds", .title = "Worlds", .blocks = {TruthTable(result)}});
  page.attachment = Attachment{"calibration.json", result};
  const Json& build = At(result, "provenance");
  page.footer.push_back(
      fmt::format("gonogo {}, commit {}", TextAt(build, "version"), TextAt(build, "commit")));
  return page;
}

std::string CalibrationPage(const nlohmann::json& result) {
  return RenderPage(MakeCalibrationPage(result));
}

}  // namespace gonogo::report
