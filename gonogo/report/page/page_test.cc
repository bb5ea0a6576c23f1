// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/page/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/report/testing/self_contained.h"

namespace gonogo::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kSomeBundle = "drawEverything();";

Page OneOfEverything() {
  const Chart chart{
      .title = "A chart", .description = "What the chart shows", .spec = {{"mark", "bar"}}};
  const Table table{.caption = "A table",
                    .columns = {{"Name"}, {"Value", ColumnKind::kNumber}},
                    .rows = {{"first", "1"}, {"second", {"GO", Tone::kGo}}}};
  Page page{.title = "A title", .kicker = "kicker", .subtitle = "subtitle"};
  page.banner = Banner{.word = {"GO", Tone::kGo}, .headline = "headline", .status = "status"};
  page.sections = {
      {.id = "one",
       .title = "One",
       .blocks = {Paragraph{"text"}, List{{"item"}}, table, chart,
                  Cards{{{.title = "card", .badge = {"met", Tone::kGo}, .chart = chart}}}}}};
  page.attachment = Attachment{.file_name = "result.json", .content = {{"key", 1}}};
  page.footer = {"made by hand"};
  return page;
}

TEST(PageTest, LoadsNothingAndForbidsItself) {
  const std::string html = RenderPage(OneOfEverything(), kSomeBundle);
  EXPECT_THAT(internal::Loads(html), IsEmpty());
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
}

TEST(PageTest, WritesTablesWithHeadersForRowsAndColumns) {
  const std::string html = RenderPage(OneOfEverything(), kSomeBundle);
  EXPECT_THAT(html, HasSubstr(R"(<th scope="col" class="number">Value</th>)"));
  EXPECT_THAT(html, HasSubstr(R"(<th scope="row">first</th><td class="number">1</td>)"));
}

TEST(PageTest, TellsAToneByWordAndGlyphAndNotByColourAlone) {
  EXPECT_THAT(
      RenderPage(OneOfEverything(), kSomeBundle),
      HasSubstr(R"(<span class="badge tone-go"><span aria-hidden="true">✓</span> met</span>)"));
}

TEST(PageTest, DescribesEveryChartToReadersWhoCannotSeeIt) {
  EXPECT_THAT(
      RenderPage(OneOfEverything(), kSomeBundle),
      HasSubstr(R"(data-chart data-name="A chart" role="img" aria-label="What the chart shows")"));
}

TEST(PageTest, CarriesTablesOnlyAndSaysSoWithoutTheBundle) {
  const std::string html = RenderPage(OneOfEverything(), "");
  EXPECT_THAT(html, HasSubstr("built without Node.js"));
  EXPECT_THAT(html, HasSubstr("<th scope=\"row\">first</th>"));
  EXPECT_THAT(html, Not(HasSubstr("data-chart")));
}

TEST(PageTest, LeavesTheBundleOutOfAPageThatDoesNotNeedIt) {
  const Page page{.title = "words", .sections = {{.id = "a", .title = "A"}}};
  EXPECT_THAT(RenderPage(page, kSomeBundle), Not(HasSubstr(std::string(kSomeBundle))));
}

TEST(PageTest, ListsItsSectionsWhenThereAreSeveral) {
  Page page{.title = "words", .sections = {{.id = "a", .title = "A"}}};
  EXPECT_THAT(RenderPage(page, kSomeBundle), Not(HasSubstr("<nav")));
  page.sections.push_back({.id = "b", .title = "B"});
  EXPECT_THAT(RenderPage(page, kSomeBundle), HasSubstr(R"(<a href="#b">B</a>)"));
}

TEST(PageTest, EscapesEveryTextItIsGiven) {
  const std::string evil = "</script><script>alert('x')</script>";
  const Chart chart{.title = evil, .description = evil, .spec = {{"title", evil}}};
  Page page{.title = evil, .kicker = evil, .subtitle = evil};
  page.banner = Banner{.word = evil, .headline = evil, .status = evil};
  page.sections = {
      {.id = "one",
       .title = evil,
       .blocks = {
           Paragraph{evil}, Paragraph{evil, Tone::kWarn}, List{{evil}},
           Table{.caption = evil, .columns = {{evil}}, .rows = {{evil}}},
           Table{
               .caption = evil, .columns = {{evil}}, .rows = {{{evil, Tone::kGo}}}, .folded = true},
           chart, Cards{{{.title = evil, .badge = evil, .text = evil, .chart = chart}}}}}};
  page.attachment = Attachment{.file_name = evil, .content = {{evil, evil}}};
  page.footer = {evil};
  EXPECT_THAT(RenderPage(page, kSomeBundle), Not(HasSubstr("alert('x')</script>")));
  EXPECT_THAT(RenderPage(page, kSomeBundle), Not(HasSubstr("<script>alert")));
}

}  // namespace
}  // namespace gonogo::report
