// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/page/assets.h"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace gonogo::report {
namespace {

TEST(AssetsTest, EmbedsTheStyleSheetByteForByte) {
  std::ifstream file(GONOGO_SOURCE_DIR "/web/css/page.css");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_FALSE(text.empty());
  EXPECT_EQ(PageCss(), text);
}

TEST(AssetsTest, HasNoScriptThatWouldEndItsOwnElement) {
  for (const std::string_view script : {ChartsJs(), ViewerJs()}) {
    EXPECT_EQ(script.find("</script"), std::string_view::npos);
    EXPECT_EQ(script.find("<!--"), std::string_view::npos);
  }
}

}  // namespace
}  // namespace gonogo::report
