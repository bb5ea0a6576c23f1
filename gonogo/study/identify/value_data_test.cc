// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/identify/value_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/study/testing/still_scene.h"

namespace gonogo::study {
namespace {

using internal::StillGo2;

ValueDataOptions Small() { return {.episodes = 8, .family = "two", .longest_prefix = 3}; }

TEST(ValueDataTest, WhatRemainsFallsToTheCostOfTheLastDecision) {
  const Result<response::ValueLog> log = CollectValueData(StillGo2(), Small(), {.jobs = 2});
  ASSERT_TRUE(log.ok()) << log.error().message;
  EXPECT_EQ(log.value().size(), 8U * 5U) << "0.4 s are five decisions of 0.08 s";
  for (std::size_t i = 0; i < log.value().size(); ++i) {
    const response::TaskValue& now = log.value().remaining[i];
    EXPECT_EQ(now.success, 0.0F) << "a robot that stands still arrives nowhere";
    EXPECT_GT(now.work_j, 0.0F);
    const bool last =
        i + 1 == log.value().size() || log.value().episode[i + 1] != log.value().episode[i];
    const float then = last ? 0.0F : log.value().remaining[i + 1].time_s;
    EXPECT_NEAR(now.time_s - then, 0.08F, 1e-5F);
  }
}

TEST(ValueDataTest, DecisionsBeforeDirectControlCanBeLeftOut) {
  ValueDataOptions direct = Small();
  direct.every_decision = false;
  const response::ValueLog all = CollectValueData(StillGo2(), Small(), {}).value();
  const response::ValueLog some = CollectValueData(StillGo2(), direct, {}).value();
  // The first 0 to 3 of five decisions are not direct.
  EXPECT_GE(some.size(), 8U * 2U);
  EXPECT_LT(some.size(), all.size());
  EXPECT_EQ(some.remaining.back().work_j, all.remaining.back().work_j);
}

TEST(ValueDataTest, TheRemainingWorkIsThatOfTheChosenRate) {
  ValueDataOptions control = Small();
  control.work_rate = sim::WorkRate::kControl;
  const response::ValueLog exact = CollectValueData(StillGo2(), Small(), {}).value();
  const response::ValueLog read = CollectValueData(StillGo2(), control, {}).value();
  EXPECT_NE(read.remaining.front().work_j, exact.remaining.front().work_j);
  EXPECT_EQ(read.remaining.front().time_s, exact.remaining.front().time_s);
}

TEST(ValueDataTest, TheSameSamplesForOneThreadAndForThree) {
  const response::ValueLog alone = CollectValueData(StillGo2(), Small(), {.jobs = 1}).value();
  const response::ValueLog together = CollectValueData(StillGo2(), Small(), {.jobs = 3}).value();
  EXPECT_EQ(alone.observations, together.observations);
  EXPECT_EQ(alone.episode, together.episode);
}

TEST(ValueDataTest, AnUnknownFamilyAndAnInterruptionAreErrors) {
  ValueDataOptions unknown = Small();
  unknown.family = "easy";
  const auto refused = CollectValueData(StillGo2(), unknown, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, testing::HasSubstr("\"easy\""));
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = CollectValueData(StillGo2(), Small(), {.stop = stop.get_token()});
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().kind, ErrorKind::kInterrupted);
}

}  // namespace
}  // namespace gonogo::study
