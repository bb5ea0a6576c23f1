// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/sections/path_section.h"

#include <fmt/format.h>

#include "gonogo/report/audit/channel.h"
#include "gonogo/report/audit/estimand.h"
#include "gonogo/report/charts/chart_parts.h"
#include "gonogo/report/text/number_text.h"

namespace gonogo::report::internal {
namespace {

const Json& ChannelAt(const Json& look, const std::string& name) {
  static const Json kNothing;
  for (const Json& channel : At(look, "channels")) {
    if (TextAt(channel, "name") == name) return channel;
  }
  return kNothing;
}

bool NeedsAbove(const Json& channel) { return TextAt(channel, "direction") == "above"; }

/// "> 1.00 %" or "≤ 5.00 %".
std::string Threshold(const Json& channel) {
  return (NeedsAbove(channel) ? "> " : "≤ ") + Percent(NumberAt(channel, "threshold"));
}

/// The bound that has to be on the GO side.
std::string GoBound(const Json& channel) {
  return Percent(NumberAt(channel, NeedsAbove(channel) ? "lower" : "upper"));
}

Chart PathChart(const Json& path, const Json& channel) {
  const std::string name = TextAt(channel, "name");
  Chart chart{.description = fmt::format("{} at every look; a GO needs {}.",
                                         DescribeEstimand(name).title, Threshold(channel))};
  Json rows = Json::array();
  for (const Json& look : path) {
    const Json& then = ChannelAt(look, name);
    const std::optional<double> lower = NumberAt(then, "lower");
    const std::optional<double> upper = NumberAt(then, "upper");
    rows.push_back({{"clusters", Display(At(look, "clusters"))},
                    {"point", InPercent(NumberAt(then, "point"))},
                    {"lower", InPercent(lower)},
                    {"upper", InPercent(upper)},
                    {"estimate", Percent(NumberAt(then, "point"))},
                    {"interval", PercentInterval(lower, upper)}});
    chart.description +=
        fmt::format(" {} clusters: {}, interval {}.", TextAt(rows.back(), "clusters"),
                    TextAt(rows.back(), "estimate"), TextAt(rows.back(), "interval"));
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
      Json::array({{{"threshold", InPercent(NumberAt(channel, "threshold"))}}});
  chart.spec["layer"][2]["encoding"]["y"] = {{"field", "threshold"}, {"type", "quantitative"}};
  chart.spec["encoding"] = {{"x", NominalChannel("clusters", FieldOf(rows, "clusters"))},
                            {"tooltip", Tooltip({"clusters", "estimate", "interval"})}};
  chart.spec["encoding"]["x"]["axis"] = {{"title", "clusters"}, {"labelAngle", 0}};
  chart.spec["height"] = 150;
  chart.spec["data"]["values"] = std::move(rows);
  return chart;
}

Table PathTable(const Json& path) {
  Table table{
      .caption = "The bound that a GO waits for, at every look",
      .columns = {
          {"Look"}, {"Clusters", ColumnKind::kNumber}, {"One-sided error", ColumnKind::kNumber}}};
  const Json& channels = At(path.back(), "channels");
  for (const Json& channel : channels) {
    table.columns.push_back(
        {fmt::format("{} {}", TextAt(channel, "name"), Threshold(channel)), ColumnKind::kNumber});
  }
  for (const char* title : {"GO at the next look", "NO-GO at the next look"}) {
    table.columns.push_back({title, ColumnKind::kNumber});
  }
  table.columns.push_back({"Reads"});
  for (const Json& look : path) {
    std::vector<Cell> row = {
        fmt::format("{} of {}", Display(At(look, "look")), Display(At(look, "looks"))),
        Display(At(look, "clusters")), Percent(NumberAt(look, "alpha"))};
    for (const Json& channel : channels) {
      row.emplace_back(GoBound(ChannelAt(look, TextAt(channel, "name"))));
    }
    const Json& later = At(look, "later");
    const bool goes_on = TextAt(look, "then") == "go on" && later.is_array() && !later.empty();
    for (const char* answer : {"GO", "NO-GO"}) {
      row.emplace_back(goes_on ? Percent(NumberAt(later.front(), answer), 0)
                               : std::string(kNoNumber));
    }
    row.push_back(DecisionBadge(TextAt(look, "reading")));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string WhatFollows(const std::string& then) {
  if (then == "decided") return "It is decided: no further clusters are needed.";
  if (then == "futile") {
    return "No later look is likely to say GO, so that further clusters are not worth collecting "
           "for one.";
  }
  if (then == "last look") return "This was the last look that is declared.";
  if (then == "no decision") return "No decision can rest on these clusters.";
  return "The next look may decide.";
}

}  // namespace

std::optional<Section> PathSection(const Json& path) {
  if (!path.is_array() || path.empty()) return std::nullopt;
  Section section{.id = "path", .title = "Looks at growing data"};
  section.blocks.push_back(Paragraph{
      "The audit was repeated while clusters were added, at the numbers that were declared. Every "
      "look has a part of the allowed error of its own, so that all of them together err no more "
      "often than a single one. Chances of the next look take today's estimates for the truth as "
      "far as they are known. " +
      WhatFollows(TextAt(path.back(), "then"))});
  Cards cards;
  for (const Json& channel : At(path.back(), "channels")) {
    cards.cards.push_back({.title = DescribeEstimand(TextAt(channel, "name")).title,
                           .text = fmt::format("A GO needs {}.", Threshold(channel)),
                           .chart = PathChart(path, channel)});
  }
  section.blocks.push_back(std::move(cards));
  section.blocks.push_back(PathTable(path));
  return section;
}

}  // namespace gonogo::report::internal
