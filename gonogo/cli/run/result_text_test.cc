// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/result/result_json.h"
#include "gonogo/cli/terminal/terminal.h"
#include "gonogo/report/result_page.h"

namespace gonogo::cli {
namespace {

using audit::AuditResult;
using audit::Channel;
using audit::DecisionRule;
using audit::Verdict;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const Terminal kPlain(ColorMode::kNever, true);
const Terminal kColoured(ColorMode::kAlways, true);

/// A confirmatory GO by the paper's rule alone.
AuditResult Go() {
  AuditResult result;
  result.protocol.name = "walk";
  result.protocol.cluster = "ground";
  result.protocol.rule.kind = DecisionRule::kPaper;
  result.source = "ridge";
  result.clusters = {"a", "b"};
  result.table = {.queries = 96, .has_time = true, .has_success = true};
  result.actions = {{.name = "direct", .chosen = 0.25, .reference_folds = 2},
                    {.name = "slow", .chosen = 0.75, .gain = 0.031, .fixed_gain = -0.002}};
  result.h_dep = {.point = 0.03, .interval = stats::Interval{0.02, 0.04}};
  result.h_alloc = {.point = 0.025, .interval = stats::Interval{0.015, 0.035}};
  result.q = {.point = 0.01, .interval = stats::Interval{0.0, 0.02}};
  result.h_total = {.point = 0.05, .interval = stats::Interval{0.04, 0.06}};
  result.confirmatory = true;
  result.decision = Verdict::kGo;
  result.paper_reading = {Verdict::kGo, Channel::kSatisfied, Channel::kSatisfied,
                          Channel::kSatisfied};
  result.reading = result.paper_reading;
  return result;
}

/// The same data, refused by the calibrated rule, which decides.
AuditResult RefusedByTheCalibratedRule() {
  AuditResult result = Go();
  result.protocol.rule.kind = DecisionRule::kCalibrated;
  audit::CalibratedAudit calibrated{audit::Decision{.verdict = Verdict::kNoGo,
                                                    .deployment = Channel::kUnresolved,
                                                    .allocation = Channel::kRefuted,
                                                    .violation = Channel::kSatisfied,
                                                    .improvement = Channel::kSatisfied}};
  calibrated.h_dep = audit::CalibratedGain{.point = 0.02, .interval = {0.005, 0.035}};
  calibrated.h_alloc =
      audit::CalibratedGain{.point = 0.001, .interval = {-0.004, 0.006}, .refuting_upper = 0.0075};
  calibrated.h_total = audit::CalibratedGain{.point = 0.04, .interval = {0.01, 0.07}};
  calibrated.q = {.point = 0.01, .interval = {0.0, 0.03}};
  calibrated.flip_rate = 0.03;
  result.calibrated = calibrated;
  result.reading = {Verdict::kNoGo, Channel::kUnresolved, Channel::kRefuted, Channel::kSatisfied};
  result.decision = Verdict::kNoGo;
  return result;
}

std::string AuditText(const AuditResult& result, const Terminal& terminal) {
  return report::ResultText(audit::ToJson(result), terminal.look());
}

/// The words of the first line that begins with `key`, without the question.
std::vector<std::string> RowOf(const std::string& key, const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  " + key + " ")) continue;
    std::istringstream cells(line.substr(line.find('?') + 1));
    std::vector<std::string> words;
    for (std::string word; cells >> word;) words.push_back(word);
    return words;
  }
  return {};
}

/// The whole text with its lines joined.
std::string Flowing(const AuditResult& result) {
  std::istringstream words(AuditText(result, kPlain));
  std::string out;
  for (std::string word; words >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

TEST(AuditTextTest, SaysTheDecisionInItsColour) {
  AuditResult result = Go();
  EXPECT_THAT(AuditText(result, kPlain), StartsWith("GO  walk"));
  EXPECT_THAT(AuditText(result, kColoured),
              StartsWith("\x1b[1;32mGO\x1b[0m  \x1b[1mwalk\x1b[0m: "));
  result.decision = Verdict::kNoGo;
  EXPECT_THAT(AuditText(result, kColoured), StartsWith("\x1b[1;31mNO-GO\x1b[0m"));
  result.decision = Verdict::kAbstain;
  EXPECT_THAT(AuditText(result, kColoured), StartsWith("\x1b[1;33mABSTAIN\x1b[0m"));
}

TEST(AuditTextTest, NeverShowsTheReadingOfADescriptiveResultAsADecision) {
  AuditResult result = Go();
  result.decision.reset();
  EXPECT_THAT(AuditText(result, kPlain),
              StartsWith("DESCRIPTIVE (no decision; the intervals would read GO)  walk"));
  result.reading.reset();
  EXPECT_THAT(AuditText(result, kPlain), StartsWith("DESCRIPTIVE (no decision)  walk"));
}

TEST(AuditTextTest, SaysWhyNoDecisionCanRestOnTheTableAndWhatToCheck) {
  AuditResult result = Go();
  result.decision.reset();
  result.reading.reset();
  result.paper_reading.reset();
  result.obstacle = audit::Obstacle{.reason = "the reference fails", .check = {"Is 1 a success?"}};
  result.reasons = {"the reference fails", "another"};
  const std::string text = AuditText(result, kPlain);
  EXPECT_THAT(text, StartsWith("NO DECISION  walk"));
  EXPECT_THAT(text, HasSubstr("  no decision: the reference fails.\n  check: Is 1 a success?\n"
                              "  descriptive: another\n"));
  for (const char* word : {"satisfied", "refuted", " GO", "would read"}) {
    EXPECT_THAT(text, Not(HasSubstr(word)));
  }
}

TEST(AuditTextTest, BeginsWithTheDecisionAndWhatItIsAbout) {
  EXPECT_THAT(AuditText(Go(), kPlain),
              StartsWith("GO  walk: 2 clusters (ground), 96 queries, 2 actions\n"));
  EXPECT_THAT(Flowing(Go()),
              HasSubstr("A confirmatory result of the learner ridge. Points and 95 % intervals are "
                        "those of the paper's rule, about adapters that are trained on some of the "
                        "clusters and judged on the others, from 0 complete refits on resampled "
                        "clusters."));
}

TEST(AuditTextTest, ShowsEveryChannelWithTheBoundThatSatisfiedIt) {
  const std::string text = AuditText(Go(), kPlain);
  EXPECT_THAT(RowOf("H_dep", text), ElementsAre("3.00", "%", "[2.00,", "4.00]", "%", ">", "1.00",
                                                "%", "lower", "2.00", "%", "satisfied"));
  EXPECT_THAT(RowOf("H_alloc", text), ElementsAre("2.50", "%", "[1.50,", "3.50]", "%", ">", "1.00",
                                                  "%", "lower", "1.50", "%", "satisfied"));
  EXPECT_THAT(RowOf("q", text), ElementsAre("1.00", "%", "[0.00,", "2.00]", "%", "<=", "5.00", "%",
                                            "upper", "2.00", "%", "satisfied"));
  // No condition of the paper's rule, so nothing is needed of it.
  EXPECT_THAT(RowOf("H_total", text), ElementsAre("5.00", "%", "[4.00,", "6.00]", "%"));
  EXPECT_THAT(RowOf("H_avail", text), ElementsAre("0.00", "%", "–"));
}

TEST(AuditTextTest, ShowsTheRuleThatDecidesAndTheBoundsItUsed) {
  const std::string text = AuditText(RefusedByTheCalibratedRule(), kPlain);
  EXPECT_THAT(text, StartsWith("NO-GO  walk"));
  EXPECT_THAT(Flowing(RefusedByTheCalibratedRule()),
              HasSubstr("those of the calibrated rule, about the adapter that would be shipped"));
  EXPECT_THAT(RowOf("H_dep", text), ElementsAre("2.00", "%", "[0.50,", "3.50]", "%", ">", "1.00",
                                                "%", "lower", "0.50", "%", "unresolved"));
  // Refuted by the wider bound, which is not the end of the interval.
  EXPECT_THAT(RowOf("H_alloc", text), ElementsAre("0.10", "%", "[-0.40,", "0.60]", "%", ">", "1.00",
                                                  "%", "upper", "0.75", "%", "refuted"));
  EXPECT_THAT(RowOf("H_total", text), ElementsAre("4.00", "%", "[1.00,", "7.00]", "%", ">", "0.00",
                                                  "%", "lower", "1.00", "%", "satisfied"));
}

TEST(AuditTextTest, ShowsTheNumbersOfNoOtherRule) {
  const std::string text = Flowing(RefusedByTheCalibratedRule());
  EXPECT_THAT(text, Not(HasSubstr("paper")));
  EXPECT_THAT(text, Not(HasSubstr("disagree")));
  EXPECT_THAT(text, Not(HasSubstr("3.00 % [2.00, 4.00]")));  // the paper's H_dep
  EXPECT_THAT(text, HasSubstr("Another bootstrap seed would decide otherwise in 3.00 % of cases."));
  AuditResult paper = RefusedByTheCalibratedRule();
  paper.protocol.rule.kind = DecisionRule::kPaper;
  EXPECT_THAT(Flowing(paper), Not(HasSubstr("calibrated")));
}

TEST(AuditTextTest, ReadsNothingFromTooFewClusters) {
  AuditResult result = RefusedByTheCalibratedRule();
  result.confirmatory = false;
  result.decision.reset();
  result.reading.reset();
  result.paper_reading.reset();
  result.reasons = {"2 clusters, fewer than the 20 declared"};
  const std::string text = AuditText(result, kPlain);
  EXPECT_THAT(text, StartsWith("DESCRIPTIVE (no decision)  walk"));
  EXPECT_THAT(RowOf("H_alloc", text),
              ElementsAre("0.10", "%", "[-0.40,", "0.60]", "%", ">", "1.00", "%"));
  EXPECT_THAT(text, Not(HasSubstr("The rules")));
  EXPECT_THAT(text, HasSubstr("descriptive: 2 clusters, fewer than the 20 declared\n"));
}

TEST(AuditTextTest, GivesEveryReasonAndEveryWarning) {
  AuditResult result = Go();
  result.confirmatory = false;
  result.decision.reset();
  result.reasons = {"the first reason", "the second reason"};
  result.warnings = {"column obs_17 is constant"};
  const std::string text = AuditText(result, kPlain);
  EXPECT_THAT(text,
              HasSubstr("  descriptive: the first reason\n  descriptive: the second reason\n"));
  EXPECT_THAT(text, HasSubstr("  warning: column obs_17 is constant\n"));
}

TEST(AuditTextTest, SaysWhichConstraintWasNotRecorded) {
  AuditResult result = Go();
  EXPECT_THAT(Flowing(result), Not(HasSubstr("was recorded")));
  result.table.has_time = false;
  EXPECT_THAT(Flowing(result), HasSubstr("No time was recorded, so no action counts as too slow."));
  result.table.eligible_given = true;
  EXPECT_THAT(Flowing(result), Not(HasSubstr("was recorded")));
  EXPECT_THAT(Flowing(result), HasSubstr("a constraint was given with the table."));
}

TEST(AuditTextTest, SaysWhatALookCostsTheCalibratedRule) {
  AuditResult result = RefusedByTheCalibratedRule();
  EXPECT_THAT(Flowing(result), Not(HasSubstr("This is look")));
  result.protocol.rule.looks = 2;
  result.look = 3;
  EXPECT_THAT(Flowing(result), HasSubstr("This is look 3 at the data, beyond the 2 declared;"));
}

TEST(AuditTextTest, ExplainsItsWordsUnderTheTable) {
  AuditResult result = Go();
  result.protocol.table.cost = "joules";
  const std::string text = Flowing(result);
  for (const char* word : {"H_dep: share of the joules saved", "H_alloc: ", "q: ", "query: ",
                           "action: ", "reference: the action without an adapter (direct)",
                           "cluster: queries that belong together and are resampled together "
                           "(ground)"}) {
    EXPECT_THAT(text, HasSubstr(word));
  }
}

TEST(AuditTextTest, ShowsNoGainOfAnActionThatWasNeverChosen) {
  AuditResult result = Go();
  result.actions[1].chosen = 0.0;
  result.actions[1].gain = 0.5;
  EXPECT_THAT(AuditText(result, kPlain), Not(HasSubstr("50.00 %")));
}

}  // namespace
}  // namespace gonogo::cli
