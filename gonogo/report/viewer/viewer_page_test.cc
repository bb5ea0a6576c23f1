// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/viewer/viewer_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/report/testing/example_scene.h"
#include "gonogo/report/testing/self_contained.h"

namespace gonogo::report {
namespace {

using internal::ExampleScene;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kSomeViewer = "showEverything();";

TEST(ViewerPageTest, LoadsNothing) {
  EXPECT_THAT(internal::Loads(ViewerPage(ExampleScene(), kSomeViewer)), IsEmpty());
}

TEST(ViewerPageTest, ListsTheFactsOfEveryTrackInATable) {
  ViewerScene scene = ExampleScene();
  scene.tracks[1].facts.emplace_back("work", "412 J");
  const std::string html = internal::WithoutScripts(ViewerPage(scene, kSomeViewer));
  EXPECT_THAT(html, HasSubstr(">work</th>"));
  EXPECT_THAT(html, HasSubstr(R"(<th scope="row">scale-0.75</th><td class="number">2 s</td>)"
                              R"(<td class="number">6 s</td><td class="number">1.80 m</td>)"
                              R"(<td class="number">412 J</td>)"));
}

TEST(ViewerPageTest, ASentenceGetsAColumnInWhichItFolds) {
  ViewerScene scene = ExampleScene();
  scene.tracks[1].facts.emplace_back("outcome", "stopped 0.4 m short when the time was over");
  const std::string html = internal::WithoutScripts(ViewerPage(scene, kSomeViewer));
  EXPECT_THAT(html, HasSubstr(R"(<td class="prose">stopped 0.4 m short)"));
}

TEST(ViewerPageTest, SaysWhatIsMissingWithoutTheBundleAndKeepsTheTable) {
  const std::string html = ViewerPage(ExampleScene(), "");
  EXPECT_THAT(html, HasSubstr("built without Node.js"));
  EXPECT_THAT(html, HasSubstr(R"(<th scope="row">yaw+0.2</th>)"));
  EXPECT_THAT(html, Not(HasSubstr("id=\"scene\"")));
}

TEST(ViewerPageTest, EscapesEveryText) {
  const std::string evil = "</script><script>alert(1)</script>";
  ViewerScene scene = ExampleScene();
  scene.title = evil;
  scene.tracks[0].name = evil;
  scene.tracks[0].color = evil;
  scene.tracks[0].facts = {{evil, evil}};
  scene.tracks[0].events = {{0.0, evil}};
  scene.markers[0].name = evil;
  scene.plots[0].name = evil;
  EXPECT_THAT(ViewerPage(scene, kSomeViewer), Not(HasSubstr("<script>alert")));
}

}  // namespace
}  // namespace gonogo::report
