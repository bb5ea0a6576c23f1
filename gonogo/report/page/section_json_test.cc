// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/page/section_json.h"

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

}  // namespace
}  // namespace gonogo::report
