// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/terminal/progress.h"

#include <gtest/gtest.h>

namespace gonogo::cli {
namespace {

using std::chrono::seconds;

const EtaEstimator::Clock::time_point kBegin =
    EtaEstimator::Clock::time_point() + std::chrono::hours(5);

double SecondsLeft(const EtaEstimator& eta) { return eta.Left().value_or(seconds(-1)).count(); }

TEST(EtaEstimatorTest, CountsTheTimeOfTheFirstUnitToo) {
  EtaEstimator eta(kBegin);
  EXPECT_FALSE(eta.Left().has_value());
  eta.Finished(1, 10, kBegin + seconds(3));
  EXPECT_DOUBLE_EQ(SecondsLeft(eta), 27.0);
}

TEST(EtaEstimatorTest, UnitsOfAnEarlierRunSayNothingAboutTheSpeed) {
  // 50 of 100 were kept; the first two that this run made took 4 s each: 48 are left.
  EtaEstimator eta(kBegin);
  eta.Finished(51, 100, kBegin + seconds(4));
  eta.Finished(52, 100, kBegin + seconds(8));
  EXPECT_DOUBLE_EQ(SecondsLeft(eta), 48 * 4.0);
}

TEST(EtaEstimatorTest, ANewPhaseIsMeasuredByItself) {
  EtaEstimator eta(kBegin);
  for (int i = 1; i <= 20; ++i) eta.Finished(static_cast<std::size_t>(i), 20, kBegin + seconds(i));
  EXPECT_DOUBLE_EQ(SecondsLeft(eta), 0.0);
  eta.Finished(1, 200, kBegin + seconds(25));  // 5 s of work since the last unit
  EXPECT_DOUBLE_EQ(SecondsLeft(eta), 199 * 5.0);
}

TEST(EtaEstimatorTest, AnnouncedWorkStartsTheClock) {
  EtaEstimator eta(kBegin);
  eta.Finished(0, 4, kBegin + seconds(100));
  EXPECT_FALSE(eta.Left().has_value());
  eta.Finished(1, 4, kBegin + seconds(102));
  EXPECT_DOUBLE_EQ(SecondsLeft(eta), 6.0);
}

TEST(EtaEstimatorTest, NoticesThatUnitsBecameSlower) {
  // A hundred units of a tenth of a second, then units of 10 s: after two minutes of those the
  // hundred quick ones are forgotten.
  EtaEstimator eta(kBegin);
  std::size_t done = 0;
  for (int i = 1; i <= 100; ++i) {
    eta.Finished(++done, 200, kBegin + std::chrono::milliseconds(100 * i));
  }
  EXPECT_NEAR(SecondsLeft(eta), 10.0, 0.2);
  for (int i = 1; i <= 12; ++i) eta.Finished(++done, 200, kBegin + seconds(10 + 10 * i));
  EXPECT_DOUBLE_EQ(SecondsLeft(eta), 88 * 10.0);
}

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
