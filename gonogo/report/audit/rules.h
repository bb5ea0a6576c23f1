// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/report/page/page.h"
#include "gonogo/report/text/node.h"

/// The conditions of a GO as the result's `rules` and `channels` state them: nothing is worked out
/// here.
namespace gonogo::report::internal {

/// A rule and its conditions.
struct Rule {
  std::string name;      ///< "paper"; empty when the result does not say
  std::string decision;  ///< "GO"; empty when none was assigned
  ResultNode node;       ///< its entry in `rules`
  std::vector<ResultNode> channels = {};
};

/// The rules of a result, the one that decides first; one without channels when there are none.
[[nodiscard]] std::vector<Rule> ReadRules(const ResultNode& result);

/// The channel of that name; an empty node when the list has none.
[[nodiscard]] ResultNode ChannelNamed(const std::vector<ResultNode>& channels,
                                      std::string_view name);

/// "the calibrated rule", "the paper's rule".
[[nodiscard]] std::string NameOf(const Rule& rule);

/// Whether somebody's existing choices are audited instead of a learner.
[[nodiscard]] bool IsChoices(const ResultNode& result);

/// Whom the estimates of a rule speak of, with `given` choices or a learner's.
[[nodiscard]] std::string AboutWhom(const Rule& rule, bool given);

/// A GO needs the quantity above its threshold (gains), else at or below it (q).
[[nodiscard]] bool NeedsAbove(const ResultNode& channel);
/// "> 1.00 %", "<= 5.00 %".
[[nodiscard]] Text Needed(const ResultNode& channel);
/// The bound that has to be on the GO side.
[[nodiscard]] ResultNode GoBound(const ResultNode& channel);

/// "satisfied", "refuted", "unresolved"; "not read" where there are fewer clusters than declared.
[[nodiscard]] std::string StateOf(const ResultNode& channel);
[[nodiscard]] Cell StateBadge(const ResultNode& channel);
/// A badge for a decision; an empty word reads "no decision".
[[nodiscard]] Cell DecisionBadge(const ResultNode& decision);

/// "H_dep" in a terminal, "Deployment gain (H_dep)" on a page.
[[nodiscard]] Text QuantityName(const std::string& key);
/// What a quantity is, with the cost by its name; begins like the middle of a sentence.
[[nodiscard]] Text MeaningOf(std::string_view key, const Text& cost, bool of_rewards = false);
/// Whether gains are shares of what the reference earns instead of shares of a cost.
[[nodiscard]] bool IsLift(const ResultNode& result);
/// What the table calls its cost.
[[nodiscard]] Text CostName(const ResultNode& result);

}  // namespace gonogo::report::internal
