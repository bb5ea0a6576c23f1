// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/report/page/page.h"
#include "gonogo/report/result_page.h"
#include "gonogo/report/text/node.h"
#include "gonogo/report/text/number_text.h"

namespace gonogo::report {
namespace {

constexpr const char* kHowToRead =
    "A false GO is wrong about the adapter that would ship; 2.5 % are allowed where one channel "
    "lies "
    "exactly at its threshold, 0.5 % where nothing is to be gained, 5 % false NO-GO. Coverage of "
    "nominal 95 % intervals should be 93 % at least, q above its bound in 2.5 % at most. "
    "Efficiency: "
    "GO at twice the thresholds over the GO of an oracle that tests the same adapter on as many "
    "fresh clusters with the same bound of q. Families marked “confirms” had no part in the making "
    "of any rule.";

std::string Share(const ResultNode& proportion) {
  return fmt::format("{} {}", Percent(proportion["share"].number(), 1),
                     PercentInterval(proportion["lower"].number(), proportion["upper"].number()));
}

std::string Short(const ResultNode& proportion) { return Percent(proportion["share"].number(), 1); }

constexpr const char* kNotRun = "not run";

double ShareOf(const ResultNode& proportion) { return proportion["share"].number().value_or(0.0); }

/// The extreme of a proportion over the cells of one family and rule.
class Worst {
 public:
  explicit Worst(bool smallest = false) : smallest_(smallest) {}

  void Add(const ResultNode& proportion) {
    if (worst_) {
      const double most = ShareOf(*worst_);
      const double share = ShareOf(proportion);
      if (smallest_ ? share >= most : share <= most) return;
    }
    worst_ = proportion;
  }
  [[nodiscard]] std::string Text() const {
    if (!worst_ || worst_->json().is_null()) return kNotRun;
    return fmt::format("{} {}", Percent((*worst_)["share"].number(), 1),
                       PercentInterval((*worst_)["lower"].number(), (*worst_)["upper"].number()));
  }

 private:
  bool smallest_;
  std::optional<ResultNode> worst_;
};

struct FamilyRow {
  Worst at_threshold;
  Worst at_null;
  Worst false_no_go;
  Worst gain_coverage{true};
  Worst gain_miss;
  Worst rate_miss;
  std::string efficiency = kNotRun;
  double seconds = 0.0;
  double cells = 0.0;
  std::map<std::size_t, int, std::greater<>> cells_of;  // by their number of data sets

  void Add(const ResultNode& cell, const std::string& rule_name, const ResultNode& rule) {
    const std::string role = cell["role"].text();
    const std::size_t data_sets =
        static_cast<std::size_t>(cell["data_sets"].number().value_or(0.0));
    if (data_sets == 0) return;
    cells += 1.0;
    ++cells_of[data_sets];
    seconds += cell["fit_cpu_seconds"].number().value_or(0.0);
    if (rule_name == "leave-pair-out") {  // it reads the refits of the others, too
      seconds += cell["pair_fit_cpu_seconds"].number().value_or(0.0);
    }
    if (role == "least favourable") at_threshold.Add(rule["false_GO"]);
    if (role == "null") at_null.Add(rule["false_GO"]);
    false_no_go.Add(rule["false_NO-GO"]);
    const ResultNode intervals = rule["intervals"];
    rate_miss.Add(intervals["q"]["upper_miss"]);
    for (const char* gain : {"H_dep", "H_alloc"}) {
      gain_coverage.Add(intervals[gain]["coverage"]);
      gain_miss.Add(intervals[gain]["lower_miss"]);
    }
    if (cell["name"].text().ends_with("effect-2x")) {
      efficiency = fmt::format("{} ({} of {})", Percent(rule["efficiency"].number(), 0),
                               Percent(rule["GO"]["share"].number(), 0),
                               Percent(cell["oracle_GO"]["share"].number(), 0));
    }
  }

