// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/help_format.h"

#include <gtest/gtest.h>

namespace gonogo::cli {
namespace {

TEST(HelpFormatTest, PutsTheTextBesideAShortNameAndBelowALongOne) {
  EXPECT_EQ(HelpEntry("--out PATH", "Folder"), "  --out PATH              Folder\n");
  EXPECT_EQ(HelpEntry("--value-episodes NUMBER", "Episodes"),
            "  --value-episodes NUMBER Episodes\n");
  EXPECT_EQ(HelpEntry("--value-of-episodes NUMBER", "Episodes"),
            "  --value-of-episodes NUMBER\n                          Episodes\n");
  EXPECT_EQ(HelpEntry("--quiet", ""), "  --quiet\n");
}

TEST(HelpFormatTest, MovesARemarkBelowACommandThatHasNoRoomForIt) {
  EXPECT_EQ(FoldHelp("  gonogo audit table.csv   the verdict\n"),
            "  gonogo audit table.csv   the verdict\n");
  const std::string command = "  gonogo audit " + std::string(60, 't');
  EXPECT_EQ(FoldHelp(command + "   the verdict\n"), command + "\n      the verdict\n");
}

TEST(HelpFormatTest, GoesOnWithALongCommandAsAShellDoes) {
  const std::string folded =
      FoldHelp("  gonogo " + std::string(50, 'a') + " " + std::string(30, 'b') + "\n");
  EXPECT_EQ(folded,
            "  gonogo " + std::string(50, 'a') + " \\\n      " + std::string(30, 'b') + "\n");
}

TEST(HelpFormatTest, LetsSentencesFlow) {
  EXPECT_EQ(FoldHelp("\nExamples:\n  gonogo x\n\nOne line\nand another.\n"),
            "\nExamples:\n  gonogo x\n\nOne line and another.\n");
}

}  // namespace
}  // namespace gonogo::cli
