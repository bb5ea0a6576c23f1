// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/page/section_text.h"

#include <gtest/gtest.h>

namespace gonogo::report {
namespace {

Section ExampleSection() {
  Table table{.caption = "Work of each method",
              .columns = {{"method"}, {"work (J)", ColumnKind::kNumber}},
              .rows = {{"direct", "101.5"}, {"scale-0.90 | a*b", "7.25"}}};
  return {.id = "work",
          .title = "Work",
          .blocks = {Paragraph{"Lower is better."}, table, List{{"first", "second"}},
                     Chart{.title = "drawn only on a page", .description = "", .spec = {}}}};
}

TEST(SectionText, AlignsNumbersRightAndLeavesChartsOut) {
  EXPECT_EQ(SectionText(ExampleSection()),
            "Work\n"
            "\n"
            "Lower is better.\n"
            "\n"
            "Work of each method\n"
            "  method            work (J)\n"
            "  direct               101.5\n"
            "  scale-0.90 | a*b      7.25\n"
            "\n"
            "  - first\n"
            "  - second\n");
}

TEST(SectionText, LeavesOutCardsThatAreNothingButPictures) {
  const Card words{.title = "H_dep", .badge = "GO", .text = "above the line"};
  const Card picture{.title = "Δx", .chart = Chart{}};
  const auto shown = [](std::vector<Card> cards) {
    return SectionText({.id = "x", .title = "T", .blocks = {Cards{std::move(cards)}}});
  };
  EXPECT_EQ(shown({picture, picture}), shown({}));
  EXPECT_EQ(shown({words, picture}), shown({words}));
}

TEST(SectionText, WrapsLongParagraphsAtWords) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "word" + std::to_string(i) + (i == 39 ? "" : " ");
  const std::string out = SectionText({.id = "x", .title = "T", .blocks = {Paragraph{text}}});
  std::size_t longest = 0;
  std::size_t start = 0;
  for (std::size_t end = out.find('\n'); end != std::string::npos; end = out.find('\n', start)) {
    longest = std::max(longest, end - start);
    start = end + 1;
  }
  EXPECT_LE(longest, 100U);
  EXPECT_GT(longest, 90U);
  EXPECT_NE(out.find("word39"), std::string::npos);
}

TEST(SectionText, FoldsTablesAndProseOnANarrowTerminal) {
  const Table table{.caption = "",
                    .columns = {{"method"},
                                {"work in joules", ColumnKind::kNumber},
                                {"time in seconds", ColumnKind::kNumber}},
                    .rows = {{"direct", "101.5", "1.9"}}};
  EXPECT_EQ(SectionText({.id = "x",
                         .title = "T",
                         .blocks = {Paragraph{"Lower is better in both columns."}, table,
                                    List{{"a first remark of some length"}}}},
                        28),
            "T\n"
            "\n"
            "Lower is better in both\n"
            "columns.\n"
            "\n"
            "  method  work in joules\n"
            "  direct           101.5\n"
            "\n"
            "  method  time in seconds\n"
            "  direct              1.9\n"
            "\n"
            "  - a first remark of some\n"
            "    length\n");
}

TEST(SectionMarkdown, WritesPipeTablesAndEscapesMarkup) {
  EXPECT_EQ(SectionMarkdown(ExampleSection()),
            "## Work\n"
            "\n"
            "Lower is better.\n"
            "\n"
            "**Work of each method**\n"
            "\n"
            "| method | work (J) |\n"
            "|---|---:|\n"
            "| direct | 101.5 |\n"
            "| scale-0.90 \\| a\\*b | 7.25 |\n"
            "\n"
            "- first\n"
            "- second\n");
}

}  // namespace
}  // namespace gonogo::report
