// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

/// The quantities of an audit in words, named once: results carry the questions, terminal and page
/// explain with the rest. It lies here because `audit` and `report` do not know each other.
namespace gonogo {

struct GlossaryEntry {
  std::string_view key;       ///< in results: "H_dep"
  std::string_view title;     ///< "Deployment gain"
  std::string_view question;  ///< that it answers, as a whole sentence
  std::string_view meaning;   ///< begins like the middle of a sentence; "{cost}" is the cost's name
  std::string_view lift = {};  ///< the meaning where "{cost}" is a reward; empty: the same
};

/// From what could be saved to what it costs: the order in which a page lists them.
inline constexpr std::array kGlossary{
    GlossaryEntry{"H_avail", "Available headroom", "What could a perfect choice save?",
                  "share of the {cost} that an oracle, which knows all outcomes, would save",
                  "what an oracle, which knows all outcomes, would gain over the reference, as a "
                  "share of the {cost} of the reference"},
    GlossaryEntry{"H_model", "Gain of following the models",
                  "What would following the models save?",
                  "share of the {cost} that choosing the action with the lowest predicted {cost} "
                  "would save: no more than the best choice could, which a log does not show",
                  "what choosing the action with the highest predicted {cost} would gain over the "
                  "reference, as a share of the {cost} of the reference: no more than the best "
                  "choice could, which a log does not show"},
    GlossaryEntry{"H_global", "Global gain", "What would one fixed action save?",
                  "share of the {cost} that one action, used at every query and picked with all "
                  "outcomes in view, saves",
                  "what one action, used at every query and picked with all outcomes in view, "
                  "gains over the reference, as a share of the {cost} of the reference"},
    GlossaryEntry{"H_total", "Total gain", "Does the adapter beat the reference?",
                  "share saved against always using the reference action",
                  "gain over always using the reference action, as a share of its {cost}"},
    GlossaryEntry{"H_alloc", "Allocation gain", "Does the adapter beat random choices?",
                  "share saved against the same actions, chosen as often but at random queries",
                  "gain over the same actions, chosen as often but at random queries, as a share "
                  "of the {cost} of the reference"},
    GlossaryEntry{"H_dep", "Deployment gain", "Does the adapter beat any fixed action?",
                  "share of the {cost} saved against the best fixed action",
                  "gain over the best fixed action, as a share of the {cost} of the reference"},
    GlossaryEntry{"q", "Violation rate", "Does the adapter break constraints?",
                  "share of choices that break a constraint"}};

/// The entry of `key`; an unknown one is its own title and has neither question nor meaning.
[[nodiscard]] constexpr GlossaryEntry Describe(std::string_view key) {
  for (const GlossaryEntry& entry : kGlossary) {
    if (entry.key == key) return entry;
  }
  return {key, key, "", ""};
}

}  // namespace gonogo
