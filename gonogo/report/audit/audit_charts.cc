// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/audit_charts.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "gonogo/report/audit/estimand.h"
#include "gonogo/report/charts/chart_parts.h"
#include "gonogo/report/text/number_text.h"

namespace gonogo::report::internal {
namespace {

/// Above this many clusters their names no longer fit an axis.
constexpr std::size_t kMostNamedClusters = 40;

/// Each gain by what the selector is compared with: short enough for a legend on a phone.
constexpr std::array<std::array<const char*, 2>, 3> kGains{
    {{"H_total", "reference"}, {"H_alloc", "mixture"}, {"H_dep", "best fixed"}}};

/// One row per cluster and gain, best deployment gain first.
Json ClusterRows(const std::vector<Json>& folds) {
  Json rows = Json::array();
  for (std::size_t rank = 0; rank < folds.size(); ++rank) {
    for (const auto& [key, name] : kGains) {
      const std::optional<double> gain = NumberAt(folds[rank], key);
      if (!gain) continue;
      rows.push_back({{"rank", rank + 1},
                      {"cluster", Display(At(folds[rank], "cluster"))},
                      {"gain", 100.0 * *gain},
                      {"value", Percent(gain)},
                      {"gain over", name}});
    }
  }
  return rows;
}

}  // namespace

Chart EstimatesChart(const Json& estimates) {
  Json rows = Json::array();
  for (const char* key : kEstimandOrder) {
    const Json& estimate = At(estimates, key);
    const std::optional<double> lower = NumberAt(estimate, "lower");
    const std::optional<double> upper = NumberAt(estimate, "upper");
    const std::optional<double> point = NumberAt(estimate, "point");
    if (!point || std::string_view(key) == "q") continue;  // no gain, so not on this axis
    rows.push_back({{"quantity", DescribeEstimand(key).title},
                    {"point", InPercent(point)},
                    {"lower", InPercent(lower)},
                    {"upper", InPercent(upper)},
                    {"estimate", Percent(point)},
                    {"interval", PercentInterval(lower, upper)}});
  }
  Chart chart{.title = "What could be saved at most, and what the adapter saves",
              .description = "How much of the cost can be saved, and by whom?"};
  for (const Json& row : rows) {
    chart.description += fmt::format(" {}: {}, interval {}.", TextAt(row, "quantity"),
                                     TextAt(row, "estimate"), TextAt(row, "interval"));
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

Chart SensitivityChart(const Json& sensitivity, const Json& thresholds) {
  Json rows = Json::array();
  std::set<double> limits;
  int go = 0;
  for (const Json& cell : sensitivity) {
    limits.insert(NumberAt(cell, "kappa").value_or(0.0));
    const std::string decision = TextAt(cell, "decision");
    go += decision == "GO" ? 1 : 0;
    rows.push_back({{"delta", InPercent(NumberAt(cell, "delta"))},
                    {"kappa", InPercent(NumberAt(cell, "kappa"))},
                    {"decision", decision},
                    {"glyph", decision == "GO"      ? "✓"
                              : decision == "NO-GO" ? "✕"
                                                    : "?"},
                    {"gain threshold δ", Percent(NumberAt(cell, "delta"))},
                    {"violation limit κ", Percent(NumberAt(cell, "kappa"))},
                    {"declared", At(cell, "delta") == At(thresholds, "delta_dep") &&
                                     At(cell, "kappa") == At(thresholds, "kappa")}});
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

Chart ClusterChart(const Json& folds) {
  std::vector<Json> sorted(folds.begin(), folds.end());
  const auto gain = [](const Json& fold) { return NumberAt(fold, "H_dep").value_or(0.0); };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Json& a, const Json& b) { return gain(a) > gain(b); });
  Chart chart{.title =
                  "Gain in every cluster while it was held out: over the reference action "
                  "(total), over the mixture (allocation) and over the best fixed action "
                  "(deployment)."};
  chart.description = fmt::format(
      "Does the adapter gain in every cluster? Of {} clusters, each judged while it was held out, "
      "{} "
      "show a positive deployment gain; the table below lists them.",
      sorted.size(), std::count_if(sorted.begin(), sorted.end(), [&](const Json& fold) {
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

Chart ActionChart(const Json& actions) {
  constexpr std::array<std::array<const char*, 2>, 2> kChoosers{
      {{"selector_frequency", "adapter"}, {"oracle_frequency", "oracle"}}};
  Json rows = Json::array();
  for (const Json& action : actions) {
    for (const auto& [key, chooser] : kChoosers) {
      const std::optional<double> share = NumberAt(action, key);
      if (!share) continue;
      rows.push_back({{"action", TextAt(action, "name")},
                      {"chosen by", chooser},
                      {"share", 100.0 * *share},
                      {"frequency", Percent(share, 1)}});
    }
  }
  const bool of_log = !actions.empty() && !actions.front().contains("oracle_frequency");
  Chart chart{.title = of_log ? "How often each action is chosen by the adapter."
                              : "How often each action is chosen, by the adapter and by an oracle "
                                "that knows the outcomes.",
              .description = "How often is each action chosen?"};
  for (const Json& row : rows) {
    chart.description += fmt::format(" {} by the {}: {}.", TextAt(row, "action"),
                                     TextAt(row, "chosen by"), TextAt(row, "frequency"));
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

}  // namespace gonogo::report::internal
