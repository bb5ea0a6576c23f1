// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/terminal/exit_code.h"

#include <gtest/gtest.h>

namespace gonogo::cli {
namespace {

TEST(ExitCodeTest, TellsWhoHasToActFromTheKindOfError) {
  EXPECT_EQ(ExitCodeOf(ErrorKind::kUsage), 2);
  EXPECT_EQ(ExitCodeOf(ErrorKind::kInput), 3);
  EXPECT_EQ(ExitCodeOf(ErrorKind::kIo), 4);
  EXPECT_EQ(ExitCodeOf(ErrorKind::kInterrupted), 130);
}

}  // namespace
}  // namespace gonogo::cli
