// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "gonogo/base/glossary.h"
#include "gonogo/report/audit/charts.h"
#include "gonogo/report/audit/sections.h"
#include "gonogo/stats/interval.h"

/// The numbers behind the verdict.
namespace gonogo::report::internal {
namespace {

/// How the result's own points and intervals were made, and which rule's they are.
Text WhoseEstimates(const ResultNode& result, const std::vector<Rule>& rules) {
  const std::string kind = result["intervals"].text();
  std::string text =
      kind == "choices" ? "The choices are taken as they are; the intervals resample clusters."
      : kind == "folds"
          ? "Every cluster is judged by an adapter trained on the others; the intervals resample "
            "these fitted folds and leave the uncertainty of the learner out."
          : "Every cluster is judged by an adapter trained on the others; the intervals come from "
            "refits on resampled clusters.";
  if (rules.size() < 2) return text;
  return text +
         fmt::format(
             " These are the estimates of the paper's rule; those of the {} rule stand under "
             "“{}”.",
             rules[0].name == "paper" ? rules[1].name : rules[0].name,
             rules[0].name == "paper" ? "What other rules read" : "The conditions of a GO");
}

Table EstimateTable(const ResultNode& estimates, const Text& cost, bool of_rewards) {
  Table table{.caption =
                  "All estimates: the point with every cluster held out once, the interval, and "
                  "the mean of the refits",
              .columns = {{"quantity"},
                          {"point", ColumnKind::kNumber},
                          {"interval", ColumnKind::kNumber},
                          {"mean of refits", ColumnKind::kNumber},
                          {"what it is", ColumnKind::kProse}}};
  const auto add = [&](const std::string& key, const ResultNode& estimate) {
    table.rows.push_back({QuantityName(key), Percent(estimate["point"]), PercentInterval(estimate),
                          Percent(estimate["bootstrap_mean"]),
                          Capitalised(MeaningOf(key, cost, of_rewards))});
  };
  for (const GlossaryEntry& entry : kGlossary) {
    if (estimates[entry.key].is_object()) add(std::string(entry.key), estimates[entry.key]);
  }
  for (const auto& [key, estimate] : estimates.members()) {
    if (Describe(key).meaning.empty()) add(key, estimate);
  }
  return table;
}

SourcedNumber ShareOnGoSide(const ResultNode& channel, const ResultNode& replicates) {
  return {GoShare(channel, replicates.numbers()),
          fmt::format("go_share({},{})", channel.place(), replicates.place())};
}

/// How the refits of each channel are distributed.
Table ReplicateTable(const std::vector<ResultNode>& channels, const ResultNode& replicates) {
  Table table{.caption = "Distribution of the refits in numbers",
              .columns = {{"channel"},
                          {"refits", ColumnKind::kNumber},
                          {Constant("2.5 %"), ColumnKind::kNumber},
                          {Constant("25 %"), ColumnKind::kNumber},
                          {"median", ColumnKind::kNumber},
                          {Constant("75 %"), ColumnKind::kNumber},
                          {Constant("97.5 %"), ColumnKind::kNumber},
                          {"on the GO side", ColumnKind::kNumber}},
              .folded = true};
  for (const ResultNode& channel : channels) {
    const ResultNode values = replicates[channel["name"].text()];
    std::vector<double> sorted = values.numbers();
    if (sorted.empty()) continue;
    std::sort(sorted.begin(), sorted.end());
    std::vector<Cell> row{QuantityName(channel["name"].text()), Count(Size(values))};
    for (const double probability : {0.025, 0.25, 0.5, 0.75, 0.975}) {
      row.emplace_back(Percent({stats::Quantile(sorted, probability),
                                fmt::format("quantile({},{})", values.place(), probability)}));
    }
    row.emplace_back(Percent(ShareOnGoSide(channel, values), 1));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// The refits are the paper's: they belong to its estimates, whichever rule decides.
Section ReplicateSection(const ResultNode& result, const Rule& deciding) {
  Section section{.id = "refits", .title = "Refits"};
  section.blocks.push_back(Paragraph{Say(
      "For each refit the clusters were drawn anew, the learner was trained on those drawn and "
      "judged on those left out. The middle {} of a histogram are the interval of the paper's "
      "rule. Refits in blue lie on the GO side; the triangle is the estimate with every cluster "
      "held out once.",
      ShortPercent(result["level"]))});
  const ResultNode replicates = result["replicates"];
  Cards cards;
  for (const ResultNode& channel : deciding.channels) {
    const std::string key = channel["name"].text();
    const ResultNode values = replicates[key];
    const std::vector<double> numbers = values.numbers();
    if (numbers.empty()) continue;
    const std::optional<double> point = result["estimates"][key]["point"].number();
    cards.cards.push_back(
        {.title = std::string(Describe(key).title),
         .text = Say("{} of {} refits on the GO side.", Percent(ShareOnGoSide(channel, values), 1),
                     Count(Size(values))),
         .chart = ReplicateChart(channel, point ? point : channel["point"].number(), numbers)});
  }
  section.blocks.push_back(cards);
  section.blocks.push_back(ReplicateTable(deciding.channels, replicates));
  return section;
}

Table SensitivityTable(const ResultNode& sensitivity) {
  Table table{.caption = "Decision for every pair of thresholds",
              .columns = {{"gain threshold δ", ColumnKind::kNumber},
                          {"violation limit κ", ColumnKind::kNumber},
                          {"decision"}},
              .folded = true};
  for (const ResultNode& cell : sensitivity.items()) {
    table.rows.push_back(
        {Percent(cell["delta"]), Percent(cell["kappa"]), DecisionBadge(cell["decision"])});
  }
  return table;
}

Table FoldTable(const ResultNode& folds) {
  Table table{.caption = "Every held-out cluster",
              .columns = {{"cluster"},
                          {"queries", ColumnKind::kNumber},
                          {"best fixed action"},
                          {"H_total", ColumnKind::kNumber},
                          {"H_alloc", ColumnKind::kNumber},
                          {"H_dep", ColumnKind::kNumber},
                          {"q", ColumnKind::kNumber}},
              .folded = true};
  for (const ResultNode& fold : folds.items()) {
    table.rows.push_back({Quote(fold["cluster"]), Count(fold["queries"]), Quote(fold["reference"]),
                          Percent(fold["H_total"]), Percent(fold["H_alloc"]),
                          Percent(fold["H_dep"]), Percent(fold["q"])});
  }
  return table;
}

Table ResolutionTable(const ResultNode& resolution) {
  Table table{.caption = "How many clusters would bring each interval just to its threshold",
              .columns = {{"channel"}, {"clusters", ColumnKind::kNumber}, {"status"}}};
  for (const ResultNode& item : resolution.items()) {
    table.rows.push_back(
        {QuantityName(item["channel"].text()), Quote(item["clusters"]), Quote(item["status"])});
  }
  return table;
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

Table DiagnosticsTable(const ResultNode& diagnostics) {
  Table table{.caption = "Further numbers that do not enter the decision",
              .columns = {{"quantity"}, {"value", ColumnKind::kNumber}}};
  std::map<std::string, ResultNode> rest;
  diagnostics.ForEachLeaf(
      [&](const std::string& name, const ResultNode& value) { rest.emplace(name, value); });
  for (const Diagnostic& known : kDiagnostics) {
    const auto found = rest.find(known.key);
    if (found == rest.end()) continue;
    table.rows.push_back(
        {known.title, known.is_share ? Percent(found->second) : Quote(found->second)});
    rest.erase(found);
  }
  for (const auto& [name, value] : rest) table.rows.push_back({name, Quote(value)});
  return table;
}

}  // namespace

std::vector<Section> EvidenceSections(const ResultNode& result, const std::vector<Rule>& rules) {
  std::vector<Section> sections;
  const auto add = [&](const char* key, const char* title, auto make_blocks) {
    if (!result[key].filled()) return;
    sections.push_back({.id = key, .title = title, .blocks = make_blocks(result[key])});
  };
  using Blocks = std::vector<Block>;
  add("estimates", "Estimates", [&](const ResultNode& estimates) {
    return Blocks{Paragraph{WhoseEstimates(result, rules)}, EstimatesChart(estimates),
                  EstimateTable(estimates, CostName(result), IsLift(result))};
  });
  if (result["replicates"].filled()) sections.push_back(ReplicateSection(result, rules[0]));
  add("sensitivity", "Other thresholds", [&](const ResultNode& cells) {
    return Blocks{SensitivityChart(cells, result["thresholds"]), SensitivityTable(cells)};
  });
  add("folds", "Clusters", [&](const ResultNode& folds) {
    return Blocks{ClusterChart(folds), FoldTable(folds)};
  });
  add("actions", "Actions", [&](const ResultNode& actions) {
    return Blocks{ActionChart(actions), ActionTable(result)};
  });
  add("resolution", "How many clusters it would take", [&](const ResultNode& resolution) {
    return Blocks{
        Paragraph{fmt::format(
            "How many clusters would bring each bound{} to its threshold if the estimate and the "
            "spread stayed as they are. At that number the chance of a decision is about one "
            "half; plan for more.",
            rules[0].name.empty() ? "" : " of " + NameOf(rules[0]))},
        ResolutionTable(resolution)};
  });
  add("diagnostics", "Diagnostics", [&](const ResultNode& diagnostics) {
    return Blocks{Paragraph{.text = AdapterInWords(result), .name = "diagnostics"},
                  DiagnosticsTable(diagnostics)};
  });
  return sections;
}

Table FactsTable(std::string caption, const ResultNode& facts,
                 std::initializer_list<std::string_view> left_out) {
  Table table{.caption = std::move(caption), .columns = {{"key"}, {"value", ColumnKind::kProse}}};
  facts.ForEachLeaf([&](const std::string& name, const ResultNode& value) {
    const std::string_view first = std::string_view(name).substr(0, name.find('.'));
    if (std::find(left_out.begin(), left_out.end(), first) != left_out.end()) return;
    const Text text = Quote(value);
    table.rows.push_back({Text(name, name, value.place()), text.empty() ? Text("–") : text});
  });
  return table;
}

}  // namespace gonogo::report::internal
