// SPDX-License-Identifier: Apache-2.0
// The pages as a browser sees them. Skipped where no Chromium is installed or nothing was bundled.
#include <regex>

#include <gtest/gtest.h>

#include "gonogo/report/audit/audit_report.h"
#include "gonogo/report/testing/example_result.h"
#include "gonogo/report/testing/example_scene.h"
#include "gonogo/report/testing/headless_browser.h"
#include "gonogo/report/viewer/viewer_page.h"

namespace gonogo::report {
namespace {

using internal::Visit;

std::size_t Occurrences(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    ++count;
  }
  return count;
}

TEST(BrowserTest, DrawsEveryChartOfTheAuditPageWithoutAComplaint) {
  if (ChartsJs().empty()) GTEST_SKIP() << "built without Node.js";
  const std::string html = RenderPage(MakeAuditPage(internal::ExampleResult()));
  const auto visit = Visit(html);
  if (!visit) GTEST_SKIP() << "no chromium";
  // three channels, three distributions, estimates, thresholds, clusters, actions, two controls
  EXPECT_EQ(Occurrences(html, " data-chart "), 12u);
  EXPECT_EQ(Occurrences(visit->dom, R"(data-drawn="true")"), 12u);
  EXPECT_EQ(Occurrences(visit->dom, "<svg"), 12u);
  EXPECT_EQ(visit->console, "");
}

TEST(BrowserTest, ShowsRobotsTerrainAndPlotsInTheViewer) {
  if (ViewerJs().empty()) GTEST_SKIP() << "built without Node.js";
  const auto visit = Visit(ViewerPage(internal::ExampleScene()),
                           "--use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader");
  if (!visit) GTEST_SKIP() << "no chromium";
  std::smatch triangles;
  ASSERT_TRUE(
      std::regex_search(visit->dom, triangles, std::regex(R"re(data-triangles="(\d+)")re")));
  EXPECT_GT(std::stol(triangles[1]), 10'000);         // the ground alone has more
  EXPECT_EQ(Occurrences(visit->dom, "<canvas"), 5u);  // the view and four plots
  EXPECT_EQ(Occurrences(visit->dom, "class=\"dot\""), 4u);
  EXPECT_EQ(visit->console, "");
}

}  // namespace
}  // namespace gonogo::report
