// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/channel.h"

#include <algorithm>

namespace gonogo::report::internal {
namespace {

std::optional<ChannelState> StateNamed(const std::string& name) {
  for (const ChannelState state :
       {ChannelState::kSatisfied, ChannelState::kRefuted, ChannelState::kUnresolved}) {
    if (name == Name(state)) return state;
  }
  return std::nullopt;
}

std::vector<Channel> ReadChannels(const Json& list, const Json& estimates) {
  std::vector<Channel> channels;
  if (!list.is_array()) return channels;
  for (const Json& item : list) {
    Channel channel{.key = TextAt(item, "name")};
    channel.threshold = NumberAt(item, "threshold").value_or(0.0);
    channel.above = TextAt(item, "direction", "above") == "above";
    channel.point = NumberAt(item, "point");
    if (!channel.point) channel.point = NumberAt(At(estimates, channel.key), "point");
    channel.lower = NumberAt(item, "lower");
    channel.upper = NumberAt(item, "upper");
    channel.refuting = NumberAt(item, channel.above ? "refuting_upper" : "refuting_lower");
    channel.stated = StateNamed(TextAt(item, "state"));
    channels.push_back(std::move(channel));
  }
  return channels;
}

}  // namespace

ChannelState Channel::state() const {
  if (stated) return *stated;
  if (!lower || !upper) return ChannelState::kUnresolved;
  if (above ? *lower > threshold : *upper <= threshold) return ChannelState::kSatisfied;
  const double bound = *refuting_bound();
  if (above ? bound < threshold : bound > threshold) return ChannelState::kRefuted;
  return ChannelState::kUnresolved;
}

std::vector<Rule> ReadRules(const Json& result) {
  std::vector<Rule> rules;
  const Json& estimates = At(result, "estimates");
  if (At(result, "rules").is_array()) {
    for (const Json& item : At(result, "rules")) {
      rules.push_back({.name = TextAt(item, "name"),
                       .decision = TextAt(item, "decision"),
                       .target = TextAt(item, "target"),
                       .channels = ReadChannels(At(item, "channels"), estimates)});
    }
  }
  if (rules.empty()) {
    rules.push_back({.name = TextAt(result, "rule"),
                     .decision = TextAt(result, "decision"),
                     .channels = ReadChannels(At(result, "channels"), estimates)});
  }
  const std::string deciding = TextAt(result, "rule");
  std::stable_partition(rules.begin(), rules.end(),
                        [&](const Rule& rule) { return rule.name == deciding; });
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
      break;
  }
  return "unresolved";
}

Cell StateBadge(ChannelState state) {
  switch (state) {
    case ChannelState::kSatisfied:
      return {Name(state), Tone::kGo};
    case ChannelState::kRefuted:
      return {Name(state), Tone::kNoGo};
    case ChannelState::kUnresolved:
      break;
  }
  return {Name(state), Tone::kOpen};
}

}  // namespace gonogo::report::internal
