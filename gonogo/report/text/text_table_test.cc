// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/text/text_table.h"

#include <gtest/gtest.h>

namespace gonogo::report {
namespace {

TEST(TextTableTest, AlignsColumnsAndIgnoresEscapeCodesAndMultiByteLetters) {
  TextTable table({"name", "value", "<note>"});
  table.AddRow({"κ", "\x1b[1m5.0\x1b[0m", "x"});
  table.AddRow({"delta", "10.25"});
  EXPECT_EQ(table.Render(),
            "  name   value  note>\n"
            "  κ        \x1b[1m5.0\x1b[0m  x\n"
            "  delta  10.25\n");
}

TEST(DisplayWidthTest, CountsCodePoints) {
  EXPECT_EQ(DisplayWidth("a–b"), 3U);
  EXPECT_EQ(DisplayWidth("\x1b[1;32mGO\x1b[0m"), 2U);
}

}  // namespace
}  // namespace gonogo::report
