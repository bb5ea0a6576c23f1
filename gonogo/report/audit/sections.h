// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "gonogo/report/audit/rules.h"
#include "gonogo/report/page/page.h"
#include "gonogo/report/text/node.h"

/// The parts of an audit's report. Each takes the result and shows what is there; blocks with a
/// name stand in the terminal, too (audit_report.cc).
namespace gonogo::report::internal {

/// The decision and the sentence that gives its reason.
[[nodiscard]] Banner VerdictBanner(const ResultNode& result, const Rule& deciding);
/// The verdict as a terminal begins with it: "GO", "DESCRIPTIVE (no decision)". `summary` is a
/// result or a row of a comparison.
[[nodiscard]] Cell VerdictCell(const ResultNode& summary);

/// In plain words: what was asked, what was found, what would have to change, what to know.
[[nodiscard]] Section ReadingSection(const ResultNode& result, const Rule& deciding);
/// The conditions of a GO, under the rule that decides and no other.
[[nodiscard]] Section ChannelSection(const ResultNode& result, const Rule& deciding);
/// The same under the others, which decide nothing; nothing when there are none.
[[nodiscard]] std::optional<Section> OtherRulesSection(const ResultNode& result,
                                                       const std::vector<Rule>& rules);
/// The looks at growing data; nothing where none was taken.
[[nodiscard]] std::optional<Section> PathSection(const ResultNode& path);
/// What the rule that decides says about itself in words, how firmly its bounds stand, and where
/// the allocation gain comes from; nothing when it says nothing.
[[nodiscard]] std::optional<Section> TrustSection(const Rule& deciding);
/// How often each action is chosen and what it saves; of a log also how often it was tried.
[[nodiscard]] Table ActionTable(const ResultNode& result);
/// How often the adapter departs from the reference, how well it predicts and succeeds.
[[nodiscard]] Text AdapterInWords(const ResultNode& result);
/// What an audit of a log rests on; nothing where every action was tried at every query.
[[nodiscard]] std::optional<Section> LogSection(const ResultNode& result);
/// What is saved where so much success may be lost; nothing without such a curve.
[[nodiscard]] std::optional<Section> PriceCurveSection(const ResultNode& result);
/// Estimates, refits, other thresholds, clusters, actions and further numbers.
[[nodiscard]] std::vector<Section> EvidenceSections(const ResultNode& result,
                                                    const std::vector<Rule>& rules);
/// Other learners, seeds, features, questions; where the adapter acts.
[[nodiscard]] std::vector<Section> ComparisonSections(const ResultNode& result);
/// What a calibration control found: how much of a planted observable signal comes back, or how
/// often a hidden one is claimed. `threshold` is the allocation gain a GO needs.
[[nodiscard]] std::vector<Block> ControlBlocks(const ResultNode& control,
                                               std::optional<double> threshold);
/// Every leaf of an object as a row; nested keys are joined by dots. Members in `left_out` stand
/// elsewhere.
[[nodiscard]] Table FactsTable(std::string caption, const ResultNode& facts,
                               std::initializer_list<std::string_view> left_out = {});

}  // namespace gonogo::report::internal
