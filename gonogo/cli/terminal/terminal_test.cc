// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/terminal/terminal.h"

#include <gtest/gtest.h>

namespace gonogo::cli {
namespace {

TEST(TerminalTest, WritesNoEscapeCodesWhereNoneAreWanted) {
  EXPECT_EQ(Terminal(ColorMode::kNever, false).Paint(Style::kGo, "GO"), "GO");
}

TEST(TerminalTest, PaintsTheThreeAnswersInThreeColours) {
  const Terminal terminal(ColorMode::kAlways, false);
  EXPECT_EQ(terminal.Paint(Style::kGo, "x"), "\x1b[1;32mx\x1b[0m");
  EXPECT_EQ(terminal.Paint(Style::kNoGo, "x"), "\x1b[1;31mx\x1b[0m");
  EXPECT_EQ(terminal.Paint(Style::kAbstain, "x"), "\x1b[1;33mx\x1b[0m");
  EXPECT_EQ(terminal.Paint(Style::kPlain, "x"), "x");
}

TEST(TerminalTest, KeepsQuietOnStderrWhenAskedTo) {
  testing::internal::CaptureStderr();
  Terminal(ColorMode::kNever, true).Say("a remark");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  testing::internal::CaptureStderr();
  Terminal(ColorMode::kNever, false).Say("a remark");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "a remark\n");
}

TEST(TerminalTest, PrintsTheResultAlsoWhenQuiet) {
  testing::internal::CaptureStdout();
  Terminal(ColorMode::kNever, true).Print("GO\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "GO\n");
}

}  // namespace
}  // namespace gonogo::cli
