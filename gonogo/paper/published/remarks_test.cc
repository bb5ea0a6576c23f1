// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/published/remarks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/report/page/section_text.h"

namespace gonogo::paper {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Ours and the paper's of two methods; 1.362 also stands where the remark is not about it.
report::Section WithCot(const char* vgcc, const char* direct = "1.362") {
  return {.id = "frontier",
          .title = "Frontier",
          .blocks = {report::Paragraph{"1.362 of something else."},
                     report::Table{
                         .caption = "",
                         .columns = {{"method"}, {"COT"}, {"paper"}, {"COT"}},
                         .rows = {{"direct", direct, "", "1.362"}, {"vgcc", vgcc, "", "0.737"}}}}};
}

Remark AboutVgcc(double tolerance) {
  return {
      .section = "frontier",
      .about =
          {{.table = 1, .row = {"vgcc"}, .column = "COT", .ours = {1.362}, .tolerance = tolerance}},
      .text = "Ours costs more."};
}

std::string TextWith(const Remark& remark, report::Section section) {
  AddRemarks({remark}, section);
  return report::SectionText(section);
}

TEST(RemarksTest, ARemarkStandsUnderTheNumberItIsAbout) {
  EXPECT_THAT(TextWith(AboutVgcc(0.0005), WithCot("1.362")), HasSubstr("Ours costs more."));
}

TEST(RemarksTest, TheSameNumberInAnotherPlaceIsNotTheOneItIsAbout) {
  const std::string text = TextWith(AboutVgcc(0.0005), WithCot("1.402"));
  EXPECT_THAT(text, Not(HasSubstr("Ours costs more.")));
  EXPECT_THAT(text, HasSubstr("written for other results"));
}

TEST(RemarksTest, ANumberMayMoveWithinTheTolerance) {
  EXPECT_THAT(TextWith(AboutVgcc(0.05), WithCot("1.402")), HasSubstr("Ours costs more."));
  EXPECT_THAT(TextWith(AboutVgcc(0.03), WithCot("1.402")), Not(HasSubstr("Ours costs more.")));
}

TEST(RemarksTest, AnotherSectionIsNotRemarkedOn) {
  Remark elsewhere = AboutVgcc(0.0005);
  elsewhere.section = "torque";
  const std::string text = TextWith(elsewhere, WithCot("1.362"));
  EXPECT_THAT(text, Not(HasSubstr("Ours costs more.")));
  EXPECT_THAT(text, Not(HasSubstr("other results")));
}

TEST(RemarksTest, EveryNumberMustStillBeThere) {
  Remark both = AboutVgcc(0.0005);
  both.about.push_back(both.about.front());
  both.about.back().row = {"direct"};
  EXPECT_TRUE(StillTrue(both, WithCot("1.362", "1.362")));
  EXPECT_FALSE(StillTrue(both, WithCot("1.362", "1.400")));
}

TEST(RemarksTest, AnIntervalIsPartOfTheNumber) {
  Remark remark = AboutVgcc(0.005);
  remark.about.front().ours = {2.14, -0.68, 5.01};
  EXPECT_TRUE(StillTrue(remark, WithCot("2.14 [-0.68, 5.01]")));
  EXPECT_FALSE(StillTrue(remark, WithCot("2.14 [-0.68, 6.01]")));
  EXPECT_FALSE(StillTrue(remark, WithCot("2.14")));
}

TEST(RemarksTest, ARemarkOnATableRowOrColumnThatIsGoneIsLeftOut) {
  for (const auto& change :
       std::vector<void (*)(RemarkedCell&)>{[](RemarkedCell& cell) { cell.table = 2; },
                                            [](RemarkedCell& cell) { cell.row = {"mpc"}; },
                                            [](RemarkedCell& cell) { cell.column = "work"; }}) {
    Remark remark = AboutVgcc(0.0005);
    change(remark.about.front());
    EXPECT_FALSE(StillTrue(remark, WithCot("1.362")));
  }
}

TEST(RemarksTest, TheFileOfRemarksIsReadWithoutAComplaint) {
  const auto remarks = ReadRemarks(RemarksFile());
  ASSERT_TRUE(remarks.ok()) << remarks.error().message;
  EXPECT_GT(remarks.value().size(), 15U);
  for (const Remark& remark : remarks.value()) {
    for (const RemarkedCell& cell : remark.about) {
      EXPECT_FALSE(cell.ours.empty()) << remark.text;
      EXPECT_FALSE(cell.row.empty()) << remark.text;
    }
  }
}

TEST(RemarksTest, ARemarkWithoutANumberIsRefused) {
  const std::string head = "[[remark]]\nsection = \"a\"\ntext = \"b\"\n";
  EXPECT_THAT(ReadRemarks({"r.toml", head}).error().message, HasSubstr("about"));
  EXPECT_THAT(ReadRemarks({"r.toml", head + "about = [{table = 1, row = [\"x\"], column = \"y\", "
                                            "ours = [1]}]\n"})
                  .error()
                  .message,
              HasSubstr("tolerance"));
}

}  // namespace
}  // namespace gonogo::paper
