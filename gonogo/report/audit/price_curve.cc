// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gonogo/report/audit/charts.h"
#include "gonogo/report/audit/sections.h"

/// Cost against success: what is saved where so much success may be lost on average.
namespace gonogo::report::internal {
namespace {

Table CurveTable(const ResultNode& curve, const std::string& reference) {
  Table table{
      .caption = Say("Cost against success: what is saved where success may fall by so much "
                     "(intervals over clusters, learners as fitted)"),
      .columns = {{"may lose", ColumnKind::kNumber},
                  {Say("not {}", reference), ColumnKind::kNumber},
                  {"loses", ColumnKind::kNumber},
                  {"interval of it", ColumnKind::kNumber},
                  {"saves", ColumnKind::kNumber},
                  {"interval", ColumnKind::kNumber},
                  {"random saves", ColumnKind::kNumber},
                  {"oracle saves", ColumnKind::kNumber},
                  {"a success is worth", ColumnKind::kNumber}},
      .name = "price curve",
      .left_out = {8, 3}};
  for (const ResultNode& point : curve["points"].items()) {
    table.rows.push_back({Percent(point["allowed"]), Percent(point["departs"]),
                          Percent(point["lost"]["point"]), PercentInterval(point["lost"]),
                          Percent(point["saved"]["point"]), PercentInterval(point["saved"]),
                          Percent(point["saved_at_random"]), Percent(point["saved_by_oracle"]),
                          Number(point["price"])});
  }
  return table;
}

}  // namespace

std::optional<Section> PriceCurveSection(const ResultNode& result) {
  const ResultNode curve = result["price_curve"];
  if (!curve.is_object()) return std::nullopt;
  Section section{.id = "price-curve", .title = "Cost against success"};
  section.blocks.push_back(PriceCurveChart(curve));
  section.blocks.push_back(CurveTable(curve, result["protocol"]["reference"].text()));
  section.blocks.push_back(Paragraph{
      .text =
          Say("Every row has a price of a success of its own, found without the cluster that is "
              "judged: a choice leaves the reference where what it saves is worth more than the "
              "success it is expected to lose. Random: the best mixture of fixed actions, an "
              "oracle: choices that know all outcomes, each losing no more than the adapter "
              "does. The fixed actions trade success at {} a piece. The rows describe; the "
              "channels decide.",
              Number(curve["rate"])),
      .name = "price curve in words"});
  return section;
}

Chart PriceCurveChart(const ResultNode& curve) {
  Chart chart{.title = "What is saved against what is lost",
              .description = "How much cost can be saved for how much success?"};
  Json rows = Json::array();
  const auto add = [&](const std::string& who, const ResultNode& lost, const ResultNode& saved) {
    const ResultNode point = saved.is_object() ? saved["point"] : saved;
    rows.push_back(
        {{"who", who}, {"lost", InPercent(lost.number())}, {"saved", InPercent(point.number())}});
    if (!saved.is_object()) return;
    rows.back()["lower"] = InPercent(saved["lower"].number());
    rows.back()["upper"] = InPercent(saved["upper"].number());
  };
  for (const ResultNode& point : curve["points"].items()) {
    const ResultNode lost = point["lost"]["point"];
    add("adapter", lost, point["saved"]);
    add("random mixture", lost, point["saved_at_random"]);
    add("oracle", lost, point["saved_by_oracle"]);
    chart.description += fmt::format(
        " Losing {} of success the adapter saves {} {}, a random mixture {}, an oracle {}.",
        Percent(lost).plain, Percent(point["saved"]["point"]).plain,
        PercentInterval(point["saved"]).plain, Percent(point["saved_at_random"]).plain,
        Percent(point["saved_by_oracle"]).plain);
  }
  for (const ResultNode& action : curve["actions"].items()) {
    add("always " + action["name"].text(), action["lost"], action["saved"]);
  }
  chart.spec = R"json({
    "height": 280,
    "layer": [
      {"mark": {"type": "rule", "opacity": 0.45, "strokeWidth": 3},
       "encoding": {"y2": {"field": "upper"}}},
      {"mark": {"type": "line", "point": {"size": 50}}}
    ]})json"_json;
  chart.spec["layer"][0]["encoding"]["y"] = PercentChannel("lower");
  chart.spec["layer"][1]["encoding"]["y"] = PercentChannel("saved", "cost saved");
  chart.spec["encoding"] = {{"x", PercentChannel("lost", "success lost")},
                            {"color", NominalChannel("who", FieldOf(rows, "who"))}};
  chart.spec["data"]["values"] = std::move(rows);
  return chart;
}

}  // namespace gonogo::report::internal
