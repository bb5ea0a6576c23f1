// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "gonogo/base/glossary.h"
#include "gonogo/report/audit/charts.h"
#include "gonogo/report/text/number_text.h"

namespace gonogo::report::internal {
namespace {

/// Above this many clusters their names no longer fit an axis.
constexpr std::size_t kMostNamedClusters = 40;

/// Each gain by what the selector is compared with: short enough for a legend on a phone.
constexpr std::array<std::array<const char*, 2>, 3> kGains{
    {{"H_total", "reference"}, {"H_alloc", "mixture"}, {"H_dep", "best fixed"}}};

/// One row per cluster and gain, best deployment gain first.
Json ClusterRows(const std::vector<ResultNode>& folds) {
  Json rows = Json::array();
  for (std::size_t rank = 0; rank < folds.size(); ++rank) {
    for (const auto& [key, name] : kGains) {
      const std::optional<double> gain = folds[rank][key].number();
      if (!gain) continue;
      rows.push_back({{"rank", rank + 1},
                      {"cluster", Quote(folds[rank]["cluster"]).plain},
                      {"gain", 100.0 * *gain},
                      {"value", Percent(gain)},
                      {"gain over", name}});
    }
  }
  return rows;
}

}  // namespace

Chart EstimatesChart(const ResultNode& estimates) {
  Chart chart{.title = "What could be saved at most, and what the adapter saves",
              .description = "How much of the cost can be saved, and by whom?"};
  Json rows = Json::array();
  for (const GlossaryEntry& entry : kGlossary) {
    const ResultNode estimate = estimates[entry.key];
    if (!estimate["point"].number() || entry.key == "q") continue;  // no gain: not on this axis
    rows.push_back(IntervalRow(estimate));
    rows.back()["quantity"] = entry.title;
    chart.description += InWords(std::string(entry.title), rows.back());
  }
  chart.spec = R"json({
    "layer": [
      {"data": {"values": [{}]}, "mark": {"type": "rule", "color": "var(--ink)"},
       "encoding": {"x": {"datum": 0}, "y": null, "tooltip": null}},
      {"mark": {"type": "rule", "strokeWidth": 4, "strokeCap": "round",
                "color": "var(--series-1)", "opacity": 0.45},
       "encoding": {"x2": {"field": "upper"}}},
      {"mark": {"type": "point", "size": 80, "color": "var(--series-1)"},
       "encoding": {"x": {"field": "point", "type": "quantitative"}}}
    ]})json"_json;
  chart.spec["layer"][1]["encoding"]["x"] = PercentChannel("lower");
  chart.spec["height"] = 28 * rows.size();
  chart.spec["encoding"] = {{"y", NominalChannel("quantity", FieldOf(rows, "quantity"))},
                            {"tooltip", Tooltip({"quantity", "estimate", "interval"})}};
  chart.spec["data"]["values"] = std::move(rows);
  return chart;
}

Chart SensitivityChart(const ResultNode& sensitivity, const ResultNode& thresholds) {
  Json rows = Json::array();
  std::set<double> limits;
  int go = 0;
  for (const ResultNode& cell : sensitivity.items()) {
    limits.insert(cell["kappa"].number().value_or(0.0));
    const std::string decision = cell["decision"].text();
    go += decision == "GO" ? 1 : 0;
    rows.push_back({{"delta", InPercent(cell["delta"].number())},
                    {"kappa", InPercent(cell["kappa"].number())},
                    {"decision", decision},
                    {"glyph", decision == "GO"      ? "✓"
                              : decision == "NO-GO" ? "✕"
                                                    : "?"},
                    {"gain threshold δ", Percent(cell["delta"].number())},
                    {"violation limit κ", Percent(cell["kappa"].number())},
                    {"declared", cell["delta"].json() == thresholds["delta_dep"].json() &&
                                     cell["kappa"].json() == thresholds["kappa"].json()}});
  }
  Chart chart{.title = "The decision for other thresholds. The declared pair is outlined."};
  chart.description = fmt::format(
      "Would other thresholds decide otherwise? Of {} pairs of thresholds {} read GO; the table "
      "below lists them.",
      rows.size(), go);
  chart.spec = R"json({
    "encoding": {
      "x": {"field": "delta", "type": "ordinal", "axis": {"title": "gain threshold δ (%)",
            "labelAngle": 0, "labelExpr": "format(datum.value, '~g')"}},
      "y": {"field": "kappa", "type": "ordinal", "sort": "descending",
            "axis": {"title": "violation limit κ (%)", "labelExpr": "format(datum.value, '~g')"}}},
    "layer": [
      {"mark": {"type": "rect", "stroke": "var(--card)", "strokeWidth": 3, "cornerRadius": 5,
                "fillOpacity": 0.3},
       "encoding": {"color": {"field": "decision", "legend": {"offset": 34}}}},
      {"transform": [{"filter": "datum.declared"}],
       "mark": {"type": "rect", "filled": false, "stroke": "var(--ink)", "strokeWidth": 2.5,
                "cornerRadius": 5}},
      {"mark": {"type": "text", "fontWeight": 700},
       "encoding": {"text": {"field": "glyph"}, "color": {"field": "decision", "scale": {
         "domain": ["GO", "ABSTAIN", "NO-GO"],
         "range": ["var(--go)", "var(--open)", "var(--nogo)"]}}}}
    ]})json"_json;
  chart.spec["height"] = 34 * limits.size();
  chart.spec["encoding"]["tooltip"] =
      Tooltip({"gain threshold δ", "violation limit κ", "decision"});
  chart.spec["data"]["values"] = std::move(rows);
  return chart;
}

