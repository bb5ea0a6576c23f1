// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/findings/findings.h"

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/paper/published/cells.h"
#include "gonogo/paper/testing/made_up_sections.h"

namespace gonogo::paper {
namespace {

using testing::HasSubstr;

std::string FindingError(const std::string& toml) {
  const Result<std::vector<Finding>> read = ReadFindings({"made_up.toml", toml});
  return read.ok() ? "" : read.error().message;
}

/// One finding with these checks about the section "frontier".
Finding Parsed(const std::string& checks) {
  const std::string toml =
      "[[finding]]\nname = 'n'\nclaim = 'c'\ncriterion = 'k'\nlabel = 'l'\n"
      "section = 'frontier'\n" +
      checks;
  return ReadFindings({"made_up.toml", toml}).value().front();
}

/// Ours stand left of the paper's, under the same titles.
report::Section Frontier(const char* direct, const char* vgcc) {
  return {.id = "frontier",
          .title = "",
          .blocks = {report::Paragraph{"Lower on 3 of 5 seeds (paper: 5 of 5)."},
                     report::Table{
                         .caption = "",
                         .columns = {{"method"}, {"COT"}, {"decision"}, {"COT"}},
                         .rows = {{"direct", direct, "GO", "0.5"}, {"vgcc", vgcc, "NO-GO", "9"}}}}};
}

FindingVerdict VerdictOf(const std::string& checks, const report::Section& section) {
  return Judge(Parsed(checks), {&section, 1}).verdict;
}

constexpr FindingVerdict kYes = FindingVerdict::kAgrees;
constexpr FindingVerdict kNo = FindingVerdict::kDiffers;

TEST(FindingTest, ComparesOurNumberWithAConstant) {
  const auto verdict = [](const char* is, const char* cot) {
    return VerdictOf(
        std::string("all = [{row = ['vgcc'], column = 'COT', is = '") + is + "', value = 0.92}]",
        Frontier("1", cot));
  };
  EXPECT_EQ(verdict("at least", "0.92"), kYes);
  EXPECT_EQ(verdict("at least", "0.919"), kNo);
  EXPECT_EQ(verdict("at most", "0.92 [0.9, 0.95]"), kYes);
  EXPECT_EQ(verdict("at most", "0.921"), kNo);
  EXPECT_EQ(verdict("above", "0.92"), kNo);
  EXPECT_EQ(verdict("above", "0.93"), kYes);
  EXPECT_EQ(verdict("below", "0.92"), kNo);
  EXPECT_EQ(verdict("below", "−0.5 %"), kYes) << "a typeset minus";
}

TEST(FindingTest, ComparesTwoOfOurNumbersAndAShareOfOne) {
  const std::string below =
      "all = [{row = ['vgcc'], column = 'COT', is = 'below', "
      "than = {row = ['direct']}}]";
  EXPECT_EQ(VerdictOf(below, Frontier("1.1", "1.0")), kYes);
  EXPECT_EQ(VerdictOf(below, Frontier("1.0", "1.0")), kNo);
  // A saving of 4.8 % is less than half of one of 12.2 %.
  const std::string half =
      "all = [{row = ['vgcc'], column = 'COT', is = 'above', times = 0.5, "
      "than = {row = ['direct']}}]";
  EXPECT_EQ(VerdictOf(half, Frontier("−12.2 %", "−4.8 %")), kYes);
  EXPECT_EQ(VerdictOf(half, Frontier("−12.2 %", "−6.2 %")), kNo);
}

TEST(FindingTest, ReadsTextsFurtherNumbersAndParagraphs) {
  const report::Section section = Frontier("1.0 [0.8, 1.2]", "1.0");
  EXPECT_EQ(VerdictOf("all = [{row = ['vgcc'], column = 'decision', text = 'NO-GO'}]", section),
            kYes);
  EXPECT_EQ(VerdictOf("all = [{row = ['direct'], column = 'decision', text = 'NO-GO'}]", section),
            kNo);
  EXPECT_EQ(VerdictOf("all = [{row = ['direct'], column = 'COT', number = 3, is = 'at most', "
                      "value = 1.2}]",
                      section),
            kYes);
  EXPECT_EQ(VerdictOf("all = [{paragraph = 'Lower on', is = 'at least', value = 5}]", section),
            kNo);
  EXPECT_EQ(VerdictOf("all = [{paragraph = 'Lower on', is = 'at least', value = 3}]", section),
            kYes);
}

TEST(FindingTest, NeedsAllOfAllAndOneListOfAny) {
  const report::Section section = Frontier("1.0", "2.0");
  const std::string direct = "{row = ['direct'], column = 'COT', is = 'at most', value = ";
  EXPECT_EQ(VerdictOf("all = [" + direct + "1}, " + direct + "0.5}]", section), kNo);
  EXPECT_EQ(VerdictOf("[[finding.any]]\nall = [" + direct + "0.5}]\n[[finding.any]]\nall = [" +
                          direct + "1}]\n",
                      section),
            kYes);
  EXPECT_EQ(VerdictOf("[[finding.any]]\nall = [" + direct + "1}, " + direct + "0.5}]\n", section),
            kNo);
}

TEST(FindingTest, WhatNoSectionShowsWasNotRun) {
  const report::Section section = Frontier("1.0", "–");
  for (const char* checks :
       {"all = [{row = ['mpc'], column = 'COT', is = 'above', value = 0}]",
        "all = [{row = ['vgcc'], column = 'COT', is = 'above', value = 0}]",
        "all = [{row = ['direct'], column = 'time', is = 'above', value = 0}]",
        "all = [{row = ['direct'], column = 'COT', table = 2, is = 'above', value = 0}]",
        "all = [{row = ['direct'], column = 'COT', is = 'above', than = {row = ['mpc']}}]",
        "all = [{section = 'torque', row = ['direct'], column = 'COT', is = 'above', value = "
        "0}]"}) {
    EXPECT_EQ(VerdictOf(checks, section), FindingVerdict::kNotRun) << checks;
  }
  // What is known to be wrong stays wrong whatever else was not run.
  EXPECT_EQ(VerdictOf("all = [{row = ['mpc'], column = 'COT', is = 'above', value = 0}, "
                      "{row = ['direct'], column = 'COT', is = 'above', value = 7}]",
                      section),
            kNo);
}

TEST(FindingTest, ACountOfFewerThanThePapersWasNotRun) {
  report::Section section{.id = "frontier", .title = "Frontier", .blocks = {}};
  const std::string check =
      "all = [{paragraph = 'Lower on', is = 'at least', value = 17, out_of = 17}]";
  const auto verdict = [&](const char* text) {
    section.blocks = {report::Paragraph{text}};
    return VerdictOf(check, section);
  };
  EXPECT_EQ(verdict("Lower on 17 of 17 seeds."), kYes);
  EXPECT_EQ(verdict("Lower on 16 of 17 seeds."), kNo);
  EXPECT_EQ(verdict("Lower on 11 of 11 seeds."), FindingVerdict::kNotRun);
  EXPECT_EQ(verdict("Lower on 10 of 11 seeds."), kNo) << "whatever the others give";
  EXPECT_EQ(verdict("Lower on 17."), FindingVerdict::kNotRun);
}

TEST(FindingTest, MistakesInTheFileAreNamed) {
  const std::string head = "[[finding]]\nname = 'n'\nclaim = 'c'\ncriterion = 'k'\nlabel = 'l'\n";
  EXPECT_THAT(FindingError(head), HasSubstr("a finding needs a check"));
  EXPECT_THAT(FindingError(head + "all = [{row = ['a'], column = 'b', is = 'above', value = 1}]"),
              HasSubstr("a place is in a section"));
  EXPECT_THAT(FindingError(head + "section = 's'\nall = [{row = ['a'], is = 'above', value = 1}]"),
              HasSubstr("needs a row and a column, or a paragraph"));
  const std::string cell = head + "section = 's'\nall = [{row = ['a'], column = 'b', ";
  EXPECT_THAT(FindingError(cell + "is = 'over', value = 1}]"), HasSubstr("at least, at most"));
  EXPECT_THAT(FindingError(cell + "is = 'above'}]"), HasSubstr("either a value or a than"));
  EXPECT_THAT(FindingError(cell + "is = 'above', value = 1, vlaue = 2}]"), HasSubstr("vlaue"));
}

/// Every check of a finding.
std::vector<FindingCheck> ChecksOf(const Finding& finding) {
  std::vector<FindingCheck> checks = finding.all;
  for (const auto& entry : finding.any) checks.insert(checks.end(), entry.begin(), entry.end());
  return checks;
}

TEST(PaperFindingsTest, EveryPlaceIsOneThatTheReproductionShows) {
  const std::vector<report::Section> sections = MadeUpSections();
  std::map<std::string, const report::Section*> by_id;
  for (const report::Section& section : sections) by_id.emplace(section.id, &section);
  std::set<std::string> names;
  for (const Finding& finding : Findings()) {
    EXPECT_TRUE(names.insert(finding.name).second) << finding.name;
    for (const FindingCheck& check : ChecksOf(finding)) {
      std::vector<FindingPlace> places{check.at};
      if (check.than) places.push_back(*check.than);
      for (const FindingPlace& place : places) {
        ASSERT_TRUE(by_id.contains(place.section)) << finding.name << ": " << place.section;
        const report::Section& section = *by_id.at(place.section);
        const std::string text = place.paragraph.empty()
                                     ? CellText(section, {place.table, place.row, place.column})
                                     : ParagraphText(section, place.paragraph);
        EXPECT_NE(text, "") << finding.name << ": " << place.section << " "
                            << testing::PrintToString(place.row) << " " << place.column
                            << place.paragraph;
      }
    }
  }
}

/// The section of a finding with one cell replaced in which its first check looks.
std::vector<report::Section> WithFirstCell(const Finding& finding, const std::string& text) {
  static const std::vector<report::Section> kMadeUp = MadeUpSections();
  std::vector<report::Section> sections = kMadeUp;
  const FindingPlace place = ChecksOf(finding).front().at;
  for (report::Section& section : sections) {
    if (section.id != place.section) continue;
    int table_number = 0;
    for (report::Block& block : section.blocks) {
      if (auto* paragraph = std::get_if<report::Paragraph>(&block);
          paragraph != nullptr && !place.paragraph.empty() &&
          paragraph->text.plain.find(place.paragraph) != std::string::npos) {
        paragraph->text = place.paragraph + " " + text;
      }
      auto* table = std::get_if<report::Table>(&block);
      if (table == nullptr || ++table_number != place.table || !place.paragraph.empty()) continue;
      for (std::vector<report::Cell>& row : table->rows) {
        bool same = row.size() == table->columns.size();
        for (std::size_t i = 0; same && i < place.row.size(); ++i) {
          same = row[i].text == place.row[i] || row[i].text.plain.starts_with(place.row[i] + " (");
        }
        for (std::size_t c = 0; same && c < row.size(); ++c) {
          if (table->columns[c].title != place.column) continue;
          row[c].text = text;
          break;
        }
      }
    }
  }
  return sections;
}

TEST(PaperFindingsTest, EveryFindingDiffersWhenItsFirstNumberIsFarOnTheWrongSide) {
  for (const Finding& finding : Findings()) {
    if (!finding.any.empty()) continue;
    const FindingCheck check = ChecksOf(finding).front();
    const bool wants_more = check.is == Relation::kAtLeast || check.is == Relation::kAbove;
    std::string wrong = wants_more ? "-99999 -99999 -99999" : "99999 99999 99999";
    if (check.is == Relation::kText) wrong = "MAYBE";
    if (check.out_of > 0) wrong = fmt::format("0 of {}", check.out_of);
    EXPECT_EQ(Judge(finding, WithFirstCell(finding, wrong)).verdict, kNo) << finding.name;
  }
}

TEST(PaperFindingsTest, TheGovernorIsDominatedByOneScaleThatIsFasterAndCheaper) {
  const auto governor = std::find_if(Findings().begin(), Findings().end(), [](const Finding& f) {
    return f.name == "the governor is dominated";
  });
  ASSERT_NE(governor, Findings().end());
  const auto judged = [&](const char* time, const char* cot) {
    const report::Section section{
        .id = "frontier",
        .title = "",
        .blocks = {report::Table{.caption = "",
                                 .columns = {{"method"}, {"time (s)"}, {"COT"}},
                                 .rows = {{"direct", "1.9", "0.77"},
                                          {"scale-0.90", "2.1", "0.72"},
                                          {"scale-0.75", "2.6", "0.69"},
                                          {"governor", time, cot}}}}};
    return Judge(*governor, {&section, 1}).verdict;
  };
  EXPECT_EQ(judged("2.9", "0.74"), kYes) << "the paper's";
  EXPECT_EQ(judged("2.3", "0.73"), kYes) << "by scale 0.90";
  EXPECT_EQ(judged("2.3", "0.71"), kNo) << "cheaper than 0.90, faster than 0.75";
}

TEST(PaperFindingsTest, EveryLabelIsOneOfThePaper) {
  std::ifstream paper(GONOGO_SOURCE_DIR "/../shared/paper.tex");
  if (!paper) GTEST_SKIP() << "the paper's text is not here";
  std::stringstream text;
  text << paper.rdbuf();
  for (const Finding& finding : Findings()) {
    EXPECT_THAT(text.str(), HasSubstr("\\label{" + finding.label + "}")) << finding.name;
  }
}

TEST(FindingsTableTest, ShowsEveryFindingForEveryReproductionAndComesBackFromItsFile) {
  const FindingsColumn made_up = JudgeFindings("made up", MadeUpSections());
  for (const JudgedFinding& judged : made_up.findings) {
    // Made-up episodes have no power, and so no change of it, and fewer seeds than the paper.
    const bool is_run = judged.name != "VGCC lowers power more than work" &&
                        judged.name != "VGCC saves effort on all 17 seeds";
    EXPECT_EQ(judged.verdict != FindingVerdict::kNotRun, is_run) << judged.name;
  }
  const FindingsColumn nothing = JudgeFindings("nothing", {});
  EXPECT_EQ(nothing.count(FindingVerdict::kNotRun), Findings().size());
  const FindingsColumn back =
      FindingsFromJson(FindingsJson(made_up).dump(), "findings.json").value();
  EXPECT_EQ(FindingsJson(back), FindingsJson(made_up));
  const std::vector<FindingsColumn> columns{back, nothing};
  const report::Section section = FindingsSection(columns);
  EXPECT_EQ(CellText(section, {1, {"yaw is predictable"}, "nothing"}), "not run");
  EXPECT_THAT(CellText(section, {1, {"yaw is predictable"}, "made up"}), HasSubstr("0.96"));
  EXPECT_THAT(FindingsFromJson("{}", "x.json").error().message, HasSubstr("x.json"));
  EXPECT_THAT(FindingsFromJson(R"({"schema": "other"})", "x.json").error().message,
              HasSubstr("expected \"gonogo.findings/1\""));
}

}  // namespace
}  // namespace gonogo::paper
