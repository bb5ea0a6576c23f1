// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "gonogo/base/glossary.h"
#include "gonogo/report/audit/audit_report.h"
#include "gonogo/report/audit/charts.h"
#include "gonogo/report/audit/sections.h"

/// The looks at growing data.
namespace gonogo::report {
namespace internal {
namespace {

Chart PathChart(const ResultNode& path, const ResultNode& channel) {
  const std::string name = channel["name"].text();
  Chart chart{.description = fmt::format("{} at every look; a GO needs {}.", Describe(name).title,
                                         Needed(channel).typeset())};
  Json rows = Json::array();
  for (const ResultNode& look : path.items()) {
    const ResultNode then = ChannelNamed(look["channels"].items(), name);
    rows.push_back(IntervalRow(then));
    rows.back()["clusters"] = Quote(look["clusters"]).plain;
    chart.description += InWords(Quote(look["clusters"]).plain + " clusters", rows.back());
  }
  chart.spec = R"json({
    "layer": [
      {"mark": {"type": "rule", "strokeWidth": 4, "strokeCap": "round",
                "color": "var(--series-1)", "opacity": 0.45},
       "encoding": {"y2": {"field": "upper"}}},
      {"mark": {"type": "point", "size": 80, "color": "var(--series-1)"},
       "encoding": {"y": {"field": "point", "type": "quantitative"}}},
      {"mark": {"type": "rule", "style": "threshold"}, "encoding": {"x": null, "tooltip": null}}
    ]})json"_json;
  chart.spec["layer"][0]["encoding"]["y"] = PercentChannel("lower");
  chart.spec["layer"][2]["data"]["values"] =
      Json::array({{{"threshold", InPercent(channel["threshold"].number())}}});
  chart.spec["layer"][2]["encoding"]["y"] = {{"field", "threshold"}, {"type", "quantitative"}};
  chart.spec["encoding"] = {{"x", NominalChannel("clusters", FieldOf(rows, "clusters"))},
                            {"tooltip", Tooltip({"clusters", "estimate", "interval"})}};
  chart.spec["encoding"]["x"]["axis"] = {{"title", "clusters"}, {"labelAngle", 0}};
  chart.spec["height"] = 150;
  chart.spec["data"]["values"] = std::move(rows);
  return chart;
}

std::string ReadingOf(const ResultNode& look) { return look["reading"].text("nothing"); }

Table PathTable(const ResultNode& path, const std::vector<ResultNode>& channels) {
  Table table{
      .caption = "The bound that a GO waits for, at every look",
      .columns = {{"look"}, {"clusters", ColumnKind::kNumber}, {"error", ColumnKind::kNumber}},
      .name = "looks"};
  for (const ResultNode& channel : channels) {
    table.columns.push_back(
        {Say("{} {}", channel["name"].text(), Needed(channel)), ColumnKind::kNumber});
  }
  table.columns.push_back({"reads"});
  table.columns.push_back({"GO next", ColumnKind::kNumber});
  table.columns.push_back({"NO-GO next", ColumnKind::kNumber});
  for (const ResultNode& look : path.items()) {
    std::vector<Cell> row = {Say("{} of {}", Count(look["look"]), Count(look["looks"])),
                             Count(look["clusters"]), Percent(look["alpha"])};
    const std::vector<ResultNode> then = look["channels"].items();
    for (std::size_t i = 0; i < channels.size(); ++i) {
      row.emplace_back(i < then.size() ? Percent(GoBound(then[i])) : Text());
    }
    row.emplace_back(ReadingOf(look));
    const bool goes_on = look["then"] == "go on";
    const ResultNode next = look["later"][0];
    row.emplace_back(goes_on ? Percent(next["GO"], 0) : Text());
    row.emplace_back(goes_on ? Percent(next["NO-GO"], 0) : Text());
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// What follows from a look, with the chances of the next one where there is one.
Text WhatFollows(const ResultNode& look) {
  const std::string then = look["then"].text();
  if (then == "decided") return "it is decided: no further clusters are needed";
  if (then == "futile") {
    double most = 0.0;
    for (const ResultNode& chance : look["later"].items()) {
      most = std::max(most, chance["GO"].number().value_or(0.0));
    }
    return Say(
        "no later look is likely to say GO (chance at most {}): further clusters are not "
        "worth collecting for one",
        Percent({most, "most(" + look["later"].place() + ",GO)"}));
  }
  if (then == "last look") return "this was the last look that is declared";
  if (then != "go on") return "no decision can rest on these clusters";
  const ResultNode next = look["later"][0];
  return Say(
      "the next look is at {} clusters: its chance of a GO is about {}, that of a NO-GO about "
      "{}, if the estimates stay where they are",
      Count(next["clusters"]), Percent(next["GO"], 0), Percent(next["NO-GO"], 0));
}

}  // namespace

std::optional<Section> PathSection(const ResultNode& path) {
  const std::vector<ResultNode> looks = path.items();
  if (looks.empty()) return std::nullopt;
  const std::vector<ResultNode> channels = looks.back()["channels"].items();
  Section section{.id = "path", .title = "Looks at growing data"};
  section.blocks.push_back(Paragraph{
      "The audit was repeated while clusters were added, at the numbers that were declared. Every "
      "look has a part of the allowed error of its own, so that all of them together err no more "
      "often than a single one. Chances of the next look take today's estimates for the truth as "
      "far as they are known."});
  Cards cards;
  for (const ResultNode& channel : channels) {
    cards.cards.push_back({.title = std::string(Describe(channel["name"].text()).title),
                           .text = Say("A GO needs {}.", Needed(channel)),
                           .chart = PathChart(path, channel)});
  }
  section.blocks.push_back(std::move(cards));
  section.blocks.push_back(PathTable(path, channels));
  section.blocks.push_back(Paragraph{
      .text =
          Say("The looks at growing data: at each the bound that a GO waits for, with the "
              "one-sided error that the look may spend, and about how likely the next one is to "
              "decide. After the last of them: {}.",
              WhatFollows(looks.back())),
      .name = "looks in words"});
  return section;
}

}  // namespace internal

std::string LookLine(const nlohmann::json& look) {
  using namespace internal;  // NOLINT(google-build-using-namespace)
  const ResultNode node(look);
  Text text = Say("look {} of {}, {} clusters: ", Count(node["look"]), Count(node["looks"]),
                  Count(node["clusters"]));
  for (const ResultNode& channel : node["channels"].items()) {
    text += Say("{} {} {} (needs {}), ", channel["name"].text(),
                NeedsAbove(channel) ? "at least" : "at most", Percent(GoBound(channel)),
                Needed(channel));
  }
  return (text + Say("reads {}; {}", ReadingOf(node), WhatFollows(node))).plain;
}

}  // namespace gonogo::report
