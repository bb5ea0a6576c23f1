// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/published/remarks.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/report/page/section_text.h"

namespace gonogo::paper {
namespace {

using testing::HasSubstr;
using testing::Not;

report::Section WithNumber(const char* number) {
  return {.id = "frontier",
          .title = "Frontier",
          .blocks = {report::Table{.caption = "", .columns = {{"COT"}}, .rows = {{number}}}}};
}

const std::vector<Remark> kRemarks{{"frontier", "1.362", "Ours costs more."},
                                   {"elsewhere", "1.362", "Not here."}};

TEST(RemarksTest, ARemarkStandsBesideTheNumberItIsAbout) {
  report::Section section = WithNumber("1.362");
  AddRemarks(kRemarks, section);
  const std::string text = report::SectionText(section);
  EXPECT_THAT(text, HasSubstr("Ours costs more."));
  EXPECT_THAT(text, Not(HasSubstr("Not here.")));
}

TEST(RemarksTest, ARemarkOnOtherNumbersIsNotShown) {
  report::Section section = WithNumber("1.402");
  AddRemarks(kRemarks, section);
  const std::string text = report::SectionText(section);
  EXPECT_THAT(text, Not(HasSubstr("Ours costs more.")));
  EXPECT_THAT(text, HasSubstr("other results"));
}

TEST(RemarksTest, EveryRemarkNamesANumber) {
  for (const Remark& remark : Remarks()) {
    EXPECT_NE(remark.about.find_first_of("0123456789"), std::string::npos) << remark.text;
  }
}

}  // namespace
}  // namespace gonogo::paper
