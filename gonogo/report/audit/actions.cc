// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/sections.h"

/// What the adapter does with the actions, in a table of all of them and in a log, where one action
/// was tried at every query.
namespace gonogo::report::internal {
namespace {

Text BestFixedFor(const ResultNode& action) {
  const ResultNode folds = action["reference_folds"];
  if (folds.number().value_or(0.0) == 0.0) return "";
  return "for " + Counted(folds, "cluster");
}

Table FullActionTable(const ResultNode& actions, const std::string& saves) {
  Table table{.caption = Say("Actions: how often they are chosen, and what each {}", saves),
              .columns = {{"action"},
                          {"chosen", ColumnKind::kNumber},
                          {"chosen by an oracle", ColumnKind::kNumber},
                          {saves + " where chosen", ColumnKind::kNumber},
                          {saves + " if fixed", ColumnKind::kNumber},
                          {"violations if fixed", ColumnKind::kNumber},
                          {"best fixed action", ColumnKind::kNumber}},
              .name = "actions",
              .left_out = {6, 3, 5}};
  for (const ResultNode& action : actions.items()) {
    const ResultNode chosen = action["selector_frequency"];
    table.rows.push_back(
        {Quote(action["name"]), Percent(chosen), Percent(action["oracle_frequency"]),
         chosen.number().value_or(0.0) > 0.0 ? Percent(action["gain_where_chosen"]) : Text("–"),
         Percent(action["gain"]), Percent(action["violation_rate"]), BestFixedFor(action)});
  }
  return table;
}

/// Every action of a log: how often it was tried and chosen, and its mean cost by all estimators.
Table LoggedActionTable(const ResultNode& result) {
  const ResultNode log = result["log"];
  Table table{
      .caption = "Actions: how often they were tried and are chosen, and what each costs",
      .columns = {{"action"},
                  {"tried", ColumnKind::kNumber},
                  {"worth", ColumnKind::kNumber},
                  {"chosen", ColumnKind::kNumber},
                  {IsLift(result) ? "gains if fixed" : "saves if fixed", ColumnKind::kNumber},
                  {"mean " + CostName(result), ColumnKind::kNumber},
                  {"by weights alone", ColumnKind::kNumber},
                  {"by models alone", ColumnKind::kNumber},
                  {"best fixed action", ColumnKind::kNumber}},
      .name = "actions",
      .left_out = {8, 2, 4}};
  const ResultNode actions = result["actions"];
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const ResultNode tried = log["actions"][i];
    const ResultNode cost = tried["mean_cost"];
    table.rows.push_back({Quote(actions[i]["name"]), Count(tried["tries"]),
                          Count(tried["effective_tries"]),
                          Percent(actions[i]["selector_frequency"]), Percent(actions[i]["gain"]),
                          Number(cost["doubly_robust"]), Number(cost["self_normalised"]),
                          Number(cost["direct_method"]), BestFixedFor(actions[i])});
  }
  const ResultNode cost = log["adapter_mean_cost"];
  table.rows.push_back({"the adapter", "", "", "", Percent(result["estimates"]["H_total"]["point"]),
                        Number(cost["doubly_robust"]), Number(cost["self_normalised"]),
                        Number(cost["direct_method"]), ""});
  return table;
}

/// What the learner's mean error is about.
Text PredictionError(const std::string& target, const Text& cost) {
  if (target == "difference") {
    return Say("the {}, in units of the mean {} of the reference,", cost, cost);
  }
  if (target == "log") return Say("the logarithm of the {}", cost);
  return Say("the {}, relative to the reference,", cost);
}

Text LogDiagnostics(const ResultNode& result) {
  const Text cost = CostName(result);
  const ResultNode diagnostics = result["diagnostics"];
  Text text = Say(
      "The adapter departs from the reference on {} of the queries. \"Worth\" is the number of "
      "tries with equal probabilities that would say as much. The mean {} by weights alone "
      "(self-normalised) and by models alone (direct method) are a check: where they are far from "
      "the doubly robust one, probabilities or models are poor. H_model is what choosing the "
      "action "
      "with the lowest predicted {} would save: no more than the best choice could, which a log "
      "does not show.",
      Percent(diagnostics["activation"]), cost, cost);
  const ResultNode success = diagnostics["success"];
  if (success["selector"].number()) {
    text += Say(" Success: {} with the reference, {} with the adapter.", Percent(success["direct"]),
                Percent(success["selector"]));
  }
  if (const ResultNode lost = result["log"]["lost_success"]; lost.is_object()) {
    text += Say(
        " The adapter fails where the reference succeeds at {} to {} of the queries: a log cannot "
        "say more, and these bounds leave sampling error out.",
        Percent(lost["lower"]), Percent(lost["upper"]));
  }
  return text;
}

Text FullDiagnostics(const ResultNode& result) {
  const ResultNode diagnostics = result["diagnostics"];
  Text text = Say(
      "The adapter departs from the reference on {} of the queries, chooses what an oracle would "
      "choose on {}, and beats the same actions assigned at random in {} of {}.",
      Percent(diagnostics["activation"]), Percent(diagnostics["oracle_agreement"]),
      Count(diagnostics["folds_beating_mixture"]), Counted(diagnostics["folds"], "cluster"));
  if (const ResultNode target = result["target"]; !target.text().empty()) {
    text += Say(" Its learner predicts {} with a mean error of {}.",
                PredictionError(target.text(), CostName(result)), Percent(diagnostics["work_mae"]));
  }
  const ResultNode success = diagnostics["success"];
  if (success["selector"].number()) {
    text +=
        Say(" Success: {} with the reference, {} with the adapter, {} with an oracle.",
            Percent(success["direct"]), Percent(success["selector"]), Percent(success["oracle"]));
  }
  return text;
}

}  // namespace

Table ActionTable(const ResultNode& result) {
  if (result["log"].is_object()) return LoggedActionTable(result);
  return FullActionTable(result["actions"], IsLift(result) ? "gains" : "saves");
}

Text AdapterInWords(const ResultNode& result) {
  return result["log"].is_object() ? LogDiagnostics(result) : FullDiagnostics(result);
}

std::optional<Section> LogSection(const ResultNode& result) {
  const ResultNode log = result["log"];
  if (!log.is_object()) return std::nullopt;
  Section section{.id = "log", .title = "The log"};
  section.blocks.push_back(Paragraph{Say(
      "Of every query one action is known. The doubly robust mean corrects what models predict by "
      "the errors they make where an action was tried, weighted by {} / propensity; it decides. "
      "The "
      "mean weight is {} where propensities are right. The imbalance is how far the tries of an "
      "action, weighted, are from all queries in the feature where they are furthest off, in "
      "standard deviations; right propensities leave it to chance.",
      Constant("1"), Constant("1"))});
  Table table{.caption = "How far the tries of each action speak for all queries",
              .columns = {{"action"},
                          {"clusters", ColumnKind::kNumber},
                          {"worth", ColumnKind::kNumber},
                          {"least propensity", ColumnKind::kNumber},
                          {"mean weight", ColumnKind::kNumber},
                          {"largest imbalance", ColumnKind::kNumber},
                          {"of feature"}}};
  for (const ResultNode& action : log["actions"].items()) {
    const ResultNode balance = action["balance"];
    table.rows.push_back(
        {Quote(action["name"]), Count(action["clusters"]), Decimals(action["effective_tries"], 1),
         Decimals(action["least_propensity"], 4), Decimals(action["mean_weight"], 3),
         Decimals(balance["difference"], 2), Quote(balance["feature"])});
  }
  section.blocks.push_back(std::move(table));
  return section;
}

}  // namespace gonogo::report::internal
