// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gonogo/base/check.h"
#include "gonogo/base/glossary.h"
#include "gonogo/report/audit/charts.h"
#include "gonogo/report/text/number_text.h"

namespace gonogo::report::internal {
namespace {

double Threshold(const ResultNode& channel) { return channel["threshold"].number().value_or(0.0); }

/// Axis limits in percent around everything that is drawn, with room for the threshold's label.
class Extent {
 public:
  void Include(std::optional<double> fraction) {
    if (!fraction || !std::isfinite(*fraction)) return;
    low_ = std::min(low_, 100.0 * *fraction);
    high_ = std::max(high_, 100.0 * *fraction);
  }
  [[nodiscard]] Json Domain() const {
    const double room = high_ > low_ ? 0.12 * (high_ - low_) : 1.0;
    return {low_ - room, high_ + room};
  }

 private:
  double low_ = HUGE_VAL;
  double high_ = -HUGE_VAL;
};

/// The tinted GO side and the threshold with its name, drawn below `layers`, and the axis of all.
Json OnThreshold(const ResultNode& channel, const Extent& extent, Json layers) {
  const std::string threshold = Percent(Threshold(channel));
  const Json domain = extent.Domain();
  const Json data{{"threshold", InPercent(Threshold(channel))},
                  {"end", NeedsAbove(channel) ? domain[1] : domain[0]},
                  {"label", NeedsAbove(channel) ? threshold + "  GO →" : "← GO  " + threshold}};
  Json backdrop = R"json([
    {"mark": {"type": "rect", "color": "var(--go-soft)"}, "encoding": {"x2": {"field": "end"}}},
    {"mark": {"type": "rule", "style": "threshold"}, "encoding": {}},
    {"mark": {"type": "text", "style": "note", "y": -12, "baseline": "middle"},
     "encoding": {"text": {"field": "label"}}}
  ])json"_json;
  for (Json& layer : backdrop) {
    layer["data"]["values"] = Json::array({data});
    layer["encoding"]["x"] = {{"field", "threshold"}, {"type", "quantitative"}};
  }
  Json& x = backdrop[0]["encoding"]["x"];
  x = PercentChannel("threshold");
  x["axis"]["tickCount"] = 5;
  x["axis"]["grid"] = false;
  x["scale"] = {{"domain", domain}, {"nice", false}};
  backdrop.insert(backdrop.end(), layers.begin(), layers.end());
  return backdrop;
}

}  // namespace

Chart ChannelChart(const std::vector<Rule>& rules, const ResultNode& first) {
  Chart chart{.description = fmt::format("{} {}.", first["question"].text("Is the threshold met?"),
                                         Describe(first["name"].text()).title)};
  Extent extent;
  extent.Include(Threshold(first));
  Json rows = Json::array();
  for (const Rule& rule : rules) {
    for (const ResultNode& channel : rule.channels) {
      if (channel["name"].text() != first["name"].text()) continue;
      rows.push_back(IntervalRow(channel));
      rows.back()["rule"] = rule.name.empty() ? "interval" : rule.name;
      rows.back()["state"] = StateOf(channel);
      for (const char* key : {"point", "lower", "upper"}) extent.Include(channel[key].number());
      const std::string name = rule.name.empty() ? "" : rule.name + " rule, ";
      chart.description += InWords(name + StateOf(channel), rows.back());
    }
  }
  chart.description += fmt::format(" Threshold {}.", Percent(Threshold(first)));
  Json layers = R"json([
    {"mark": {"type": "rule", "strokeWidth": 5, "strokeCap": "round"},
     "encoding": {"x": {"field": "lower", "type": "quantitative"}, "x2": {"field": "upper"}}},
    {"mark": {"type": "point", "size": 110, "stroke": "var(--card)", "strokeWidth": 2},
     "encoding": {"x": {"field": "point", "type": "quantitative"}}}
  ])json"_json;
  for (Json& layer : layers) {
    layer["data"]["values"] = rows;
    layer["encoding"]["y"] = NominalChannel("rule", FieldOf(rows, "rule"));
    if (rules.size() == 1) layer["encoding"]["y"]["axis"] = nullptr;
    layer["encoding"]["color"] = R"json({"field": "state", "legend": null, "scale": {
      "domain": ["satisfied", "refuted", "unresolved", "not read"],
      "range": ["var(--go)", "var(--nogo)", "var(--open)", "var(--open)"]}})json"_json;
    layer["encoding"]["tooltip"] = Tooltip({"rule", "estimate", "interval"});
  }
  chart.spec["height"] = 30 * rows.size();
  chart.spec["layer"] = OnThreshold(first, extent, std::move(layers));
  return chart;
}

