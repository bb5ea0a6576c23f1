// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/channel_charts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gonogo/report/audit/estimand.h"
#include "gonogo/report/charts/chart_parts.h"
#include "gonogo/report/charts/histogram.h"
#include "gonogo/report/text/number_text.h"

namespace gonogo::report::internal {
namespace {

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
Json OnThreshold(const Channel& channel, const Extent& extent, Json layers) {
  const std::string threshold = Percent(channel.threshold);
  const Json domain = extent.Domain();
  const Json data{{"threshold", InPercent(channel.threshold)},
                  {"end", channel.above ? domain[1] : domain[0]},
                  {"label", channel.above ? threshold + "  GO →" : "← GO  " + threshold}};
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

Json IntervalRow(const Rule& rule, const Channel& channel) {
  return {{"rule", rule.name.empty() ? "interval" : rule.name},
          {"state", Name(channel.state)},
          {"point", InPercent(channel.point)},
          {"lower", InPercent(channel.lower)},
          {"upper", InPercent(channel.upper)},
          {"estimate", Percent(channel.point)},
          {"interval", PercentInterval(channel.lower, channel.upper)}};
}

}  // namespace

Chart ChannelChart(const std::vector<Rule>& rules, const Channel& first) {
  Chart chart{.description = fmt::format(
                  "{} {}. ", first.question.empty() ? "Is the threshold met?" : first.question,
                  DescribeEstimand(first.key).title)};
  Extent extent;
  extent.Include(first.threshold);
  Json rows = Json::array();
  for (const Rule& rule : rules) {
    for (const Channel& channel : rule.channels) {
      if (channel.key != first.key) continue;
      rows.push_back(IntervalRow(rule, channel));
      for (const auto& value : {channel.point, channel.lower, channel.upper}) extent.Include(value);
      chart.description +=
          fmt::format("{}{}: estimate {}, interval {}. ",
                      rule.name.empty() ? "" : rule.name + " rule, ", Name(channel.state),
                      Percent(channel.point), PercentInterval(channel.lower, channel.upper));
    }
  }
  chart.description += fmt::format("Threshold {}.", Percent(first.threshold));
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

double GoShare(const Channel& channel, std::span<const double> replicates) {
  if (replicates.empty()) return 0.0;
  const auto on_go_side = [&](double value) {
    return channel.above ? value > channel.threshold : value <= channel.threshold;
  };
  return static_cast<double>(std::count_if(replicates.begin(), replicates.end(), on_go_side)) /
         static_cast<double>(replicates.size());
}

Chart ReplicateChart(const Channel& channel, std::span<const double> replicates) {
  constexpr int kBins = 32;
  Extent extent;
  extent.Include(channel.threshold);
  extent.Include(channel.point);
  Json rows = Json::array();
  for (const Bin& bin : CountInBins(replicates, channel.threshold, kBins)) {
    extent.Include(bin.from);
    extent.Include(bin.to);
    const bool is_above = bin.from + bin.to > 2.0 * channel.threshold;
    rows.push_back({{"from", 100.0 * bin.from},
                    {"to", 100.0 * bin.to},
                    {"refits", bin.count},
                    {"range", PercentInterval(bin.from, bin.to)},
                    {"side", is_above == channel.above ? "GO side" : "other side"}});
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
      Json::array({{{"point", InPercent(channel.point)}, {"estimate", Percent(channel.point)}}});
  Chart chart;
  chart.description = fmt::format(
      "How much does the estimate scatter? {} in {} refits: {} of them lie on the GO side "
      "of {}.",
      DescribeEstimand(channel.key).title, replicates.size(),
      Percent(GoShare(channel, replicates), 1), Percent(channel.threshold));
  chart.spec["height"] = 130;
  chart.spec["layer"] = OnThreshold(channel, extent, std::move(layers));
  return chart;
}

}  // namespace gonogo::report::internal
