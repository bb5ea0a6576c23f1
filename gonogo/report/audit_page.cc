// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit_page.h"

#include <fmt/format.h>

#include "gonogo/report/internal/audit_charts.h"
#include "gonogo/report/internal/audit_reading.h"
#include "gonogo/report/internal/audit_tables.h"
#include "gonogo/report/internal/channel_charts.h"
#include "gonogo/report/internal/estimand.h"
#include "gonogo/report/number_text.h"

namespace gonogo::report {
namespace {

using namespace internal;  // NOLINT(google-build-using-namespace): this file is its only reader

bool Filled(const Json& value) { return (value.is_array() || value.is_object()) && !value.empty(); }

void AddTexts(const Json& texts, Tone tone, Section& section) {
  if (!texts.is_array()) return;
  for (const Json& text : texts) section.blocks.push_back(Paragraph{Display(text), tone});
}

Section ReadingSection(const Json& result, const std::vector<Rule>& rules) {
  Section section{.id = "reading", .title = "In plain words"};
  section.blocks.push_back(Paragraph{Story(result)});
  AddTexts(At(result, "reasons"), Tone::kOpen, section);
  const std::string disagreement = Disagreement(rules);
  if (!disagreement.empty()) section.blocks.push_back(Paragraph{disagreement, Tone::kWarn});
  const bool go = TextAt(result, "decision") == "GO";
  section.blocks.push_back(
      Paragraph{go ? "How close it was:" : "For a GO, this would have to change:"});
  section.blocks.push_back(List{WhatWouldChange(rules[0], result)});
  AddTexts(At(result, "warnings"), Tone::kWarn, section);
  return section;
}

Section ChannelSection(const std::vector<Rule>& rules) {
  Section section{.id = "channels", .title = "The channels"};
  Cards cards;
  for (std::size_t i = 0; i < rules[0].channels.size(); ++i) {
    const Channel& channel = rules[0].channels[i];
    cards.cards.push_back({.title = DescribeEstimand(channel.key).title,
                           .badge = StateBadge(channel.state()),
                           .text = ReadChannel(channel),
                           .chart = ChannelChart(rules, i)});
  }
  section.blocks.push_back(cards);
  section.blocks.push_back(ChannelTable(rules));
  for (const Rule& rule : rules) {
    if (rule.target.empty()) continue;
    section.blocks.push_back(
        Paragraph{fmt::format("The {} rule reads {}; its intervals are about {}.", rule.name,
                              DecisionBadge(rule.decision).text, rule.target)});
  }
  return section;
}

Section ReplicateSection(const std::vector<Channel>& channels, const Json& replicates) {
  Section section{.id = "refits", .title = "Refits"};
  section.blocks.push_back(
      Paragraph{"Each refit trains on resampled clusters and is scored on the clusters it did not "
                "see. Blue refits lie on the GO side; the triangle is the cross-fitted estimate."});
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
  const Json& observable = At(controls, "observable");
  if (Filled(observable)) {
    section.blocks.push_back(
        ObservableControlChart(observable, NumberAt(thresholds, "delta_alloc")));
    section.blocks.push_back(ObservableControlTable(observable));
  }
  if (Filled(At(controls, "hidden"))) {
    section.blocks.push_back(
        FactsTable("Hidden signal: what the procedure must not find", At(controls, "hidden")));
  }
  return section;
}

Section ProvenanceSection(const Json& result) {
  Section section{.id = "provenance", .title = "Protocol and provenance"};
  if (Filled(At(result, "protocol"))) {
    section.blocks.push_back(FactsTable("What was declared", At(result, "protocol")));
  }
  section.blocks.push_back(FactsTable("Where the numbers come from", At(result, "provenance")));
  return section;
}

std::vector<Section> DetailSections(const Json& result, const std::vector<Channel>& channels) {
  std::vector<Section> sections;
  const auto add = [&](const char* key, const char* title, auto... make_block) {
    const Json& part = At(result, key);
    if (!Filled(part)) return;
    Section section{.id = key, .title = title};
    (section.blocks.push_back(make_block(part)), ...);
    sections.push_back(std::move(section));
  };
  add("estimates", "Estimates", EstimatesChart, EstimateTable);
  if (Filled(At(result, "replicates"))) {
    sections.push_back(ReplicateSection(channels, At(result, "replicates")));
  }
  add(
      "sensitivity", "Other thresholds",
      [&](const Json& part) { return SensitivityChart(part, At(result, "thresholds")); },
      SensitivityTable);
  add("folds", "Clusters", ClusterChart, FoldTable);
  add("actions", "Actions", ActionChart, ActionTable);
  add(
      "resolution", "Resolution",
      [](const Json&) {
        return Paragraph{
            "How many clusters would bring each bound to its threshold if the estimate and the "
            "spread stayed as they are. At that number the chance of a decision is about one "
            "half; plan for more."};
      },
      ResolutionTable);
  if (Filled(At(result, "controls"))) {
    sections.push_back(ControlSection(At(result, "controls"), At(result, "thresholds")));
  }
  add("ablation", "Features and learners", AblationTable);
  add("diagnostics", "Diagnostics",
      [](const Json& part) { return FactsTable("Diagnostics", part); });
  return sections;
}

}  // namespace

Page MakeAuditPage(const nlohmann::json& result) {
  const std::vector<Rule> rules = ReadRules(result);
  const Json& protocol = At(result, "protocol");
  Page page{.title = TextAt(protocol, "name", "Audit"), .kicker = "gonogo audit"};
  page.subtitle =
      fmt::format("Is a learned adapter worth it over “{}”? {} actions, resampled by {}.",
                  TextAt(protocol, "reference", "the reference action"),
                  At(protocol, "actions").size(), TextAt(protocol, "cluster", "cluster"));
  page.banner = VerdictBanner(result, rules[0]);
  page.sections = {ReadingSection(result, rules), ChannelSection(rules)};
  for (Section& section : DetailSections(result, rules[0].channels)) {
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
