// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/audit/result/audit_result.h"

/// What every rule says of every channel. Terminal, result.json and page print this list and work
/// nothing out themselves.
namespace gonogo::audit {

enum class IntervalEnd { kLower, kUpper };
/// "lower" or "upper".
[[nodiscard]] std::string_view Name(IntervalEnd end);

/// An end of an interval, as it is held against a threshold.
struct DecidingBound {
  IntervalEnd end = IntervalEnd::kLower;
  double value = 0.0;
};

/// One condition of a GO, as one rule reads it.
struct ChannelReading {
  std::string_view key;       ///< "H_dep"
  std::string_view question;  ///< what it answers, as a whole sentence
  /// The rule's own estimate; where it has none, that of the cross-fit.
  double point = 0.0;
  std::optional<stats::Interval> interval = {};
  double threshold = 0.0;
  bool above = true;  ///< a GO needs the quantity above the threshold (gains), else at or below it
  /// The bound that satisfied or refuted; of an unresolved channel the one a GO waits for. None
  /// without an interval, or when nothing is read.
  std::optional<DecidingBound> decided_by = {};
  /// None with fewer clusters than declared or an obstacle: then no rule reads its intervals.
  std::optional<Channel> state = {};
};

/// "> 1.00 %" or "<= 5.00 %".
[[nodiscard]] std::string Needed(const ChannelReading& reading);

/// The channels under one rule.
struct RuleReading {
  DecisionRule rule = DecisionRule::kPaper;
  bool decides = false;                 ///< the rule that the protocol declares
  std::optional<Verdict> verdict = {};  ///< none with fewer clusters than declared
  std::vector<ChannelReading> channels = {};
};

/// Every rule that was computed, the one that decides first.
[[nodiscard]] std::vector<RuleReading> ReadRules(const AuditResult& result);

}  // namespace gonogo::audit
