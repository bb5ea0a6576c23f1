// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/text/wrap.h"

#include <gtest/gtest.h>

namespace gonogo::report {
namespace {

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
