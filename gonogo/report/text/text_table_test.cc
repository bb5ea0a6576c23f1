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

/// Columns of 1, 4, 5, 6 and 4 letters, two spaces before each: 30 in all.
TextTable Wide() {
  TextTable table({"k", "<what", "point", "<state", "note"});
  table.AddRow({"a", "why?", "1.0", "open", "n1"});
  table.AddRow({"b", "who?", "2.0", "closed", "n2"});
  return table;
}

TEST(TextTableTest, LeavesOutTheLeastImportantColumnsFirst) {
  TextTable table = Wide();
  table.WhenNarrow({4, 1});
  EXPECT_EQ(table.Render(30), Wide().Render());
  EXPECT_EQ(table.Render(24),
            "  k  what  point  state\n"
            "  a  why?    1.0  open\n"
            "  b  who?    2.0  closed\n");
  EXPECT_EQ(table.Render(20),
            "  k  point  state\n"
            "  a    1.0  open\n"
            "  b    2.0  closed\n");
}

TEST(TextTableTest, MovesAColumnBelowEachRow) {
  TextTable table = Wide();
  table.WhenNarrow({4}, 1);
  EXPECT_EQ(table.Render(20),
            "  k  point  state\n"
            "  a    1.0  open\n"
            "     why?\n"
            "  b    2.0  closed\n"
            "     who?\n");
}

TEST(TextTableTest, GoesOnBelowWhereNothingMayBeLeftOut) {
  EXPECT_EQ(Wide().Render(18),
            "  k  what  point\n"
            "  a  why?    1.0\n"
            "  b  who?    2.0\n"
            "\n"
            "  k  state   note\n"
            "  a  open      n1\n"
            "  b  closed    n2\n");
}

TEST(DisplayWidthTest, CountsCodePoints) {
  EXPECT_EQ(DisplayWidth("a–b"), 3U);
  EXPECT_EQ(DisplayWidth("\x1b[1;32mGO\x1b[0m"), 2U);
}

TEST(WrapTest, BreaksBetweenWordsAndIndentsEveryLine) {
  EXPECT_EQ(Wrap("one two three four", 10, 2), "  one two\n  three\n  four\n");
  EXPECT_EQ(Wrap("a b", 80), "a b\n");
}

TEST(WrapTest, CountsWhatIsSeenNotBytes) {
  EXPECT_EQ(Wrap("äöü äöü", 7), "äöü äöü\n");
  EXPECT_EQ(Wrap("\x1b[1mab\x1b[0m cd", 5), "\x1b[1mab\x1b[0m cd\n");
}

TEST(WrapTest, ALongWordStandsAlone) {
  EXPECT_EQ(Wrap("a reallylongword b", 6), "a\nreallylongword\nb\n");
  EXPECT_EQ(Wrap("", 6), "");
}

}  // namespace
}  // namespace gonogo::report
