// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/channel.h"

#include <algorithm>

namespace gonogo::report::internal {
namespace {

ChannelState StateNamed(const std::string& name) {
  for (const ChannelState state :
       {ChannelState::kSatisfied, ChannelState::kRefuted, ChannelState::kUnresolved}) {
    if (name == Name(state)) return state;
  }
  return ChannelState::kNotRead;
}

Channel ChannelFrom(const Json& item) {
  const Json& decided_by = At(item, "decided_by");
  return {.key = TextAt(item, "name"),
          .question = TextAt(item, "question"),
          .threshold = NumberAt(item, "threshold").value_or(0.0),
          .above = TextAt(item, "direction", "above") == "above",
          .point = NumberAt(item, "point"),
          .lower = NumberAt(item, "lower"),
          .upper = NumberAt(item, "upper"),
          .deciding_end = TextAt(decided_by, "end"),
          .deciding_bound = NumberAt(decided_by, "value"),
          .state = StateNamed(TextAt(item, "state"))};
}

/// The rule of that name, which is added when it is not there yet.
Rule& RuleNamed(const std::string& name, std::vector<Rule>& rules) {
  const auto known =
      std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.name == name; });
  return known != rules.end() ? *known : rules.emplace_back(Rule{.name = name});
}

}  // namespace

std::vector<Rule> ReadRules(const Json& result) {
  std::vector<Rule> rules;
  if (const std::string deciding = TextAt(result, "rule"); !deciding.empty()) {
    rules.push_back({.name = deciding, .decision = TextAt(result, "decision")});
  }
  if (At(result, "rules").is_array()) {
    for (const Json& item : At(result, "rules")) {
      Rule& rule = RuleNamed(TextAt(item, "name"), rules);
      rule.decision = TextAt(item, "decision");
      rule.target = TextAt(item, "target");
    }
  }
  if (At(result, "channels").is_array()) {
    for (const Json& item : At(result, "channels")) {
      RuleNamed(TextAt(item, "rule"), rules).channels.push_back(ChannelFrom(item));
    }
  }
  if (rules.empty()) rules.push_back({.decision = TextAt(result, "decision")});
  return rules;
}

std::vector<Channel> AllChannels(const std::vector<Rule>& rules) {
  std::vector<Channel> all;
  for (const Rule& rule : rules) {
    for (const Channel& channel : rule.channels) {
      const auto known = std::find_if(
          all.begin(), all.end(), [&](const Channel& other) { return other.key == channel.key; });
      if (known == all.end()) all.push_back(channel);
    }
  }
  return all;
}

Cell DecisionBadge(const std::string& decision) {
  if (decision == "GO") return {decision, Tone::kGo};
  if (decision == "NO-GO") return {decision, Tone::kNoGo};
  return {decision.empty() ? "no decision" : decision, Tone::kOpen};
}

std::string Name(ChannelState state) {
  switch (state) {
    case ChannelState::kSatisfied:
      return "satisfied";
    case ChannelState::kRefuted:
      return "refuted";
    case ChannelState::kUnresolved:
      return "unresolved";
    case ChannelState::kNotRead:
      break;
  }
  return "not read";
}

Cell StateBadge(ChannelState state) {
  switch (state) {
    case ChannelState::kSatisfied:
      return {Name(state), Tone::kGo};
    case ChannelState::kRefuted:
      return {Name(state), Tone::kNoGo};
    case ChannelState::kUnresolved:
    case ChannelState::kNotRead:
      break;
  }
  return {Name(state), Tone::kOpen};
}

}  // namespace gonogo::report::internal
