// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "gonogo/report/audit/charts.h"
#include "gonogo/report/audit/sections.h"
#include "gonogo/report/text/number_text.h"

/// The same audit made otherwise: other learners, seeds, features, questions, and feature by
/// feature.
namespace gonogo::report::internal {
namespace {

/// "ridge" of "ridge, difference": the target has a column of its own.
Text LearnerName(const ResultNode& row) {
  const ResultNode learner = row["learner"];
  const std::string name = learner.text();
  const std::string short_name = name.substr(0, name.find(", "));
  return {short_name, short_name, learner.place()};
}

Table LearnerTable(const ResultNode& learners) {
  Table table{.caption =
                  "Across learners (only the declared one, in the first row, can be confirmatory; "
                  "the others describe and decide nothing; intervals: the declared rule's)",
              .columns = {{"learner"}, {"target"}, {"verdict"}, {"departs", ColumnKind::kNumber}},
              .name = "learners"};
  for (const char* key : {"H_dep", "H_alloc", "q"}) {
    table.columns.push_back({key, ColumnKind::kNumber});
    table.columns.push_back({Say("interval of {}", key), ColumnKind::kNumber, true});
  }
  table.columns.push_back({.title = "H_total", .kind = ColumnKind::kNumber, .page_only = true});
  table.columns.push_back(
      {.title = "error of the cost", .kind = ColumnKind::kNumber, .page_only = true});
  for (const ResultNode& row : learners.items()) {
    std::vector<Cell> cells{LearnerName(row), Quote(row["target"]), VerdictCell(row),
                            Percent(row["activation"])};
    const std::vector<ResultNode> channels = row["channels"].items();
    for (const char* key : {"H_dep", "H_alloc", "q"}) {
      const ResultNode read = ChannelNamed(channels, key);
      const ResultNode estimate = read.is_object() ? read : row[key];
      const bool there = estimate.is_object();  // no q where a log does not show it
      cells.emplace_back(there ? Percent(estimate["point"]) : Text());
      cells.emplace_back(there ? PercentInterval(estimate) : Text());
    }
    cells.emplace_back(Percent(row["H_total"]["point"]));
    cells.emplace_back(Percent(row["work_mae"]));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

/// How often each rule gave each answer.
Table SeedTable(const ResultNode& seeds) {
  const ResultNode readings = seeds["readings"];
  Table table{.caption = Say("Over {} bootstrap seeds", Count(Size(readings))),
              .columns = {{.title = "rule", .untitled_in_text = true},
                          {.title = "answers", .untitled_in_text = true}},
              .name = "seeds"};
  for (const char* rule : {"paper", "calibrated"}) {
    std::map<std::string, std::size_t> counts;
    for (const ResultNode& reading : readings.items()) ++counts[reading[rule].text()];
    Text answers;
    for (const auto& [answer, count] : counts) {
      answers += Say("{}{} {}", answers.empty() ? "" : ", ", answer.empty() ? "no answer" : answer,
                     Count(CountWhere(readings, rule, answer)));
    }
    const bool stable = seeds["flip_rate"][rule].number() == 0.0;
    table.rows.push_back({rule, Say("{}: {}", stable ? "stable" : "unstable", answers)});
  }
  return table;
}

Table AblationTable(const ResultNode& rows) {
  Table table{
      .caption =
          "The same audit with every feature set: descriptive, with the intervals of the paper's "
          "rule.",
      .columns = {{"features"},
                  {"error of the cost", ColumnKind::kNumber},
                  {"departs", ColumnKind::kNumber},
                  {"H_total", ColumnKind::kNumber},
                  {"H_alloc", ColumnKind::kNumber},
                  {"interval of H_alloc", ColumnKind::kNumber, true},
                  {"q", ColumnKind::kNumber},
                  {.title = "H_dep", .kind = ColumnKind::kNumber, .page_only = true},
                  {.title = "interval of H_dep", .kind = ColumnKind::kNumber, .page_only = true},
                  {.title = "reads", .page_only = true}},
      .name = "ablation"};
  for (const ResultNode& row : rows.items()) {
    table.rows.push_back(
        {Quote(row["features"]), Percent(row["work_mae"]), Percent(row["activation"]),
         Percent(row["H_total"]["point"]), Percent(row["H_alloc"]["point"]),
         PercentInterval(row["H_alloc"]), Percent(row["q"]["point"]),
         Percent(row["H_dep"]["point"]), PercentInterval(row["H_dep"]),
         DecisionBadge(row[row["decision"].text().empty() ? "reading" : "decision"])});
  }
  return table;
}

Text OtherQuestion(const ResultNode& other) {
  return Say(
      "The other question, about {}: the same learner would read H_dep {} {}, H_alloc {} {}, q {}. "
      "A diagnostic from {} folds without refits, which decides nothing.",
      other["about"].text(), Percent(other["H_dep"]["point"]), PercentInterval(other["H_dep"]),
      Percent(other["H_alloc"]["point"]), PercentInterval(other["H_alloc"]),
      Percent(other["q"]["point"]), Count(other["folds"]));
}

Text RangeOf(const ResultNode& bin) {
  return Say("{} … {}", Number(bin["low"], 3), Number(bin["high"], 3));
}

Chart ShareChart(const ResultNode& map) {
  const std::string feature = map["feature"].text();
  const std::vector<ResultNode> actions = map["actions"].items();
  const std::vector<ResultNode> bins = map["bins"].items();
  Json rows = Json::array();
  Json ranges = Json::array();
  Chart chart{
      .title = fmt::format("What the adapter chooses over {}", feature),
      .description = fmt::format("Which actions are chosen at which values of {}?", feature)};
  // The reference is the quiet colour: where the adapter does nothing.
  std::vector<bool> used(actions.size(), false);
  Json names = Json::array();
  Json colours = Json::array();
  for (std::size_t a = 0; a < actions.size(); ++a) {
    used[a] = std::any_of(bins.begin(), bins.end(), [&](const ResultNode& bin) {
      return bin["share"][a].number().value_or(0.0) > 0.0;
    });
    if (!used[a]) continue;
    names.push_back(actions[a].json());
    colours.push_back(a == 0 ? std::string("var(--line)")
                             : fmt::format("var(--series-{})", 1 + (names.size() - 2) % 4));
  }
  for (const ResultNode& bin : bins) {
    const std::string range = RangeOf(bin).typeset();
    ranges.push_back(range);
    chart.description += fmt::format(" At {}:", range);
    for (std::size_t a = 0; a < actions.size(); ++a) {
      const std::optional<double> share = bin["share"][a].number();
      if (!share || !used[a]) continue;
      rows.push_back({{"range", range},
                      {"action", actions[a].json()},
                      {"order", a},
                      {"share", 100.0 * *share},
                      {"frequency", Percent(share, 1)}});
      if (*share > 0.0) {
        chart.description += fmt::format(" {} {}.", actions[a].text(), Percent(share, 1));
      }
    }
  }
  chart.spec = R"json({"mark": {"type": "bar"}, "encoding": {
      "color": {"field": "action", "legend": {"orient": "top", "columns": 3}},
      "order": {"field": "order", "type": "quantitative"}}})json"_json;
  Json& encoding = chart.spec["encoding"];
  encoding["color"]["scale"] = {{"domain", std::move(names)}, {"range", std::move(colours)}};
  encoding["y"] = NominalChannel("range", ranges);
  encoding["x"] = PercentChannel("share");
  encoding["x"]["stack"] = "zero";
  encoding["x"]["scale"]["domain"] = {0, 100};
  encoding["tooltip"] = Tooltip({"range", "action", "frequency"});
  chart.spec["height"] = 34 * ranges.size();
  chart.spec["data"]["values"] = std::move(rows);
  return chart;
}

Table MapTable(const ResultNode& map) {
  Table table{.caption = Say("Where the adapter acts: its held-out choices over {}.",
                             Quote(map["feature"])),
              .columns = {{Quote(map["feature"])}, {"queries", ColumnKind::kNumber}},
              .name = "map"};
  for (const ResultNode& action : map["actions"].items()) {
    table.columns.push_back({Quote(action), ColumnKind::kNumber});
  }
  table.columns.push_back({"saved", ColumnKind::kNumber});
  table.columns.push_back({"violations", ColumnKind::kNumber});
  for (const ResultNode& bin : map["bins"].items()) {
    std::vector<Cell> row{RangeOf(bin), Count(bin["queries"])};
    for (std::size_t a = 0; a < map["actions"].size(); ++a) {
      row.emplace_back(Percent(bin["share"][a], 1));
    }
    row.emplace_back(Percent(bin["saved"]));
    row.emplace_back(Percent(bin["violations"]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::vector<Section> ComparisonSections(const ResultNode& result) {
  std::vector<Section> sections;
  if (const ResultNode map = result["choice_map"]; map.filled()) {
    sections.push_back(
        {.id = "choice_map",
         .title = "Where it acts",
         .blocks = {Paragraph{Say("Every query is put into its place by one feature, {}, and the "
                                  "bars say what the adapter that was trained without the query's "
                                  "cluster chose there.",
                                  Quote(map["feature"]))},
                    ShareChart(map), MapTable(map)}});
  }
  Section variants{.id = "variants", .title = "Other learners, seeds and features"};
  if (result["learners"].filled()) variants.blocks.push_back(LearnerTable(result["learners"]));
  if (result["seeds"].filled()) variants.blocks.push_back(SeedTable(result["seeds"]));
  if (result["ablation"].filled()) variants.blocks.push_back(AblationTable(result["ablation"]));
  if (const ResultNode other = result["other_question"]; other.is_object()) {
    variants.blocks.push_back(Paragraph{.text = OtherQuestion(other), .name = "other question"});
  }
  if (!variants.blocks.empty()) sections.push_back(std::move(variants));
  return sections;
}

}  // namespace gonogo::report::internal
