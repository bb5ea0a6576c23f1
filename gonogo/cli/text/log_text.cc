// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/text/log_text.h"

#include <cmath>

#include <fmt/format.h>

#include "gonogo/audit/result/log_reading.h"
#include "gonogo/base/number_text.h"
#include "gonogo/report/text/text_table.h"
#include "gonogo/report/text/words.h"
#include "gonogo/report/text/wrap.h"

namespace gonogo::cli {
namespace {

std::string CostText(double cost) {
  return std::isfinite(cost) ? fmt::format("{:.4g}", cost) : "–";
}

}  // namespace

std::string LogActions(const audit::AuditResult& result, const Terminal& terminal) {
  const audit::LogReport& log = *result.log;
  const std::string cost = result.protocol.table.cost;
  report::TextTable table({"action", "tried", "worth", "chosen", "saves if fixed", "mean " + cost,
                           "by weights alone", "by models alone", "best fixed action"});
  for (std::size_t i = 0; i < result.actions.size(); ++i) {
    const audit::ActionSummary& action = result.actions[i];
    const audit::ActionOverlap& overlap = log.overlap.actions[i];
    const audit::ValueEstimates& value = log.fixed[i];
    table.AddRow({action.name, std::to_string(overlap.tries), Decimal(overlap.effective_tries, 0),
                  Percent(action.chosen), Percent(action.fixed_gain), CostText(value.doubly_robust),
                  CostText(value.self_normalised), CostText(value.direct_method),
                  action.reference_folds > 0
                      ? "for " + report::Counted(action.reference_folds, "cluster")
                      : ""});
  }
  table.AddRow({"the adapter", "", "", "", Percent(result.point.h_total),
                CostText(log.adapter->doubly_robust), CostText(log.adapter->self_normalised),
                CostText(log.adapter->direct_method), ""});
  table.WhenNarrow({8, 2, 4});
  return table.Render(terminal.width());
}

std::string LogDiagnostics(const audit::AuditResult& result, const Terminal& terminal) {
  const audit::Estimands& point = result.point;
  const audit::LogReport& log = *result.log;
  std::string text = fmt::format(
      "The adapter departs from the reference on {} of the queries. \"Worth\" is the number of "
      "tries with equal probabilities that would say as much. The mean {} by weights alone "
      "(self-normalised) and by models alone (direct method) are a check: where they are far from "
      "the doubly robust one, probabilities or models are poor. H_model is what choosing the "
      "action "
      "with the lowest predicted {} would save: no more than the best choice could, which a log "
      "does not show.",
      Percent(point.activation), result.protocol.table.cost, result.protocol.table.cost);
  if (point.success.has_value()) {
    text += fmt::format(" Success: {} with the reference, {} with the adapter.",
                        Percent(point.success_direct.value_or(0.0)), Percent(*point.success));
  }
  if (log.lost_success.has_value()) {
    text += fmt::format(
        " The adapter fails where the reference succeeds at {} to {} of the queries: a log cannot "
        "say more, and these bounds leave sampling error out.",
        Percent(log.lost_success->lower), Percent(log.lost_success->upper));
  }
  return report::Wrap(text, terminal.prose_width(), 2);
}

}  // namespace gonogo::cli
