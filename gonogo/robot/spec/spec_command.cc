// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gonogo/robot/spec/spec_sections.h"

namespace gonogo::robot {
namespace {

using io::TomlNode;

bool IsChannelName(const std::string& name) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  return !name.empty() && plain(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
    return plain(c) || (c >= '0' && c <= '9');
  });
}

/// One [[command.channel]]; its limits go into the box, from its nominal value.
void ReadChannel(const TomlNode& node, RobotSpec& spec) {
  node.Require("name").Require("low").Require("high");
  CommandChannel channel;
  channel.name = node.String("name", "");
  static const std::vector<std::string> roles{"vx", "vy", "wz", "none"};
  const bool speaks = std::find(roles.begin(), roles.end(), channel.name) != roles.end();
  const std::string role = node.Choice("role", speaks ? channel.name : "none", roles);
  if (!IsChannelName(channel.name)) {
    node.Fail("name", "expected a name of small letters, digits and underscores");
  }
  for (const char* taken : {"direct", "scale", "heading", "yaw", "none"}) {
    if (channel.name == taken) node.Fail("name", fmt::format("'{}' means something else", taken));
  }
  if (FindChannel(spec.channels, channel.name) != nullptr) {
    node.Fail("name", fmt::format("there are two channels called {}", channel.name));
  }
  const double low = node.Number("low", 0.0);
  const double high = node.Number("high", 0.0);
  channel.slot =
      static_cast<std::size_t>(std::find(roles.begin(), roles.end(), role) - roles.begin());
  if (channel.is_velocity()) {
    for (const char* key : {"nominal", "candidates"}) {
      if (node.Has(key)) node.Fail(key, "a channel with a role is given by the task");
    }
    for (const CommandChannel& other : spec.channels) {
      if (other.slot == channel.slot) {
        node.Fail("role", fmt::format("{} and {} have the same role", other.name, channel.name));
      }
    }
  } else {
    for (const CommandChannel& other : spec.channels) {
      channel.slot = std::max(channel.slot, other.slot + 1);
    }
    channel.nominal = node.Require("nominal").NumberIn("nominal", low, low, high);
    channel.candidates = node.Numbers("candidates", {});
    for (const double value : channel.candidates) {
      if (value >= low && value <= high) continue;
      node.Fail("candidates", fmt::format("{} is outside of {} to {}", value, low, high));
    }
  }
  if (low > high) node.Fail("low", fmt::format("{} exceeds high = {}", low, high));
  if (channel.slot >= 3 + Command::kMostExtra) {
    node.Fail("name", fmt::format("more than {} channels without a role", Command::kMostExtra));
    return;
  }
  channel.Set(spec.command_box.low, low);
  channel.Set(spec.command_box.high, high);
  spec.channels.push_back(std::move(channel));
}

void ReadChannels(const TomlNode& node, RobotSpec& spec) {
  for (const char* key : {"low", "high"}) {
    if (node.Has(key)) node.Fail(key, "every [[command.channel]] has its own");
  }
  spec.channels.clear();
  spec.command_box = {Command{}, Command{}};  // a velocity that is no channel is never asked for
  for (const TomlNode& channel : node.Tables("channel")) ReadChannel(channel, spec);
  std::size_t candidates = 0;
  for (const CommandChannel& channel : spec.channels) candidates += channel.candidates.size();
  if (candidates > CommandChannel::kMostCandidates) {
    node.Fail("channel", fmt::format("has {} candidates in all, expected at most {}", candidates,
                                     CommandChannel::kMostCandidates));
  }
}

}  // namespace

void ReadCommand(const TomlNode& node, RobotSpec& spec) {
  spec.direct.k_v = node.NumberIn("k_v", spec.direct.k_v, 0.0, 100.0);
  spec.direct.k_psi = node.NumberIn("k_psi", spec.direct.k_psi, 0.0, 100.0);
  if (node.Has("channel")) {
    ReadChannels(node, spec);
    return;
  }
  const std::vector<double> low = node.NumbersFor("low", 3, {-1, -1, -1});
  const std::vector<double> high = node.NumbersFor("high", 3, {1, 1, 1});
  spec.command_box = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
  for (std::size_t i = 0; i < 3; ++i) {
    if (low[i] > high[i]) node.Fail("low", "exceeds command.high");
  }
}

CommandedFrequency ReadFrequency(const TomlNode& node, const RobotSpec& spec) {
  const std::string name = node.String("frequency", "");
  const CommandChannel* channel = FindChannel(spec.channels, name);
  if (channel == nullptr || channel->is_velocity()) {
    node.Fail("frequency", fmt::format("no channel of the command without a role is called \"{}\"; "
                                       "[[command.channel]] has {}",
                                       name, ChannelNames(spec.channels)));
    return {};
  }
  const double least = channel->Of(spec.command_box.low);
  if (!(least > 0.0)) {
    node.Fail("frequency",
              fmt::format("the channel \"{}\" goes down to {}, expected a positive low, in Hz",
                          name, least));
  }
  return {channel->slot, channel->nominal, least};
}

}  // namespace gonogo::robot