Chart ClusterChart(const ResultNode& folds) {
  std::vector<ResultNode> sorted = folds.items();
  const auto gain = [](const ResultNode& fold) { return fold["H_dep"].number().value_or(0.0); };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const ResultNode& a, const ResultNode& b) { return gain(a) > gain(b); });
  Chart chart{.title =
                  "Gain in every cluster while it was held out: over the reference action "
                  "(total), over the mixture (allocation) and over the best fixed action "
                  "(deployment)."};
  chart.description = fmt::format(
      "Does the adapter gain in every cluster? Of {} clusters, each judged while it was held out, "
      "{} "
      "show a positive deployment gain; the table below lists them.",
      sorted.size(), std::count_if(sorted.begin(), sorted.end(), [&](const ResultNode& fold) {
        return gain(fold) > 0.0;
      }));
  chart.spec = R"json({
    "layer": [
      {"data": {"values": [{}]}, "mark": {"type": "rule", "color": "var(--ink)"}, "encoding": {}},
      {"mark": {"type": "point", "size": 55, "opacity": 0.9}, "encoding": {
        "color": {"field": "gain over", "sort": null},
        "shape": {"field": "gain over", "sort": null, "scale": {
          "range": ["circle", "diamond", "square"]}}}}
    ]})json"_json;
  const bool named = sorted.size() <= kMostNamedClusters;
  Json& zero = chart.spec["layer"][0]["encoding"];
  Json& points = chart.spec["layer"][1]["encoding"];
  points["tooltip"] = Tooltip({"cluster", "gain over", "value"});
  points[named ? "x" : "y"] = PercentChannel("gain");
  zero[named ? "x" : "y"]["datum"] = 0;
  if (named) {
    chart.spec["height"] = 18 * sorted.size();
    points["y"] = NominalChannel("cluster");
    points["y"]["axis"]["grid"] = true;
  } else {
    chart.spec["height"] = 280;
    points["x"] = R"({"field": "rank", "type": "quantitative",
                      "axis": {"title": "cluster, by rank", "grid": false}})"_json;
  }
  chart.spec["data"]["values"] = ClusterRows(sorted);
  return chart;
}

Chart ActionChart(const ResultNode& actions) {
  constexpr std::array<std::array<const char*, 2>, 2> kChoosers{
      {{"selector_frequency", "adapter"}, {"oracle_frequency", "oracle"}}};
  Json rows = Json::array();
  for (const ResultNode& action : actions.items()) {
    for (const auto& [key, chooser] : kChoosers) {
      const std::optional<double> share = action[key].number();
      if (!share) continue;
      rows.push_back({{"action", action["name"].text()},
                      {"chosen by", chooser},
                      {"share", 100.0 * *share},
                      {"frequency", Percent(share, 1)}});
    }
  }
  const bool of_log = !actions[0]["oracle_frequency"].number();
  Chart chart{.title = of_log ? "How often each action is chosen by the adapter."
                              : "How often each action is chosen, by the adapter and by an oracle "
                                "that knows the outcomes.",
              .description = "How often is each action chosen?"};
  for (const Json& row : rows) {
    chart.description +=
        fmt::format(" {} by the {}: {}.", row["action"].get<std::string>(),
                    row["chosen by"].get<std::string>(), row["frequency"].get<std::string>());
  }
  chart.spec = R"json({
    "mark": {"type": "bar", "cornerRadiusEnd": 2},
    "encoding": {
      "yOffset": {"field": "chosen by", "sort": null},
      "color": {"field": "chosen by", "scale": {
        "domain": ["adapter", "oracle"], "range": ["var(--series-1)", "var(--series-2)"]}}
    }})json"_json;
  Json& encoding = chart.spec["encoding"];
  encoding["x"] = PercentChannel("share");
  encoding["y"] = NominalChannel("action");
  encoding["y"]["scale"]["paddingInner"] = 0.3;
  chart.spec["height"] = 36 * actions.size();
  encoding["tooltip"] = Tooltip({"action", "chosen by", "frequency"});
  chart.spec["data"]["values"] = std::move(rows);
  return chart;
}

Json InPercent(std::optional<double> fraction) {
  return fraction ? Json(100.0 * *fraction) : Json();
}

Json PercentChannel(std::string_view field, std::string_view title) {
  Json channel = R"json({
    "type": "quantitative",
    "axis": {"title": null, "labelExpr": "format(datum.value, '~g') + ' %'"}})json"_json;
  channel["field"] = field;
  if (!title.empty()) channel["axis"]["title"] = title;
  return channel;
}

Json NominalChannel(std::string_view field, const Json& order) {
  Json channel = R"({"type": "nominal", "axis": {"title": null}})"_json;
  channel["field"] = field;
  channel["sort"] = order;
  return channel;
}

Json FieldOf(const Json& rows, std::string_view field) {
  Json values = Json::array();
  for (const Json& row : rows) values.push_back(row.at(std::string(field)));
  return values;
}

Json Tooltip(std::initializer_list<const char*> fields) {
  Json tooltip = Json::array();
  for (const char* field : fields) tooltip.push_back({{"field", field}, {"type", "nominal"}});
  return tooltip;
}

Json IntervalRow(const ResultNode& estimate) {
  return {{"point", InPercent(estimate["point"].number())},
          {"lower", InPercent(estimate["lower"].number())},
          {"upper", InPercent(estimate["upper"].number())},
          {"estimate", Percent(estimate["point"]).typeset()},
          {"interval", PercentInterval(estimate).typeset()}};
}

std::string InWords(const std::string& name, const Json& interval_row) {
  return fmt::format(" {}: {}, interval {}.", name, interval_row["estimate"].get<std::string>(),
                     interval_row["interval"].get<std::string>());
}

}  // namespace gonogo::report::internal
