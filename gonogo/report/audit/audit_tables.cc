// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/audit_tables.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "gonogo/report/audit/channel_charts.h"
#include "gonogo/report/audit/estimand.h"
#include "gonogo/report/text/number_text.h"
#include "gonogo/report/text/words.h"
#include "gonogo/stats/interval.h"

namespace gonogo::report::internal {
namespace {

/// The inequality that settled the channel, or why none did.
std::string DecidingInequality(const Channel& channel) {
  if (channel.state == ChannelState::kNotRead) return "not read";
  if (!channel.deciding_bound) return "no interval";
  if (channel.state == ChannelState::kUnresolved) return "neither bound";
  const bool satisfied = channel.state == ChannelState::kSatisfied;
  const char* relation = !satisfied ? (channel.above ? "<" : ">") : channel.above ? ">" : "≤";
  return fmt::format("{} {} {} {}", channel.deciding_end, Percent(channel.deciding_bound), relation,
                     Percent(channel.threshold));
}

struct Diagnostic {
  const char* key;
  const char* title;
  bool is_share = true;  ///< shown in percent; else as it is
};

/// In the order of the page: the learner, the selector, what it is compared with.
constexpr std::array kDiagnostics{
    Diagnostic{"work_mae", "Mean error of the predicted cost, as the learner compares costs"},
    Diagnostic{"activation", "Queries at which the adapter departs from the reference action"},
    Diagnostic{"oracle_agreement", "Queries at which the adapter chooses what the oracle would"},
    Diagnostic{"success.direct", "Success of the reference action"},
    Diagnostic{"success.selector", "Success of the adapter"},
    Diagnostic{"success.oracle", "Success of the oracle"},
    Diagnostic{"folds", "Clusters held out", false},
    Diagnostic{"folds_beating_mixture",
               "Clusters in which the adapter beats the same actions assigned at random", false},
    Diagnostic{"H_alloc_pooled",
               "Allocation gain if the actions are assigned at random over all clusters together"},
    Diagnostic{"covariance_gain", "Cost per query saved by choosing where to act", false},
    Diagnostic{"mixture_total",
               "What the same actions assigned at random save against the reference action"},
    Diagnostic{"q_mixture", "Violation rate of the same actions assigned at random"},
    Diagnostic{"q_reference", "Violation rate of the best fixed action"},
    Diagnostic{"global_action", "Best single action", false},
    Diagnostic{"global_action_unconstrained", "Best single action without a violation limit",
               false},
    Diagnostic{"H_global_unconstrained", "What that action saves"},
};

}  // namespace

std::string ShownInterval(const Json& estimate) {
  return PercentInterval(NumberAt(estimate, "lower"), NumberAt(estimate, "upper"));
}

Table ChannelTable(const std::vector<Rule>& rules) {
  const bool several = rules.size() > 1;
  Table table{.caption = "The conditions of a GO, and the bound that decided each"};
  table.columns = {{"Channel"}};
  if (several) table.columns.push_back({"Rule"});
  for (const char* title : {"Estimate", "Interval", "GO needs"})
    table.columns.push_back({title, ColumnKind::kNumber});
  table.columns.push_back({"Decided by"});
  table.columns.push_back({"State"});
  for (const Rule& rule : rules) {
    for (const Channel& channel : rule.channels) {
      std::vector<Cell> row{FullTitle(DescribeEstimand(channel.key))};
      if (several) row.emplace_back(rule.name);
      row.emplace_back(Percent(channel.point));
      row.emplace_back(PercentInterval(channel.lower, channel.upper));
      row.emplace_back((channel.above ? "> " : "≤ ") + Percent(channel.threshold));
      row.emplace_back(DecidingInequality(channel));
      row.push_back(StateBadge(channel.state));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Table EstimateTable(const Json& estimates) {
  Table table{.caption =
                  "All estimates: the point with every cluster held out once, the interval, and "
                  "the mean of the refits",
              .columns = {{"Quantity"},
                          {"Estimate", ColumnKind::kNumber},
                          {"Interval", ColumnKind::kNumber},
                          {"Mean of refits", ColumnKind::kNumber},
                          {"What it is", ColumnKind::kProse}}};
  const auto add = [&](const std::string& key, const Json& estimate) {
    const Estimand estimand = DescribeEstimand(key);
    table.rows.push_back({FullTitle(estimand), Percent(NumberAt(estimate, "point")),
                          ShownInterval(estimate), Percent(NumberAt(estimate, "bootstrap_mean")),
                          estimand.meaning});
  };
  for (const char* key : kEstimandOrder) {
    if (At(estimates, key).is_object()) add(key, At(estimates, key));
  }
  for (const auto& [key, estimate] : estimates.items()) {
    const auto known = std::find(kEstimandOrder.begin(), kEstimandOrder.end(), key);
    if (known == kEstimandOrder.end()) add(key, estimate);
  }
  return table;
}

Table ReplicateTable(const std::vector<Channel>& channels, const Json& replicates) {
  Table table{.caption = "Distribution of the refits in numbers",
              .columns = {{"Channel"},
                          {"Refits", ColumnKind::kNumber},
                          {"2.5 %", ColumnKind::kNumber},
                          {"25 %", ColumnKind::kNumber},
                          {"Median", ColumnKind::kNumber},
                          {"75 %", ColumnKind::kNumber},
                          {"97.5 %", ColumnKind::kNumber},
                          {"On the GO side", ColumnKind::kNumber}},
              .folded = true};
  for (const Channel& channel : channels) {
    const Json& values = At(replicates, channel.key);
    if (!values.is_array() || values.empty()) continue;
    std::vector<double> sorted = Numbers(values);
    if (sorted.empty()) continue;
    std::sort(sorted.begin(), sorted.end());
    std::vector<Cell> row{FullTitle(DescribeEstimand(channel.key)),
                          fmt::format("{}", sorted.size())};
    for (const double probability : {0.025, 0.25, 0.5, 0.75, 0.975}) {
      row.emplace_back(Percent(stats::Quantile(sorted, probability)));
    }
    row.emplace_back(Percent(GoShare(channel, sorted), 1));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table SensitivityTable(const Json& sensitivity) {
  Table table{.caption = "Decision for every pair of thresholds",
              .columns = {{"Gain threshold δ", ColumnKind::kNumber},
                          {"Violation limit κ", ColumnKind::kNumber},
                          {"Decision"}},
              .folded = true};
  for (const Json& cell : sensitivity) {
    table.rows.push_back({Percent(NumberAt(cell, "delta")), Percent(NumberAt(cell, "kappa")),
                          DecisionBadge(TextAt(cell, "decision"))});
  }
  return table;
}

Table FoldTable(const Json& folds) {
  Table table{.caption = "Every held-out cluster",
              .columns = {{"Cluster"},
                          {"Queries", ColumnKind::kNumber},
                          {"Best fixed action"},
                          {"Total gain", ColumnKind::kNumber},
                          {"Allocation gain", ColumnKind::kNumber},
                          {"Deployment gain", ColumnKind::kNumber},
                          {"Violations", ColumnKind::kNumber}},
              .folded = true};
  for (const Json& fold : folds) {
    table.rows.push_back({Display(At(fold, "cluster")), Display(At(fold, "queries")),
                          Display(At(fold, "reference")), Percent(NumberAt(fold, "H_total")),
                          Percent(NumberAt(fold, "H_alloc")), Percent(NumberAt(fold, "H_dep")),
                          Percent(NumberAt(fold, "q"))});
  }
  return table;
}

Table ActionTable(const Json& actions) {
  Table table{.caption = "Actions: how often they are chosen, and what each saves",
              .columns = {{"Action"},
                          {"Chosen by the adapter", ColumnKind::kNumber},
                          {"By the oracle", ColumnKind::kNumber},
                          {"Gain where chosen", ColumnKind::kNumber},
                          {"Gain if always used", ColumnKind::kNumber},
                          {"Violations if always used", ColumnKind::kNumber},
                          {"Best fixed action for", ColumnKind::kNumber}}};
  for (const Json& action : actions) {
    const std::optional<double> selected = NumberAt(action, "selector_frequency");
    const std::optional<std::size_t> folds = CountAt(action, "reference_folds");
    table.rows.push_back(
        {TextAt(action, "name"), Percent(selected, 1),
         Percent(NumberAt(action, "oracle_frequency"), 1),
         selected == 0.0 ? kNoNumber : Percent(NumberAt(action, "gain_where_chosen")),
         Percent(NumberAt(action, "gain")), Percent(NumberAt(action, "violation_rate")),
         folds ? Counted(*folds, "cluster") : kNoNumber});
  }
  if (!actions.empty() && !actions.front().contains("oracle_frequency")) {
    table.columns.erase(table.columns.begin() + 2);  // of a log, which shows no oracle
    for (std::vector<Cell>& row : table.rows) row.erase(row.begin() + 2);
  }
  return table;
}

Table ResolutionTable(const Json& resolution) {
  Table table{.caption = "How many clusters would bring each interval just to its threshold",
              .columns = {{"Channel"}, {"Clusters", ColumnKind::kNumber}, {"Status"}}};
  for (const Json& item : resolution) {
    table.rows.push_back({FullTitle(DescribeEstimand(TextAt(item, "channel"))),
                          Display(At(item, "clusters")), TextAt(item, "status")});
  }
  return table;
}

Table SummaryTable(std::string caption, const std::string& variant, const Json& audits) {
  Table table{.caption = std::move(caption),
              .columns = {{variant == "learner" ? "Learner" : "Features"},
                          {"Deployment gain", ColumnKind::kNumber},
                          {"Allocation gain", ColumnKind::kNumber},
                          {"Violation rate", ColumnKind::kNumber},
                          {"Total gain", ColumnKind::kNumber},
                          {"Cost error", ColumnKind::kNumber},
                          {"Departs", ColumnKind::kNumber},
                          {"Reads"}}};
  for (const Json& audit : audits) {
    std::vector<Cell> row{TextAt(audit, variant)};
    for (const char* key : {"H_dep", "H_alloc", "q"}) {
      const Json& estimate = At(audit, key);
      row.emplace_back(Percent(NumberAt(estimate, "point")) + " " + ShownInterval(estimate));
    }
    row.emplace_back(Percent(NumberAt(At(audit, "H_total"), "point")));
    row.emplace_back(Percent(NumberAt(audit, "work_mae")));
    row.emplace_back(Percent(NumberAt(audit, "activation"), 1));
    row.push_back(DecisionBadge(TextAt(audit, "decision", TextAt(audit, "reading"))));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table DiagnosticsTable(const Json& diagnostics) {
  Table table{.caption = "Further numbers that do not enter the decision",
              .columns = {{"Quantity"}, {"Value", ColumnKind::kNumber}}};
  std::map<std::string, Json> rest;
  ForEachLeaf(diagnostics, [&](const std::string& name, const Json& value) { rest[name] = value; });
  for (const Diagnostic& known : kDiagnostics) {
    const auto found = rest.find(known.key);
    if (found == rest.end()) continue;
    const Json& value = found->second;
    const std::string share =
        value.is_number() ? Percent(value.get<double>()) : std::string(kNoNumber);
    table.rows.push_back({known.title, known.is_share ? share : Display(value)});
    rest.erase(found);
  }
  for (const auto& [name, value] : rest) table.rows.push_back({name, Display(value)});
  return table;
}

Table FactsTable(std::string caption, const Json& facts) {
  Table table{.caption = std::move(caption), .columns = {{"Key"}, {"Value", ColumnKind::kProse}}};
  ForEachLeaf(facts, [&](const std::string& name, const Json& value) {
    const std::string text = Display(value);
    table.rows.push_back({name, text.empty() ? kNoNumber : text});
  });
  return table;
}

}  // namespace gonogo::report::internal
