// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/audit_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "gonogo/report/audit/audit_charts.h"
#include "gonogo/report/audit/audit_reading.h"
#include "gonogo/report/audit/audit_tables.h"
#include "gonogo/report/audit/channel_charts.h"
#include "gonogo/report/audit/control_blocks.h"
#include "gonogo/report/audit/estimand.h"
#include "gonogo/report/audit/sections/choice_map_section.h"
#include "gonogo/report/audit/sections/log_section.h"
#include "gonogo/report/audit/sections/path_section.h"
#include "gonogo/report/audit/sections/trust_section.h"
#include "gonogo/report/audit/story.h"
#include "gonogo/report/text/number_text.h"
#include "gonogo/report/text/words.h"

namespace gonogo::report {
namespace {

using namespace internal;  // NOLINT(google-build-using-namespace): this file is its only reader

bool Filled(const Json& value) { return (value.is_array() || value.is_object()) && !value.empty(); }

/// Notes of the result begin like the middle of a sentence; a paragraph does not. The name of a
/// key, such as learner.kind, stays as it is.
std::string Capitalised(std::string text) {
  const bool is_key = text.substr(0, text.find(' ')).find('.') != std::string::npos;
  if (!text.empty() && !is_key && text[0] >= 'a' && text[0] <= 'z') text[0] -= 'a' - 'A';
  return text;
}

void AddTexts(const Json& texts, Tone tone, Section& section) {
  if (!texts.is_array()) return;
  for (const Json& text : texts) {
    section.blocks.push_back(Paragraph{Capitalised(Display(text)), tone});
  }
}

bool IsSatisfied(const Rule& rule) {
  return std::all_of(rule.channels.begin(), rule.channels.end(), [](const Channel& channel) {
    return channel.state == ChannelState::kSatisfied;
  });
}

/// Where the adapter is to be used: new clusters unless the result says otherwise.
std::string WhichQuestion(const Json& result) {
  const std::string asked = TextAt(result, "question");
  if (asked.starts_with("The question is about")) return asked;
  return fmt::format(
      "The question is about clusters that nobody has seen yet: whole ones are held out, each one "
      "{}."
      "{}{}",
      TextAt(At(result, "protocol"), "cluster", "cluster"), asked.empty() ? "" : " ", asked);
}

Section ReadingSection(const Json& result, const std::vector<Rule>& rules) {
  Section section{.id = "reading", .title = "In plain words"};
  section.blocks.push_back(Paragraph{WhichQuestion(result)});
  if (std::string log = TextAt(At(result, "log"), "words"); !log.empty()) {
    section.blocks.push_back(Paragraph{std::move(log)});
  }
  for (std::string& text : Story(result, rules[0])) {
    section.blocks.push_back(Paragraph{std::move(text)});
  }
  if (std::string meaning = WhatEligibleMeans(result); !meaning.empty()) {
    section.blocks.push_back(Paragraph{std::move(meaning)});
  }
  AddTexts(At(result, "reasons"), Tone::kOpen, section);
  const std::string disagreement = Disagreement(rules);
  if (!disagreement.empty()) section.blocks.push_back(Paragraph{disagreement, Tone::kWarn});
  const bool is_satisfied = IsSatisfied(rules[0]);
  const bool undecidable = At(result, "no_decision").is_object();
  section.blocks.push_back(Paragraph{undecidable    ? "What to check:"
                                     : is_satisfied ? "How close it was:"
                                                    : "For a GO, this would have to change:"});
  section.blocks.push_back(List{WhatWouldChange(rules[0], result)});
  if (Filled(At(result, "adapter_rules"))) {
    section.blocks.push_back(
        Paragraph{"The adapter that would ship, trained on all clusters, in full:"});
    List rules_of_adapter;
    for (const Json& rule : At(result, "adapter_rules")) {
      rules_of_adapter.items.push_back(Display(rule));
    }
    section.blocks.push_back(std::move(rules_of_adapter));
  }
  AddTexts(At(result, "warnings"), Tone::kWarn, section);
  return section;
}

/// The words of the page for somebody who meets them here first.
constexpr const char* kGlossary =
    "H_dep, H_alloc and H_total are shares of the cost that the adapter saves: against the best "
    "fixed action, against the same actions chosen as often but at random queries, and against the "
    "reference action. q is the share of its choices that break a constraint. A query is one "
    "choice to make, an action is what can be chosen, the reference is the action without an "
    "adapter, and a cluster is a group of queries that belong together and are held out and "
    "resampled together.";

Section ChannelSection(const std::vector<Rule>& rules) {
  Section section{.id = "channels", .title = "The conditions of a GO"};
  Cards cards;
  for (const Channel& channel : AllChannels(rules)) {
    cards.cards.push_back({.title = DescribeEstimand(channel.key).title,
                           .badge = StateBadge(channel.state),
                           .text = ReadChannel(channel),
                           .chart = ChannelChart(rules, channel)});
  }
  section.blocks.push_back(cards);
  section.blocks.push_back(ChannelTable(rules));
  section.blocks.push_back(Paragraph{kGlossary});
  for (const Rule& rule : rules) {
    if (rule.target.empty()) continue;
    section.blocks.push_back(Paragraph{fmt::format(
        "The {} rule {}. Its intervals are about {}.", rule.name,
        rule.decision.empty() ? "decides nothing here" : "reads " + rule.decision, rule.target)});
  }
  return section;
}

/// The refits are the paper's: they belong to its estimates, whichever rule decides.
std::vector<Channel> AtTheEstimates(std::vector<Channel> channels, const Json& estimates) {
  for (Channel& channel : channels) {
    const std::optional<double> point = NumberAt(At(estimates, channel.key), "point");
    if (point) channel.point = point;
  }
  return channels;
}

Section ReplicateSection(const std::vector<Channel>& channels, const Json& replicates) {
  Section section{.id = "refits", .title = "Refits"};
  section.blocks.push_back(Paragraph{
      "For each refit the clusters were drawn anew, the learner was trained on those drawn and "
      "judged "
      "on those left out. The middle 95 % of a histogram are the interval of the paper's rule. "
      "Refits in blue lie on the GO side; the triangle is the estimate with every cluster held out "
      "once."});
  Cards cards;
  for (const Channel& channel : channels) {
    const std::vector<double> values = Numbers(At(replicates, channel.key));
    if (values.empty()) continue;
    cards.cards.push_back({.title = DescribeEstimand(channel.key).title,
                           .text = fmt::format("{} of {} refits on the GO side.",
                                               Percent(GoShare(channel, values), 1), values.size()),
                           .chart = ReplicateChart(channel, values)});
  }
  section.blocks.push_back(cards);
  section.blocks.push_back(ReplicateTable(channels, replicates));
  return section;
}

Section ControlSection(const Json& controls, const Json& thresholds) {
  Section section{.id = "controls", .title = "Calibration controls"};
  for (const Json& control : controls) {
    for (Block& block : ControlBlocks(control, NumberAt(thresholds, "delta_alloc"))) {
      section.blocks.push_back(std::move(block));
    }
  }
  return section;
}

Section VariantSection(const Json& result, const std::string& deciding) {
  Section section{.id = "variants", .title = "Other learners and features"};
  if (Filled(At(result, "learners"))) {
    section.blocks.push_back(
        SummaryTable("The same audit with other learners", "learner", At(result, "learners")));
  }
  if (const Json& other = At(result, "other_question"); other.is_object()) {
    section.blocks.push_back(Paragraph{fmt::format(
        "About {} the same learner would read H_dep {}, H_alloc {} and q {}: a diagnostic from "
        "folds without refits, which decides nothing.",
        TextAt(other, "about"), Percent(NumberAt(At(other, "H_dep"), "point")),
        Percent(NumberAt(At(other, "H_alloc"), "point")),
        Percent(NumberAt(At(other, "q"), "point")))});
  }
  if (Filled(At(result, "ablation"))) {
    section.blocks.push_back(
        SummaryTable("The same audit with other features", "features", At(result, "ablation")));
  }
  if (!section.blocks.empty() && deciding != "paper" && !deciding.empty()) {
    section.blocks.push_back(Paragraph{fmt::format(
        "Estimates and intervals are those of the paper's rule; the last column is what "
        "the {} rule reads, which decides.",
        deciding)});
  }
  return section;
}

Section ProvenanceSection(const Json& result) {
  Section section{.id = "provenance", .title = "Protocol and provenance"};
  const auto add = [&](const char* caption, const Json& facts) {
    if (Filled(facts)) section.blocks.push_back(FactsTable(caption, facts));
  };
  Json protocol = At(result, "protocol");
  if (protocol.is_object()) protocol.erase("declared");
  add("What was declared", protocol);
  if (Filled(At(At(result, "protocol"), "declared"))) {
    Table declared =
        FactsTable("Everything declared, key by key", At(At(result, "protocol"), "declared"));
    declared.folded = true;
    section.blocks.push_back(std::move(declared));
  }
  add("The table of outcomes", At(result, "table"));
  Json provenance = At(result, "provenance");
  add("How the outcomes were collected", At(provenance, "collection"));
  if (provenance.is_object()) {  // both stand above
    provenance.erase("protocol");
    provenance.erase("collection");
  }
  if (At(result, "fingerprint").is_string()) provenance["fingerprint"] = At(result, "fingerprint");
  add("Where the numbers come from", provenance);
  return section;
}

std::vector<Section> DetailSections(const Json& result, const std::vector<Rule>& rules) {
  std::vector<Section> sections;
  const auto add = [&](const char* key, const char* title, auto... make_block) {
    const Json& part = At(result, key);
    if (!Filled(part)) return;
    Section section{.id = key, .title = title};
    (section.blocks.push_back(make_block(part)), ...);
    sections.push_back(std::move(section));
  };
  add(
      "estimates", "Estimates",
      [&](const Json&) { return Paragraph{WhoseEstimates(result, rules)}; }, EstimatesChart,
      EstimateTable);
  if (Filled(At(result, "replicates"))) {
    sections.push_back(ReplicateSection(AtTheEstimates(rules[0].channels, At(result, "estimates")),
                                        At(result, "replicates")));
  }
  add(
      "sensitivity", "Other thresholds",
      [&](const Json& part) { return SensitivityChart(part, At(result, "thresholds")); },
      SensitivityTable);
  add("folds", "Clusters", ClusterChart, FoldTable);
  add("actions", "Actions", ActionChart, ActionTable);
  if (Filled(At(result, "choice_map"))) {
    sections.push_back(ChoiceMapSection(At(result, "choice_map")));
  }
  add(
      "resolution", "How many clusters it would take",
      [&](const Json&) {
        return Paragraph{fmt::format(
            "How many clusters would bring each bound{} to its threshold if the estimate and the "
            "spread stayed as they are. At that number the chance of a decision is about one "
            "half; plan for more.",
            rules.size() > 1 ? " of the paper's intervals" : "")};
      },
      ResolutionTable);
  if (Filled(At(result, "controls"))) {
    sections.push_back(ControlSection(At(result, "controls"), At(result, "thresholds")));
  }
  if (Section variants = VariantSection(result, rules[0].name); !variants.blocks.empty()) {
    sections.push_back(std::move(variants));
  }
  add("diagnostics", "Diagnostics", DiagnosticsTable);
  return sections;
}

}  // namespace

Page MakeAuditPage(const nlohmann::json& result) {
  const std::vector<Rule> rules = ReadRules(result);
  const Json& protocol = At(result, "protocol");
  const Json& actions = At(result, "actions");
  std::string reference = TextAt(protocol, "reference");
  if (reference.empty() && Filled(actions)) reference = TextAt(actions.front(), "name");
  Page page{.title = TextAt(protocol, "name", "Audit"), .kicker = "gonogo audit"};
  page.subtitle =
      fmt::format("Is a learned adapter worth it over “{}”? {}; one cluster is one {}.", reference,
                  Counted(actions.size(), "action"), TextAt(protocol, "cluster", "cluster"));
  page.banner = VerdictBanner(result, rules[0]);
  page.sections = {ReadingSection(result, rules), ChannelSection(rules)};
  if (std::optional<Section> path = PathSection(At(result, "path"))) {
    page.sections.push_back(std::move(*path));
  }
  if (std::optional<Section> trust = TrustSection(At(result, "rules"))) {
    page.sections.push_back(std::move(*trust));
  }
  if (std::optional<Section> log = LogSection(At(result, "log"))) {
    page.sections.push_back(std::move(*log));
  }
  for (Section& section : DetailSections(result, rules)) {
    page.sections.push_back(std::move(section));
  }
  page.sections.push_back(ProvenanceSection(result));
  page.attachment = Attachment{.file_name = "result.json", .content = result};
  page.footer = {fmt::format("gonogo {} · result schema {}", TextAt(result, "version", "?"),
                             TextAt(result, "schema", "?"))};
  return page;
}

std::string AuditPage(const nlohmann::json& result) { return RenderPage(MakeAuditPage(result)); }

}  // namespace gonogo::report
