// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/run/chart_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::cli {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(ChartFilesTest, TakesPicturesOutOfWhatTheBrowserWroteBack) {
  const std::string dom =
      R"(<html><script type="application/json" id="exported">[{"name": "who-saves", )"
      R"("svg": "\u003csvg/>", "png": "data:image/png;base64,TWFu"}]</script></html>)";
  EXPECT_THAT(ChartsIn(dom).value(),
              ElementsAre(Pair("who-saves.png", "Man"), Pair("who-saves.svg", "<svg/>")));
}

TEST(ChartFilesTest, RefusesNamesThatLeaveTheFolderAndPagesThatWereNotFinished) {
  const std::string dom =
      R"(<script id="exported">[{"name": "../x", "svg": "", "png": ",TWFu"}]</script>)";
  EXPECT_FALSE(ChartsIn(dom).ok());
  EXPECT_FALSE(ChartsIn("<html></html>").ok());
}

}  // namespace
}  // namespace gonogo::cli
