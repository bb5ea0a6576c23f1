// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gonogo/report/page/page.h"
#include "gonogo/report/text/json_access.h"

namespace gonogo::report::internal {

/// What the result says of a channel.
enum class ChannelState {
  kSatisfied,   ///< wholly on the GO side
  kRefuted,     ///< wholly on the other side
  kUnresolved,  ///< straddles the threshold, or there is no interval
  kNotRead,     ///< with fewer clusters than declared no rule reads its intervals
};

/// One condition of the decision, as the result's `channels` state it: nothing is worked out here.
struct Channel {
  std::string key;
  std::string question = {};  ///< what it answers
  double threshold = 0.0;
  bool above = true;  ///< GO needs the quantity above the threshold (gains) or below it (q)
  std::optional<double> point = {};
  std::optional<double> lower = {};
  std::optional<double> upper = {};
  std::string deciding_end = {};              ///< "lower" or "upper"; empty when none decided
  std::optional<double> deciding_bound = {};  ///< its value, as the rule held it to the threshold
  ChannelState state = ChannelState::kNotRead;

  /// The bound that must be on the GO side.
  [[nodiscard]] std::optional<double> satisfying_bound() const { return above ? lower : upper; }
};

/// The channels under one way of forming intervals.
struct Rule {
  std::string name = {};      ///< "paper"; empty when the result does not say
  std::string decision = {};  ///< "GO"; empty when none was assigned
  std::string target = {};    ///< whose gain the intervals are about
  std::vector<Channel> channels = {};
};

/// The rules of a result with their channels, the one that decides first; one rule without channels
/// when the result lists none.
[[nodiscard]] std::vector<Rule> ReadRules(const Json& result);

/// Every channel of any rule once, as the first rule that has it states it.
[[nodiscard]] std::vector<Channel> AllChannels(const std::vector<Rule>& rules);

/// "satisfied", "refuted", "unresolved" or "not read".
[[nodiscard]] std::string Name(ChannelState state);

/// A badge for a decision; an empty word reads "no decision".
[[nodiscard]] Cell DecisionBadge(const std::string& decision);
[[nodiscard]] Cell StateBadge(ChannelState state);

}  // namespace gonogo::report::internal
