// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/page/merge_sections.h"

#include <gtest/gtest.h>

#include "gonogo/report/page/section_text.h"

namespace gonogo::report {
namespace {

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