double GoShare(const ResultNode& channel, std::span<const double> replicates) {
  if (replicates.empty()) return 0.0;
  const auto on_go_side = [&](double value) {
    return NeedsAbove(channel) ? value > Threshold(channel) : value <= Threshold(channel);
  };
  return static_cast<double>(std::count_if(replicates.begin(), replicates.end(), on_go_side)) /
         static_cast<double>(replicates.size());
}

Chart ReplicateChart(const ResultNode& channel, std::optional<double> point,
                     std::span<const double> replicates) {
  constexpr int kBins = 32;
  Extent extent;
  extent.Include(Threshold(channel));
  extent.Include(point);
  Json rows = Json::array();
  for (const Bin& bin : CountInBins(replicates, Threshold(channel), kBins)) {
    extent.Include(bin.from);
    extent.Include(bin.to);
    const bool is_above = bin.from + bin.to > 2.0 * Threshold(channel);
    rows.push_back({{"from", 100.0 * bin.from},
                    {"to", 100.0 * bin.to},
                    {"refits", bin.count},
                    {"range", PercentInterval(bin.from, bin.to)},
                    {"side", is_above == NeedsAbove(channel) ? "GO side" : "other side"}});
  }
  Json layers = R"json([
    {"mark": {"type": "bar", "binSpacing": 0.5},
     "encoding": {
       "x": {"field": "from", "type": "quantitative", "bin": "binned"}, "x2": {"field": "to"},
       "y": {"field": "refits", "type": "quantitative",
             "axis": {"title": null, "tickCount": 3, "format": "d"}},
       "color": {"field": "side", "legend": null, "scale": {
         "domain": ["GO side", "other side"], "range": ["var(--go)", "var(--open)"]}}}},
    {"mark": {"type": "point", "shape": "triangle-up", "size": 90, "color": "var(--ink)",
              "stroke": "var(--card)", "strokeWidth": 1, "y": "height", "yOffset": -6},
     "encoding": {"x": {"field": "point", "type": "quantitative"}}}
  ])json"_json;
  layers[0]["encoding"]["tooltip"] = Tooltip({"range", "refits", "side"});
  layers[0]["data"]["values"] = std::move(rows);
  layers[1]["encoding"]["tooltip"] = Tooltip({"estimate"});
  layers[1]["data"]["values"] =
      Json::array({{{"point", InPercent(point)}, {"estimate", Percent(point)}}});
  Chart chart;
  chart.description = fmt::format(
      "How much does the estimate scatter? {} in {} refits: {} of them lie on the GO side "
      "of {}.",
      Describe(channel["name"].text()).title, replicates.size(),
      Percent(GoShare(channel, replicates), 1), Percent(Threshold(channel)));
  chart.spec["height"] = 130;
  chart.spec["layer"] = OnThreshold(channel, extent, std::move(layers));
  return chart;
}

std::vector<Bin> CountInBins(std::span<const double> values, double edge, int max_bins) {
  GONOGO_CHECK(max_bins > 0);
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
               [](double value) { return std::isfinite(value); });
  if (finite.empty()) return {};
  const auto [low, high] = std::minmax_element(finite.begin(), finite.end());
  const double span = std::max(*high, edge) - std::min(*low, edge);
  const double width = span > 0.0 ? std::max((*high - *low) / max_bins, span / 60.0) : 1.0;
  // Numbers so far apart, or so close together, that no width tells them apart.
  if (!std::isfinite(span) || !(width > 0.0)) {
    return {Bin{.from = *low, .to = *high, .count = static_cast<int>(finite.size())}};
  }
  // Bin i covers (edge + (i - 1) width, edge + i width].
  const auto index = [&](double value) { return std::ceil((value - edge) / width); };
  const double first = index(*low);
  std::vector<Bin> bins(static_cast<std::size_t>(index(*high) - first) + 1);
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const double top = first + static_cast<double>(i);
    bins[i] = {.from = edge + (top - 1.0) * width, .to = edge + top * width};
  }
  for (const double value : finite) ++bins[static_cast<std::size_t>(index(value) - first)].count;
  return bins;
}

}  // namespace gonogo::report::internal
