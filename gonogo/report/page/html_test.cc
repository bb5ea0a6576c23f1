// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/page/html.h"

#include <limits>

#include <gtest/gtest.h>

namespace gonogo::report::internal {
namespace {

TEST(EscapeHtmlTest, LeavesNothingThatCouldOpenATagOrEndAnAttribute) {
  EXPECT_EQ(EscapeHtml(R"(<b a="1" c='2'>&amp;)"),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;");
}

TEST(EscapeHtmlTest, KeepsOtherTextAsItIs) {
  EXPECT_EQ(EscapeHtml("κ ≤ 5 % – scale-0.90"), "κ ≤ 5 % – scale-0.90");
}

TEST(ScriptJsonTest, CannotCloseItsScriptElementAndParsesBackToTheSameValue) {
  const nlohmann::json value{{"</script><script>alert(1)</script>", "<!-- <script>"}, {"n", 0.1}};
  const std::string text = ScriptJson(value);
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(text), value);
}

TEST(ScriptJsonTest, ReplacesInvalidUtf8InsteadOfFailing) {
  EXPECT_EQ(ScriptJson(nlohmann::json("a\xff")), "\"a\xef\xbf\xbd\"");
}

TEST(ScriptJsonTest, WritesNullForANumberJsonCannotHold) {
  EXPECT_EQ(ScriptJson(nlohmann::json(std::numeric_limits<double>::quiet_NaN())), "null");
}

TEST(TextHtmlTest, SaysWhereANumberComesFrom) {
  const Text text = Say("H < {} of {}", Text("-1 %", "−1 %", "/a\"b"), Text("<=", "≤", ""));
  EXPECT_EQ(TextHtml(text), "H &lt; <data value=\"/a&quot;b\">−1 %</data> of ≤");
}

}  // namespace
}  // namespace gonogo::report::internal
