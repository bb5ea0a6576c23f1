// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/glossary.h"
#include "gonogo/report/audit/charts.h"
#include "gonogo/report/audit/sections.h"

/// The conditions of a GO and how firmly the rules stand behind them.
namespace gonogo::report::internal {
namespace {

/// Question, meaning and interval of a channel in sentences.
Text ReadChannel(const ResultNode& channel, const Text& cost, bool of_rewards) {
  Text text = Quote(channel["question"]);
  if (const Text meaning = MeaningOf(channel["name"].text(), cost, of_rewards); !meaning.empty()) {
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
    // Its interval is the paper's rule's, and no other rule's numbers stand beside it.
    const bool own = deciding.name == "paper" || deciding.name.empty();
    table.rows.push_back({QuantityName(key), std::string(Describe(key).question),
                          Percent(estimate["point"]), own ? PercentInterval(estimate) : Text("–"),
                          "", "", ""});
  }
  return table;
}

/// The words of the table for somebody who meets them here first.
Text Glossary(const ResultNode& result) {
  const Text cost = CostName(result);
  Text text;
  for (const char* key : {"H_dep", "H_alloc", "q"}) {
    text += Say("{}: {}; ", key, MeaningOf(key, cost, IsLift(result)));
  }
  return text + Say("query: one choice to make; action: what can be chosen; reference: the action "
                    "without an adapter ({}); cluster: queries that belong together and are "
                    "resampled together ({}).",
                    Quote(result["protocol"]["reference"]), Quote(result["protocol"]["cluster"]));
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

/// What stands behind the bounds of the rule that decides.
Text BehindTheBounds(const ResultNode& result, const Rule& deciding) {
  if (deciding.name == "paper") return "";
  Text text;
  if (const ResultNode look = result["look_share"]; look.is_object()) {
    const bool beyond = look["look"].number().value_or(0.0) > look["looks"].number().value_or(0.0);
    text += Say(
        "This is look {} at the data, {} {} declared; {} spends {} of its one-sided error on it. ",
        Count(look["look"]), beyond ? "beyond the" : "of", Count(look["looks"]), NameOf(deciding),
        Percent(look["alpha"]));
  }
  if (!result["log"].is_object()) text += ViolationsWithinClusters(deciding);
  if (const ResultNode flips = deciding.node["flip_rate"]; flips.number()) {
    text += Say("Another bootstrap seed would decide otherwise in {} of cases.", Percent(flips));
  }
  return text;
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

/// What a rule says about itself, how firmly its bounds stand, and where its allocation gain comes
/// from.
void AddTrust(const ResultNode& rule, Section& section) {
  if (rule["trust"].filled()) section.blocks.push_back(List{Quotes(rule["trust"])});
  Table stability = StabilityTable(rule["channels"]);
  if (!stability.rows.empty()) section.blocks.push_back(std::move(stability));
  if (rule["allocation"].is_object()) section.blocks.push_back(SplitTable(rule["allocation"]));
}

}  // namespace

Section ChannelSection(const ResultNode& result, const Rule& deciding) {
  Section section{.id = "channels", .title = "The conditions of a GO"};
  const Text cost = CostName(result);
  Cards cards;
  for (const ResultNode& channel : deciding.channels) {
    cards.cards.push_back({.title = std::string(Describe(channel["name"].text()).title),
                           .badge = StateBadge(channel),
                           .text = ReadChannel(channel, cost, IsLift(result)),
                           .chart = ChannelChart({deciding}, channel)});
  }
  section.blocks.push_back(cards);
  section.blocks.push_back(DecidingTable(result, deciding));
  section.blocks.push_back(Paragraph{.text = Glossary(result), .name = "glossary"});
  if (Text behind = BehindTheBounds(result, deciding); !behind.empty()) {
    section.blocks.push_back(Paragraph{.text = std::move(behind), .name = "rules"});
  }
  return section;
}

std::optional<Section> OtherRulesSection(const ResultNode& result, const std::vector<Rule>& rules) {
  if (rules.size() < 2) return std::nullopt;
  Section section{.id = "other-rules", .title = "What other rules read"};
  section.blocks.push_back(Paragraph{
      Say("None of this decides: {} does. Rules may differ because their estimates are about "
          "different adapters, and because each allows for other errors.",
          NameOf(rules[0]))});
  if (const ResultNode why = result["why_this_rule"]; !why.text().empty()) {
    section.blocks.push_back(Paragraph{Quote(why)});
  }
  const bool given = IsChoices(result);
  for (std::size_t i = 1; i < rules.size(); ++i) {
    const Rule& rule = rules[i];
    Table table = EmptyTable(
        rule.decision.empty()
            ? Say("The conditions by {}, {}", NameOf(rule), AboutWhom(rule, given))
            : Say("{} would read {}; its estimates are {}", Capitalised(Text(NameOf(rule))),
                  rule.decision, AboutWhom(rule, given)));
    AddChannels(rule, table);
    section.blocks.push_back(std::move(table));
    AddTrust(rule.node, section);
  }
  return section;
}

std::optional<Section> TrustSection(const Rule& deciding) {
  Section section{.id = "trust", .title = "How far to trust it"};
  AddTrust(deciding.node, section);
  if (section.blocks.empty()) return std::nullopt;
  return section;
}

}  // namespace gonogo::report::internal
