// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/internal/channel.h"

#include <algorithm>

namespace gonogo::report::internal {
namespace {

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
    channels.push_back(std::move(channel));
  }
  return channels;
}

}  // namespace

ChannelState Channel::state() const {
  if (!lower || !upper) return ChannelState::kOpen;
  if (above ? *lower > threshold : *upper <= threshold) return ChannelState::kMet;
  if (above ? *upper < threshold : *lower > threshold) return ChannelState::kFailed;
  return ChannelState::kOpen;
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

Cell DecisionBadge(const std::string& decision) {
  if (decision == "GO") return {decision, Tone::kGo};
  if (decision == "NO-GO") return {decision, Tone::kNoGo};
  return {decision.empty() ? "no decision" : decision, Tone::kOpen};
}

Cell StateBadge(ChannelState state) {
  switch (state) {
    case ChannelState::kMet:
      return {"met", Tone::kGo};
    case ChannelState::kFailed:
      return {"failed", Tone::kNoGo};
    case ChannelState::kOpen:
      break;
  }
  return {"open", Tone::kOpen};
}

}  // namespace gonogo::report::internal
