// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/sections/choice_map_section.h"

#include <fmt/format.h>

#include "gonogo/report/charts/chart_parts.h"
#include "gonogo/report/text/number_text.h"

namespace gonogo::report::internal {
namespace {

std::string RangeOf(const Json& bin) {
  const double low = NumberAt(bin, "low").value_or(0.0);
  const double high = NumberAt(bin, "high").value_or(0.0);
  return low == high ? fmt::format("{:.3g}", low) : fmt::format("{:.3g} to {:.3g}", low, high);
}

std::optional<double> ShareOf(const Json& bin, std::size_t action) {
  const Json& shares = At(bin, "share");
  if (!shares.is_array() || action >= shares.size()) return std::nullopt;
  return shares[action].get<double>();
}

Chart ShareChart(const Json& map) {
  const std::string feature = TextAt(map, "feature");
  const Json& actions = At(map, "actions");
  Json rows = Json::array();
  Json ranges = Json::array();
  Chart chart{
      .title = fmt::format("What the adapter chooses over {}", feature),
      .description = fmt::format("Which actions are chosen at which values of {}?", feature)};
  std::vector<bool> used(actions.size(), false);
  for (const Json& bin : At(map, "bins")) {
    for (std::size_t a = 0; a < actions.size(); ++a) {
      if (ShareOf(bin, a).value_or(0.0) > 0.0) used[a] = true;
    }
  }
  // The reference is the quiet colour: where the adapter does nothing.
  Json names = Json::array();
  Json colours = Json::array();
  for (std::size_t a = 0; a < actions.size(); ++a) {
    if (!used[a]) continue;
    names.push_back(actions[a]);
    colours.push_back(a == 0 ? std::string("var(--line)")
                             : fmt::format("var(--series-{})", 1 + (names.size() - 2) % 4));
  }
  for (const Json& bin : At(map, "bins")) {
    ranges.push_back(RangeOf(bin));
    chart.description += fmt::format(" At {}:", RangeOf(bin));
    for (std::size_t a = 0; a < actions.size(); ++a) {
      const std::optional<double> share = ShareOf(bin, a);
      if (!share || !used[a]) continue;
      rows.push_back({{"range", RangeOf(bin)},
                      {"action", actions[a]},
                      {"order", a},
                      {"share", 100.0 * *share},
                      {"frequency", Percent(share, 1)}});
      if (*share > 0.0) {
        chart.description += fmt::format(" {} {}.", Display(actions[a]), Percent(share, 1));
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

Table ShareTable(const Json& map) {
  Table table{.caption = "Held-out choices and what they save, by the value of the feature",
              .columns = {{TextAt(map, "feature")}, {"Queries", ColumnKind::kNumber}}};
  const Json& actions = At(map, "actions");
  for (const Json& action : actions) {
    table.columns.push_back({Display(action), ColumnKind::kNumber});
  }
  table.columns.push_back({"Cost saved", ColumnKind::kNumber});
  table.columns.push_back({"Violations", ColumnKind::kNumber});
  for (const Json& bin : At(map, "bins")) {
    std::vector<Cell> row{RangeOf(bin), Display(At(bin, "queries"))};
    for (std::size_t a = 0; a < actions.size(); ++a) row.emplace_back(Percent(ShareOf(bin, a), 1));
    row.emplace_back(Percent(NumberAt(bin, "saved")));
    row.emplace_back(Percent(NumberAt(bin, "violations")));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Section ChoiceMapSection(const Json& map) {
  Section section{.id = "choice_map", .title = "Where it acts"};
  section.blocks.push_back(
      Paragraph{fmt::format("Every query is put into its place by one feature, {}, and the bars "
                            "say what the adapter that "
                            "was trained without the query's cluster chose there.",
                            TextAt(map, "feature"))});
  section.blocks.push_back(ShareChart(map));
  section.blocks.push_back(ShareTable(map));
  return section;
}

}  // namespace gonogo::report::internal
