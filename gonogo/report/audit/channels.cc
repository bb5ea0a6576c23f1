// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gonogo/base/glossary.h"
#include "gonogo/report/audit/charts.h"
#include "gonogo/report/audit/sections.h"

/// The conditions of a GO and how firmly the rules stand behind them.
namespace gonogo::report::internal {
namespace {

/// Every channel of any rule once, as the first rule that has it states it.
std::vector<ResultNode> AllChannels(const std::vector<Rule>& rules) {
  std::vector<ResultNode> all;
  for (const Rule& rule : rules) {
    for (const ResultNode& channel : rule.channels) {
      if (ChannelNamed(all, channel["name"].text()).json().is_null()) all.push_back(channel);
    }
  }
  return all;
}

/// Question, meaning and interval of a channel in sentences.
Text ReadChannel(const ResultNode& channel, const Text& cost) {
  Text text = Quote(channel["question"]);
  if (const Text meaning = MeaningOf(channel["name"].text(), cost); !meaning.empty()) {
    text += " " + Capitalised(meaning) + ".";
  }
  if (!channel["lower"].number() || !channel["upper"].number()) {
    return text + " There is no interval.";
  }
  return text + Say(" Estimated at {}, between {} and {}.", Percent(channel["point"]),
                    Percent(channel["lower"]), Percent(channel["upper"]));
}

Table EmptyTable(Text caption) {
  return {.caption = std::move(caption),
          .columns = {{"channel"},
                      {"question"},
                      {"point", ColumnKind::kNumber},
                      {"interval", ColumnKind::kNumber},
                      {"needed", ColumnKind::kNumber},
                      {"decided by"},
                      {.title = "state", .untitled_in_text = true}},
          .left_out = {5},  // it repeats an end of the interval
          .below = 1};
}

void AddChannels(const Rule& rule, Table& table) {
  for (const ResultNode& channel : rule.channels) {
    const ResultNode bound = channel["decided_by"];
    table.rows.push_back(
        {QuantityName(channel["name"].text()), Quote(channel["question"]),
         Percent(channel["point"]), PercentInterval(channel), Needed(channel),
         bound.is_object() ? Say("{} {}", bound["end"].text(), Percent(bound["value"])) : Text(),
         StateBadge(channel)});
  }
}

/// The rule that decides, and what is reported beside its conditions.
Table DecidingTable(const ResultNode& result, const Rule& deciding) {
  Table table = EmptyTable(
      Say("The conditions of a GO by {}, and the bound that decided each", NameOf(deciding)));
  table.name = "channels";
  AddChannels(deciding, table);
  for (const char* key : {"H_total", "H_global", "H_model", "H_avail"}) {
    const ResultNode estimate = result["estimates"][key];
    const bool is_channel = !ChannelNamed(deciding.channels, key).json().is_null();
    if (is_channel || !estimate.is_object()) continue;
    table.rows.push_back({QuantityName(key), std::string(Describe(key).question),
                          Percent(estimate["point"]), PercentInterval(estimate), "", "", ""});
  }
  return table;
}

/// The words of the table for somebody who meets them here first.
Text Glossary(const ResultNode& result) {
  const Text cost = CostName(result);
  Text text;
  for (const char* key : {"H_dep", "H_alloc", "q"}) {
    text += Say("{}: {}; ", key, MeaningOf(key, cost));
  }
  return text + Say("query: one choice to make; action: what can be chosen; reference: the action "
                    "without an adapter ({}); cluster: queries that belong together and are "
                    "resampled together ({}).",
                    Quote(result["protocol"]["reference"]), Quote(result["protocol"]["cluster"]));
}

/// "H_dep 1.20 % [0.80, 1.60] %, …" for every channel of a rule.
Text EstimatesOf(const Rule& rule) {
  Text text;
  for (const ResultNode& channel : rule.channels) {
    text += Say("{}{} ", text.empty() ? "" : ", ", channel["name"].text());
    if (channel["lower"].number()) text += Percent(channel["point"]) + " ";
    text += PercentInterval(channel);
  }
  return text;
}

const Rule* RuleCalled(std::string_view name, const std::vector<Rule>& rules) {
  const auto found =
      std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.name == name; });
  return found == rules.end() ? nullptr : &*found;
}

/// The condition under which the upper bound of q holds, and what the data say about it.
Text ViolationsWithinClusters(const Rule& rule) {
  const ResultNode q = ChannelNamed(rule.node["channels"].items(), "q");
  const ResultNode assumed = q["assumed_icc"];
  if (!assumed.is_object()) return "";
  return Say(
      "Violations within a cluster: correlation {} seen, at least {} assumed ({} without a "
      "violation). ",
      Decimals(q["seen_icc"], 3), Decimals(assumed["least"], 3),
      Decimals(assumed["without_violations"], 3));
}

