// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "gonogo/base/glossary.h"

namespace gonogo::report::internal {
namespace {

/// The rule of that name, which is added when it is not there yet.
Rule& RuleNamed(const std::string& name, const ResultNode& node, std::vector<Rule>& rules) {
  const auto known =
      std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.name == name; });
  return known != rules.end() ? *known : rules.emplace_back(Rule{name, "", node});
}

}  // namespace

std::vector<Rule> ReadRules(const ResultNode& result) {
  const ResultNode none = result["rules"]["none"];
  std::vector<Rule> rules;
  if (const std::string deciding = result["rule"].text(); !deciding.empty()) {
    rules.push_back({deciding, result["decision"].text(), none});
  }
  for (const ResultNode& item : result["rules"].items()) {
    Rule& rule = RuleNamed(item["name"].text(), item, rules);
    rule.node = item;
    rule.decision = item["decision"].text();
  }
  for (const ResultNode& item : result["channels"].items()) {
    RuleNamed(item["rule"].text(), none, rules).channels.push_back(item);
  }
  if (rules.empty()) rules.push_back({"", result["decision"].text(), none});
  return rules;
}

ResultNode ChannelNamed(const std::vector<ResultNode>& channels, std::string_view name) {
  static const Json kNull;
  const auto found = std::find_if(channels.begin(), channels.end(), [&](const ResultNode& channel) {
    return channel["name"] == name;
  });
  return found == channels.end() ? ResultNode(kNull) : *found;
}

std::string NameOf(const Rule& rule) {
  return rule.name == "paper" ? "the paper's rule" : fmt::format("the {} rule", rule.name);
}

bool IsChoices(const ResultNode& result) { return result["source"] == "choices"; }

std::string AboutWhom(const Rule& rule, bool given) {
  if (rule.name != "paper") {
    return given ? "about the adapter that made the choices"
                 : "about the adapter that would be shipped, trained on all clusters";
  }
  return given ? "about the choices as they are"
               : "about adapters that are trained on some of the clusters and judged on the others";
}

bool NeedsAbove(const ResultNode& channel) { return channel["direction"].text("above") == "above"; }

Text Needed(const ResultNode& channel) {
  return (NeedsAbove(channel) ? Text("> ") : Text("<= ", "≤ ", "")) + Percent(channel["threshold"]);
}

ResultNode GoBound(const ResultNode& channel) {
  return channel[NeedsAbove(channel) ? "lower" : "upper"];
}

std::string StateOf(const ResultNode& channel) {
  for (const char* state : {"satisfied", "refuted", "unresolved"}) {
    if (channel["state"] == state) return state;
  }
  return "not read";
}

Cell StateBadge(const ResultNode& channel) {
  const std::string state = StateOf(channel);
  if (state == "not read") return {Text("", state, ""), Tone::kOpen};
  return {state, state == "satisfied" ? Tone::kGo : state == "refuted" ? Tone::kNoGo : Tone::kOpen};
}

Cell DecisionBadge(const ResultNode& decision) {
  const std::string word = decision.text();
  return {word.empty() ? "no decision" : word, word == "GO"      ? Tone::kGo
                                               : word == "NO-GO" ? Tone::kNoGo
                                                                 : Tone::kOpen};
}

Text QuantityName(const std::string& key) {
  const std::string title(Describe(key).title);
  return title == key ? Text(key) : Text(key, fmt::format("{} ({})", title, key), "");
}

Text MeaningOf(std::string_view key, const Text& cost, bool of_rewards) {
  Text out;
  const GlossaryEntry entry = Describe(key);
  std::string_view meaning = of_rewards && !entry.lift.empty() ? entry.lift : entry.meaning;
  constexpr std::string_view kCost = "{cost}";
  for (std::size_t at = meaning.find(kCost); at != std::string_view::npos;
       at = meaning.find(kCost)) {
    out += std::string(meaning.substr(0, at));
    out += cost;
    meaning.remove_prefix(at + kCost.size());
  }
  return out += std::string(meaning);
}

bool IsLift(const ResultNode& result) { return result["scale"] == "lift"; }

Text CostName(const ResultNode& result) {
  const ResultNode keys = result["protocol"]["declared"];
  if (!keys["table.objective"].text().empty()) return "objective";
  const bool of_rewards = !keys["table.reward"].text().empty();
  const ResultNode declared = keys[of_rewards ? "table.reward" : "table.cost"];
  std::string name = declared.text();
  if (name.size() < 3) return "cost";
  if (name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
  return {name, name, declared.place()};
}

}  // namespace gonogo::report::internal
