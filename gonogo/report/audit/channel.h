// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gonogo/report/page/page.h"
#include "gonogo/report/text/json_access.h"

namespace gonogo::report::internal {

/// What an interval says about its threshold.
enum class ChannelState {
  kSatisfied,   ///< wholly on the GO side
  kRefuted,     ///< wholly on the other side
  kUnresolved,  ///< straddles the threshold, or there is no interval
};

/// One condition of the decision, as the result states it.
struct Channel {
  std::string key;
  double threshold = 0.0;
  bool above = true;  ///< GO needs the quantity above the threshold (gains) or below it (q)
  std::optional<double> point;
  std::optional<double> lower;
  std::optional<double> upper;
  /// The bound that speaks against a GO, where the rule keeps a wider one for that side.
  std::optional<double> refuting;
  std::optional<ChannelState> stated;  ///< what the result itself says

  /// What the result says, or else the literal inequalities: L > δ or U ≤ κ satisfies, U < δ or
  /// L > κ refutes.
  [[nodiscard]] ChannelState state() const;
  /// The bound that must be on the GO side.
  [[nodiscard]] std::optional<double> satisfying_bound() const { return above ? lower : upper; }
  /// The bound that must not be wholly on the other side.
  [[nodiscard]] std::optional<double> refuting_bound() const {
    return refuting ? refuting : above ? upper : lower;
  }
};

/// The channels under one way of forming intervals.
struct Rule {
  std::string name;      ///< "paper"; empty when the result knows only one
  std::string decision;  ///< "GO"; empty when none was assigned
  std::string target;    ///< whose gain the intervals are about
  std::vector<Channel> channels;
};

/// The rules of a result, the one that decided first.
[[nodiscard]] std::vector<Rule> ReadRules(const Json& result);

/// Every channel of any rule once, as the first rule that has it states it.
[[nodiscard]] std::vector<Channel> AllChannels(const std::vector<Rule>& rules);

/// "satisfied", "refuted" or "unresolved".
[[nodiscard]] std::string Name(ChannelState state);

/// A badge for a decision; an empty word reads "no decision".
[[nodiscard]] Cell DecisionBadge(const std::string& decision);
[[nodiscard]] Cell StateBadge(ChannelState state);

}  // namespace gonogo::report::internal