  /// "5 × 2000, 4 × 200"
  [[nodiscard]] std::string Size() const {
    std::vector<std::string> parts;
    for (const auto& [data_sets, count] : cells_of) {
      parts.push_back(fmt::format("{} × {}", count, data_sets));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
  }
};

Table FamilyTable(const ResultNode& calibration) {
  Table table{
      .caption = "Families of worlds: the worst of any cell, with its 95 % Monte-Carlo interval",
      .columns = {{"family"},
                  {"rule"},
                  {"cells × data sets", ColumnKind::kNumber},
                  {"false GO at a threshold", ColumnKind::kNumber},
                  {"false GO at the null", ColumnKind::kNumber},
                  {"false NO-GO", ColumnKind::kNumber},
                  {"lowest coverage of a gain", ColumnKind::kNumber},
                  {"a gain below its interval", ColumnKind::kNumber},
                  {"q above its bound", ColumnKind::kNumber},
                  {"efficiency at 2×", ColumnKind::kNumber},
                  {"CPU per audit", ColumnKind::kNumber}}};
  std::vector<std::string> families;
  for (const ResultNode& cell : calibration["cells"].items()) {
    const std::string family = cell["family"].text();
    if (family.empty() || std::count(families.begin(), families.end(), family) > 0) continue;
    families.push_back(family);
  }
  for (const std::string& family : families) {
    for (const char* name : {"paper", "calibrated", "leave-pair-out"}) {
      FamilyRow row;
      bool tune = false;
      for (const ResultNode& cell : calibration["cells"].items()) {
        if (cell["family"].text() != family || !cell["rules"][name].is_object()) continue;
        row.Add(cell, name, cell["rules"][name]);
        tune = cell["may_tune"].json() == true;
      }
      if (row.cells == 0.0) continue;
      table.rows.push_back({family + (tune ? "" : " (confirms)"), std::string(name), row.Size(),
                            row.at_threshold.Text(), row.at_null.Text(), row.false_no_go.Text(),
                            row.gain_coverage.Text(), row.gain_miss.Text(), row.rate_miss.Text(),
                            row.efficiency,
                            fmt::format("{:.0f} ms", 1e3 * row.seconds / row.cells)});
    }
  }
  return table;
}

/// One row per cell and rule.
template <typename MakeCells>
Table PerRule(std::string caption, std::vector<Column> columns, const ResultNode& result,
              MakeCells&& make_cells) {
  Table table{.caption = std::move(caption), .columns = std::move(columns)};
  for (const ResultNode& cell : result["cells"].items()) {
    for (const auto& [name, rule] : cell["rules"].members()) {
      std::vector<Cell> row = {cell["name"].text(), name};
      for (std::string& text : make_cells(cell, rule)) row.emplace_back(std::move(text));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Table AnswerTable(const ResultNode& result) {
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
                 result, [](const ResultNode& /*cell*/, const ResultNode& rule) {
                   return std::vector<std::string>{Share(rule["GO"]),
                                                   Share(rule["NO-GO"]),
                                                   Short(rule["ABSTAIN"]),
                                                   Share(rule["false_GO"]),
                                                   Share(rule["false_NO-GO"]),
                                                   Percent(rule["efficiency"].number(), 0),
                                                   Percent(rule["flip_rate"].number(), 1)};
                 });
}

Table CoverageTable(const ResultNode& result) {
  return PerRule(
      "Coverage (share below / above the interval) and mean width of nominal 95 % "
      "intervals",
      {{"cell"},
       {"rule"},
       {"H_dep", ColumnKind::kNumber},
       {"H_alloc", ColumnKind::kNumber},
       {"q", ColumnKind::kNumber},
       {"H_total", ColumnKind::kNumber}},
      result, [](const ResultNode& /*cell*/, const ResultNode& rule) {
        std::vector<std::string> cells;
        for (const char* name : {"H_dep", "H_alloc", "q", "H_total"}) {
          const ResultNode interval = rule["intervals"][name];
          cells.push_back(fmt::format("{} ({} / {}), {}", Short(interval["coverage"]),
                                      Short(interval["lower_miss"]), Short(interval["upper_miss"]),
                                      Percent(interval["mean_width"].number())));
        }
        return cells;
      });
}

Table TruthTable(const ResultNode& result) {
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
  for (const ResultNode& cell : result["cells"].items()) {
    const ResultNode truth = cell["mean_truth"];
    table.rows.push_back(
        {cell["name"].text(), cell["purpose"].text(), Number(cell["data_sets"].number()),
         Percent(truth["H_dep"].number()), Percent(truth["H_alloc"].number()),
         Percent(truth["q"].number()), Short(cell["deserves_GO"]), Short(cell["oracle_GO"]),
         Percent(cell["reference_modal_share"].number(), 0),
         fmt::format("{:.0f} ms", 1e3 * cell["fit_cpu_seconds"].number().value_or(0.0)),
         fmt::format("{:.0f} ms", 1e3 * cell["pair_fit_cpu_seconds"].number().value_or(0.0))});
  }
  return table;
}

Table GoalTable(const std::string& rule, const ResultNode& goals) {
  Table table{.caption = fmt::format("Goals of the {} rule", rule),
              .columns = {{"goal", ColumnKind::kProse}, {"measured"}, {"met"}}};
  for (const ResultNode& goal : goals.items()) {
    const bool met = goal["met"].json() == true;
    table.rows.push_back({goal["goal"].text(), goal["measured"].text(),
                          Cell(met ? "met" : "missed", met ? Tone::kGo : Tone::kNoGo)});
  }
  return table;
}

/// How many goals the calibrated rule met, and which it missed.
std::optional<Banner> Summary(const ResultNode& result) {
  const ResultNode goals = result["goals"]["calibrated"];
  if (!goals.filled()) return std::nullopt;
  std::vector<std::string> missed;
  for (const ResultNode& goal : goals.items()) {
    if (goal["met"].json() != true) missed.push_back(goal["goal"].text());
  }
  const bool all = missed.empty();
  return Banner{
      .word = {fmt::format("{} of {}", goals.size() - missed.size(), goals.size()),
               all ? Tone::kGo : Tone::kOpen},
      .headline = all ? "The calibrated rule met every goal: its GO and NO-GO answers are wrong no "
                        "more often than they may be."
                      : fmt::format("goals were met by the calibrated rule. It missed {}.",
                                    JoinWords(missed)),
      .status = fmt::format("{} simulated worlds with known truth", result["cells"].size())};
}

/// P(GO) against the true H_dep of the worlds in which adapters are useful.
Chart OperatingCharacteristic(const ResultNode& result) {
  Json rows = Json::array();
  for (const ResultNode& cell : result["cells"].items()) {
    const std::string name = cell["name"].text();
    const bool same_size = cell["world"]["clusters"].json() == 20;
    if (!(cell["role"] == "effect") || !same_size) continue;
    for (const auto& [rule, summary] : cell["rules"].members()) {
      const ResultNode go = summary["GO"];
      rows.push_back({{"rule", rule},
                      {"cell", name},
                      {"H_dep", 100.0 * cell["mean_truth"]["H_dep"].number().value_or(0.0)},
                      {"GO", 100.0 * go["share"].number().value_or(0.0)},
                      {"lower", 100.0 * go["lower"].number().value_or(0.0)},
                      {"upper", 100.0 * go["upper"].number().value_or(0.0)}});
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
Chart FalseGoChart(const ResultNode& result) {
  Json rows = Json::array();
  for (const ResultNode& cell : result["cells"].items()) {
    for (const auto& [rule, summary] : cell["rules"].members()) {
      const ResultNode share = summary["false_GO"];
      rows.push_back({{"rule", rule},
                      {"cell", cell["name"].text()},
                      {"share", 100.0 * share["share"].number().value_or(0.0)},
                      {"lower", 100.0 * share["lower"].number().value_or(0.0)},
                      {"upper", 100.0 * share["upper"].number().value_or(0.0)}});
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

Page MakeCalibrationPage(const nlohmann::json& json) {
  const ResultNode result(json);
  Page page{.title = "How far the verdict can be trusted",
            .kicker = "gonogo calibrate",
            .subtitle = fmt::format("{} learner, up to {} data sets per cell, {} refits, seed {}",
                                    result["learner"].text(), Number(result["data_sets"].number()),
                                    Number(result["refits"].number()),
                                    Number(result["seed"].number(), 10))};
  page.banner = Summary(result);
  if (Table families = FamilyTable(result); !families.rows.empty()) {
    page.sections.push_back({.id = "families",
                             .title = "Families of worlds",
                             .blocks = {Paragraph{kHowToRead}, std::move(families)}});
  }
  Section goals{.id = "goals", .title = "Goals"};
  for (const auto& [rule, list] : result["goals"].members()) {
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
  page.attachment = Attachment{"calibration.json", json};
  const ResultNode build = result["provenance"];
  page.footer.push_back(
      fmt::format("gonogo {}, commit {}", build["version"].text(), build["commit"].text()));
  return page;
}

}  // namespace gonogo::report
