// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/story.h"

#include <map>
#include <optional>

#include <fmt/format.h>

#include "gonogo/report/text/number_text.h"
#include "gonogo/report/text/words.h"

namespace gonogo::report::internal {
namespace {

/// "saves 0.93 % of the cost" or "costs 1.30 % more"; `many` adapts the verb to a plural.
std::string SavedOrLost(std::optional<double> gain, bool many) {
  const bool lost = *gain < 0.0 && Percent(*gain) != Percent(0.0);
  if (lost) return fmt::format("{} {} more", many ? "cost" : "costs", Percent(-*gain));
  return fmt::format("{} {} of the cost", many ? "save" : "saves", Percent(gain));
}

/// The action without an adapter, by its own name where the result has it.
std::string ReferenceName(const Json& result) {
  std::string name = TextAt(At(result, "protocol"), "reference");
  const Json& actions = At(result, "actions");
  if (name.empty() && actions.is_array() && !actions.empty()) name = TextAt(actions[0], "name");
  return name.empty() ? "the reference action" : fmt::format("“{}”", name);
}

/// How the fixed action was chosen, and which one it was. Rules that are about the adapter which
/// would ship compare it with one action, the one that all clusters choose; the paper's chooses it
/// anew in every fold.
std::string FixedAction(const Json& result, const Rule& rule) {
  const Json& rules = At(result, "rules");
  for (std::size_t i = 0; rules.is_array() && i < rules.size(); ++i) {
    const std::string shipped = TextAt(At(rules[i], "reference"), "shipped");
    if (shipped.empty() || TextAt(rules[i], "name") != rule.name) continue;
    return fmt::format("that action is “{}”, which all clusters together choose", shipped);
  }
  std::map<std::string, std::size_t> counts;
  const Json& folds = At(result, "folds");
  if (folds.is_array()) {
    for (const Json& fold : folds) {
      const std::string name = TextAt(fold, "reference");
      if (!name.empty()) ++counts[name];
    }
  }
  std::string text = "that action was chosen anew for every cluster from the other clusters";
  if (counts.size() == 1) return text + fmt::format(" and was always “{}”", counts.begin()->first);
  std::vector<std::string> words;
  for (const auto& [name, count] : counts) {
    words.push_back(fmt::format("“{}” for {}", name, Counted(count, "cluster")));
  }
  return words.empty() ? text : fmt::format("{} ({})", text, JoinWords(words));
}

}  // namespace

bool IsChoices(const Json& result) { return TextAt(result, "source") == "choices"; }

std::vector<std::string> Story(const Json& result, const Rule& rule) {
  const Json& estimates = At(result, "estimates");
  const auto cross_fit = [&](const char* key) { return NumberAt(At(estimates, key), "point"); };
  const auto by_rule = [&](const char* key) {
    for (const Channel& channel : rule.channels) {
      if (channel.key == key && channel.point) return channel.point;
    }
    return cross_fit(key);
  };
  std::vector<std::string> paragraphs;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) paragraphs.push_back(text);
  };
  std::string found;
  const std::string who = IsChoices(result) ? "the given choices" : "the learned adapter";
  if (const auto gain = by_rule("H_total")) {
    found +=
        fmt::format("Compared with always using {}, {} {}. ", ReferenceName(result),
                    IsChoices(result) ? who : who + ", judged on clusters it was not trained on,",
                    SavedOrLost(gain, IsChoices(result)));
  }
  if (const auto gain = by_rule("H_dep")) {
    found += fmt::format("Compared with the best fixed action, {} {}; {}. ", who,
                         SavedOrLost(gain, IsChoices(result)), FixedAction(result, rule));
  }
  if (const auto gain = by_rule("H_alloc")) {
    found +=
        fmt::format("Compared with the same actions chosen as often but at random queries, {} {}. ",
                    who, SavedOrLost(gain, IsChoices(result)));
  }
  if (const auto share = by_rule("q")) {
    found +=
        fmt::format("In {} of the queries the chosen action breaks a constraint.", Percent(share));
  }
  if (!found.empty() && !rule.name.empty()) {
    found =
        fmt::format("These are the estimates of the {} rule, which decides. {}", rule.name, found);
  }
  add(found);
  std::string possible;
  if (const auto gain = cross_fit("H_avail")) {
    possible += fmt::format(
        "What could be had at most, seen in hindsight: an oracle that knew every outcome "
        "beforehand would save {} of the cost. ",
        Percent(gain));
  }
  if (const auto gain = cross_fit("H_global")) {
    possible += fmt::format(
        "One action for all clusters, picked with all outcomes in view, would save {}{}.",
        Percent(gain),
        by_rule("H_dep") ? "; the fixed action above was picked by another criterion, so the two "
                           "need not add up"
                         : "");
  }
  add(possible);
  return paragraphs;
}

}  // namespace gonogo::report::internal
