// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/sections/log_section.h"

#include <fmt/format.h>

#include "gonogo/report/text/json_access.h"
#include "gonogo/report/text/number_text.h"

namespace gonogo::report::internal {
namespace {

std::string CostText(const Json& costs, const char* key) {
  const std::optional<double> cost = NumberAt(costs, key);
  return cost ? fmt::format("{:.4g}", *cost) : kNoNumber;
}

Table TriesTable(const Json& log) {
  Table table{.caption = "How often each action was tried, and its mean cost by three estimators",
              .columns = {{"Action"},
                          {"Tries", ColumnKind::kNumber},
                          {"Clusters", ColumnKind::kNumber},
                          {"Effective tries", ColumnKind::kNumber},
                          {"Least propensity", ColumnKind::kNumber},
                          {"Mean weight", ColumnKind::kNumber},
                          {"Largest imbalance", ColumnKind::kNumber},
                          {"Mean cost, doubly robust", ColumnKind::kNumber},
                          {"Self-normalised", ColumnKind::kNumber},
                          {"Direct method", ColumnKind::kNumber}}};
  for (const Json& action : At(log, "actions")) {
    const Json& balance = At(action, "balance");
    const std::optional<double> difference = NumberAt(balance, "difference");
    const std::string imbalance =
        difference ? fmt::format("{:+.2f} {}", *difference, TextAt(balance, "feature")) : kNoNumber;
    const Json& cost = At(action, "mean_cost");
    const auto number = [&](const char* key, int digits) {
      const std::optional<double> value = NumberAt(action, key);
      return value ? fmt::format("{:.{}f}", *value, digits) : kNoNumber;
    };
    table.rows.push_back({TextAt(action, "name"), Display(At(action, "tries")),
                          Display(At(action, "clusters")), number("effective_tries", 1),
                          number("least_propensity", 4), number("mean_weight", 3), imbalance,
                          CostText(cost, "doubly_robust"), CostText(cost, "self_normalised"),
                          CostText(cost, "direct_method")});
  }
  const Json& adapter = At(log, "adapter_mean_cost");
  table.rows.push_back({"the adapter", "", "", "", "", "", "", CostText(adapter, "doubly_robust"),
                        CostText(adapter, "self_normalised"), CostText(adapter, "direct_method")});
  return table;
}

}  // namespace

std::optional<Section> LogSection(const Json& log) {
  if (!log.is_object()) return std::nullopt;
  Section section{.id = "log", .title = "The log"};
  section.blocks.push_back(Paragraph{
      "Of every query one action is known. The doubly robust mean corrects what models predict by "
      "the errors they make where an action was tried, weighted by 1 / propensity; it decides. The "
      "self-normalised mean uses the weights alone, the direct method the models alone: where they "
      "are far from the first, probabilities or models are poor. The mean weight is 1 where "
      "propensities are right. The imbalance is how far the tries of an action, weighted, are from "
      "all "
      "queries in the feature where they are furthest off, in standard deviations; right "
      "propensities "
      "leave it to chance."});
  section.blocks.push_back(TriesTable(log));
  if (const Json& lost = At(log, "lost_success"); lost.is_object()) {
    section.blocks.push_back(Paragraph{fmt::format(
        "The adapter fails where the reference succeeds at {} to {} of the queries. A log cannot "
        "say more, and these bounds leave sampling error out.",
        Percent(NumberAt(lost, "lower")), Percent(NumberAt(lost, "upper")))});
  }
  return section;
}

}  // namespace gonogo::report::internal
