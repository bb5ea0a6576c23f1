// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/terminal/progress.h"

#include <gtest/gtest.h>

namespace gonogo::cli {
namespace {

using std::chrono::seconds;

/// What a run of `steps` out of `total` writes where stderr is no terminal.
std::string Written(bool quiet, std::size_t steps, std::size_t total) {
  testing::internal::CaptureStderr();  // first: a terminal looks at its streams when it is made
  const Terminal terminal(ColorMode::kNever, quiet);
  {
    Progress progress(terminal, "ridge refits");
    const auto update = progress.Callback();
    for (std::size_t done = 1; done <= steps; ++done) update(done, total);
  }
  return testing::internal::GetCapturedStderr();
}

TEST(ProgressTest, SaysDurationsInTheTwoUnitsThatMatter) {
  EXPECT_EQ(HumanDuration(seconds(12)), "12 s");
  EXPECT_EQ(HumanDuration(seconds(200)), "3 min 20 s");
  EXPECT_EQ(HumanDuration(seconds(7500)), "2 h 5 min");
}

TEST(ProgressTest, RoundsToWholeSecondsBeforeItChoosesTheUnit) {
  EXPECT_EQ(HumanDuration(std::chrono::duration<double>(59.6)), "1 min 0 s");
}

TEST(ProgressTest, SaysAtLeastThatTheWorkIsDone) {
  EXPECT_EQ(Written(false, 3, 3), "ridge refits: 3 of 3\n");
}

TEST(ProgressTest, DoesNotFillALogWithEveryStep) { EXPECT_EQ(Written(false, 50, 100), ""); }

TEST(ProgressTest, IsSilentWhenQuietOrWithoutWork) {
  EXPECT_EQ(Written(true, 3, 3), "");
  EXPECT_EQ(Written(false, 3, 0), "");
}

TEST(RateTest, ShowsTwoDigitsThatMatter) {
  EXPECT_EQ(Rate(0.3449), "0.34/s");
  EXPECT_EQ(Rate(2.0), "2/s");
  EXPECT_EQ(Rate(1234.4), "1234/s");
}

}  // namespace
}  // namespace gonogo::cli
