// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/page/sections.h"

#include <gtest/gtest.h>

#include "gonogo/report/page/section_text.h"

namespace gonogo::report {
namespace {

Section Everything() {
  const Chart chart{"title", "what it shows", {{"mark", "bar"}}};
  return {.id = "everything",
          .title = "Every kind of block",
          .blocks = {Paragraph{"text", Tone::kWarn}, List{{"one", "two"}},
                     Table{.caption = "numbers",
                           .columns = {{"name"}, {"value", ColumnKind::kNumber}},
                           .rows = {{"a", Cell("GO", Tone::kGo)}},
                           .folded = true},
                     chart, Cards{{{"card", Cell("NO-GO", Tone::kNoGo), "why", chart}}}}};
}

TEST(SectionJsonTest, ReadsBackToTheSamePage) {
  const Section section = Everything();
  const Result<Section> again = SectionFromJson(SectionJson(section), "section.json");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(SectionJson(again.value()), SectionJson(section));
  EXPECT_EQ(SectionText(again.value()), SectionText(section));
  const auto html = [](const Section& s) {
    return RenderPage({.title = "t", .sections = {s}}, "");
  };
  EXPECT_EQ(html(again.value()), html(section));
}

TEST(SectionJsonTest, SomethingElseIsAnError) {
  const Result<Section> result = SectionFromJson({{"id", "x"}}, "broken.json");
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("broken.json"), std::string::npos);
}

/// What reading says after one value of a whole section was replaced.
std::string ErrorWith(const std::string& pointer, const nlohmann::json& value) {
  nlohmann::json json = SectionJson(Everything());
  json[nlohmann::json::json_pointer(pointer)] = value;
  const Result<Section> result = SectionFromJson(json, "s.json");
  if (result.ok()) return "no error";
  EXPECT_EQ(result.error().kind, ErrorKind::kInput);
  return result.error().message;
}

TEST(SectionJsonTest, WrongTypesAreRefusedByKeyFoundAndExpected) {
  const std::string start = "s.json: not a section: ";
  EXPECT_EQ(ErrorWith("/title", 5), start + "title is 5, expected a text");
  EXPECT_EQ(ErrorWith("/blocks", "x"), start + "blocks is \"x\", expected a list");
  EXPECT_EQ(ErrorWith("/blocks/0", 1), start + "kind is missing, expected a text");
  EXPECT_EQ(ErrorWith("/blocks/0/kind", "poem"),
            start + "kind is \"poem\", expected paragraph, list, table, chart or cards");
  EXPECT_EQ(ErrorWith("/blocks/0/tone", 9), start + "tone is 9, expected a whole number, 0 to 5");
  EXPECT_EQ(ErrorWith("/blocks/1/items", {1}), start + "items is [1], expected a list of texts");
  EXPECT_EQ(ErrorWith("/blocks/2/folded", 1), start + "folded is 1, expected true or false");
  EXPECT_EQ(ErrorWith("/blocks/2/columns/0/kind", -1),
            start + "kind is -1, expected a whole number, 0 to 2");
  EXPECT_EQ(ErrorWith("/blocks/2/rows", {{1}}), start + "rows is [[1]], expected rows of 2 cells");
  EXPECT_EQ(ErrorWith("/blocks/3/description", nullptr),
            start + "description is null, expected a text");
  EXPECT_EQ(ErrorWith("/blocks/4/cards/0/badge", 3), start + "text is missing, expected a text");
}

Section Part(const std::string& name, const std::string& number) {
  return {.id = "audit",
          .title = "Audit",
          .blocks = {Paragraph{name + " was audited."}, Paragraph{"Percent."},
                     Table{.caption = "Decisions",
                           .columns = {{"of"}, {"q", ColumnKind::kNumber}},
                           .rows = {{name, number}}}}};
}

TEST(MergeSectionsTest, RowsOfOneTableStandUnderEachOtherAndParagraphsAppearOnce) {
  const auto merged =
      MergeSections({Part("a", "1.00"), {.id = "other", .title = "Other"}, Part("b", "2.00")});
  ASSERT_EQ(merged.size(), 2U);
  EXPECT_EQ(merged[1].id, "other");
  EXPECT_EQ(SectionMarkdown(merged[0]),
            "## Audit\n\na was audited.\n\nPercent.\n\nb was audited.\n\n**Decisions**\n\n| of | q "
            "|\n|---|---:|\n| a | 1.00 |\n| b | 2.00 |\n");
}

TEST(MergeSectionsTest, TablesWithOtherColumnsStayApart) {
  Section other = Part("b", "2.00");
  std::get<Table>(other.blocks[2]).columns[1] = {"H", ColumnKind::kNumber};
  const auto merged = MergeSections({Part("a", "1.00"), other});
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].blocks.size(), 5U);
}

}  // namespace
}  // namespace gonogo::report
