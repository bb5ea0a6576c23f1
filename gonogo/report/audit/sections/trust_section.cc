// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/sections/trust_section.h"

#include "gonogo/report/audit/estimand.h"
#include "gonogo/report/text/number_text.h"

namespace gonogo::report::internal {
namespace {

Table StabilityTable(const Json& channels) {
  Table table{.caption =
                  "How firmly the bounds stand: standard error, Monte-Carlo error of each "
                  "bound, and the range of the estimate when any one cluster is left out",
              .columns = {{"Channel"},
                          {"Standard error", ColumnKind::kNumber},
                          {"Error of the lower bound", ColumnKind::kNumber},
                          {"Error of the upper bound", ColumnKind::kNumber},
                          {"Without any one cluster", ColumnKind::kNumber}}};
  if (!channels.is_array()) return table;
  for (const Json& channel : channels) {
    if (!NumberAt(channel, "se")) continue;
    const std::vector<double> range = Numbers(At(channel, "drop_one"));
    table.rows.push_back(
        {FullTitle(DescribeEstimand(TextAt(channel, "name"))), Percent(NumberAt(channel, "se")),
         Percent(NumberAt(channel, "lower_mc_error")), Percent(NumberAt(channel, "upper_mc_error")),
         range.size() == 2 ? PercentInterval(range[0], range[1]) : kNoNumber});
  }
  return table;
}

Table SplitTable(const Json& allocation) {
  Table table{.caption = "Where the allocation gain comes from",
              .columns = {{"Choices that differ"},
                          {"Estimate", ColumnKind::kNumber},
                          {"Interval", ColumnKind::kNumber}}};
  for (const auto& [key, part] : allocation.items()) {
    table.rows.push_back({key + " clusters", Percent(NumberAt(part, "point")),
                          PercentInterval(NumberAt(part, "lower"), NumberAt(part, "upper"))});
  }
  return table;
}

}  // namespace

std::optional<Section> TrustSection(const Json& rules) {
  Section section{.id = "trust", .title = "How far to trust it"};
  if (!rules.is_array()) return std::nullopt;
  for (const Json& rule : rules) {
    const std::vector<std::string> sentences = Texts(At(rule, "trust"));
    if (!sentences.empty()) section.blocks.push_back(List{sentences});
    Table stability = StabilityTable(At(rule, "channels"));
    if (!stability.rows.empty()) section.blocks.push_back(std::move(stability));
    if (At(rule, "allocation").is_object()) {
      section.blocks.push_back(SplitTable(At(rule, "allocation")));
    }
  }
  if (section.blocks.empty()) return std::nullopt;
  return section;
}

}  // namespace gonogo::report::internal