/// The rules side by side: they have different targets, and a reader should see where they
/// disagree.
Paragraph ComparedRules(const ResultNode& result, const std::vector<Rule>& rules) {
  const bool given = result["intervals"] == "choices";
  const Rule* pairs = RuleCalled("leave-pair-out", rules);
  const Rule* calibrated = RuleCalled("calibrated", rules);
  Text others;
  bool agree = true;
  for (std::size_t i = 1; i < rules.size(); ++i) {
    agree = agree && rules[i].decision == rules[0].decision;
    others += Say("; {} reads {}", NameOf(rules[i]), rules[i].decision);
  }
  Text text = Say("The rules {}: {}, which decides, reads {}{}. ", agree ? "agree" : "disagree",
                  NameOf(rules[0]), rules[0].decision, others);
  for (std::size_t i = 1; i < rules.size(); ++i) {
    text += Say("Estimates of {}, {}: {}. ", NameOf(rules[i]), AboutWhom(rules[i], given),
                EstimatesOf(rules[i]));
  }
  if (const ResultNode look = result["look_share"]; look.is_object()) {
    const bool beyond = look["look"].number().value_or(0.0) > look["looks"].number().value_or(0.0);
    text +=
        Say("This is look {} at the data, {} {} declared; the {} rule spends {} of its "
            "one-sided error on it. ",
            Count(look["look"]), beyond ? "beyond the" : "of", Count(look["looks"]),
            pairs != nullptr ? "leave-pair-out" : "calibrated", Percent(look["alpha"]));
  }
  const Rule* counts = pairs != nullptr ? pairs : calibrated;
  if (!result["log"].is_object() && counts != nullptr) text += ViolationsWithinClusters(*counts);
  if (calibrated != nullptr) {
    text += Say("Another bootstrap seed would decide otherwise in {} of cases{}.",
                Percent(calibrated->node["flip_rate"]),
                pairs != nullptr ? " by the calibrated rule" : "");
  }
  return {.text = text, .tone = agree ? Tone::kPlain : Tone::kWarn, .name = "rules"};
}

Table StabilityTable(const ResultNode& channels) {
  Table table{.caption =
                  "How firmly the bounds stand: standard error, Monte-Carlo error of each "
                  "bound, and the range of the estimate when any one cluster is left out",
              .columns = {{"channel"},
                          {"standard error", ColumnKind::kNumber},
                          {"error of the lower bound", ColumnKind::kNumber},
                          {"error of the upper bound", ColumnKind::kNumber},
                          {"without any one cluster", ColumnKind::kNumber}}};
  for (const ResultNode& channel : channels.items()) {
    if (!channel["se"].number()) continue;
    const ResultNode range = channel["drop_one"];
    table.rows.push_back({QuantityName(channel["name"].text()), Percent(channel["se"]),
                          Percent(channel["lower_mc_error"]), Percent(channel["upper_mc_error"]),
                          PercentInterval(range[0], range[1])});
  }
  return table;
}

Table SplitTable(const ResultNode& allocation) {
  Table table{.caption = "Where the allocation gain comes from",
              .columns = {{"choices that differ"},
                          {"point", ColumnKind::kNumber},
                          {"interval", ColumnKind::kNumber}}};
  for (const auto& [key, part] : allocation.members()) {
    table.rows.push_back({key + " clusters", Percent(part["point"]), PercentInterval(part)});
  }
  return table;
}

}  // namespace

Section ChannelSection(const ResultNode& result, const std::vector<Rule>& rules) {
  Section section{.id = "channels", .title = "The conditions of a GO"};
  const Text cost = CostName(result);
  Cards cards;
  for (const ResultNode& channel : AllChannels(rules)) {
    cards.cards.push_back({.title = std::string(Describe(channel["name"].text()).title),
                           .badge = StateBadge(channel),
                           .text = ReadChannel(channel, cost),
                           .chart = ChannelChart(rules, channel)});
  }
  section.blocks.push_back(cards);
  section.blocks.push_back(DecidingTable(result, rules[0]));
  section.blocks.push_back(Paragraph{.text = Glossary(result), .name = "glossary"});
  for (std::size_t i = 1; i < rules.size(); ++i) {
    Table table = EmptyTable(Say("The same by {}, which decides nothing here", NameOf(rules[i])));
    AddChannels(rules[i], table);
    section.blocks.push_back(std::move(table));
  }
  for (const Rule& rule : rules) {
    if (rule.node["target"].text().empty()) continue;
    section.blocks.push_back(Paragraph{
        Say("The intervals of {} are about {}.", NameOf(rule), Quote(rule.node["target"]))});
  }
  if (rules.size() > 1 && !rules[0].decision.empty()) {
    section.blocks.push_back(ComparedRules(result, rules));
  }
  return section;
}

std::optional<Section> TrustSection(const ResultNode& rules) {
  Section section{.id = "trust", .title = "How far to trust it"};
  for (const ResultNode& rule : rules.items()) {
    if (rule["trust"].filled()) section.blocks.push_back(List{Quotes(rule["trust"])});
    Table stability = StabilityTable(rule["channels"]);
    if (!stability.rows.empty()) section.blocks.push_back(std::move(stability));
    if (rule["allocation"].is_object()) section.blocks.push_back(SplitTable(rule["allocation"]));
  }
  if (section.blocks.empty()) return std::nullopt;
  return section;
}

}  // namespace gonogo::report::internal
