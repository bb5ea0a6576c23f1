// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/loop/step_meter.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace gonogo::sim {
namespace {

constexpr double kStep = 0.02;  // s, of control

/// One foot at these heights, control step by control step; on the ground where `down` says so.
StepMeter Walked(const std::vector<double>& heights, const std::vector<int>& down,
                 std::size_t settle = 0) {
  StepMeter meter(1);
  Foot foot;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const bool contact = down[i] != 0;
    foot.touchdown = contact && !foot.contact;
    if (foot.touchdown) foot.last_air_time_s = foot.air_time_s;
    foot.air_time_s = contact ? 0.0 : foot.air_time_s + kStep;
    foot.contact = contact;
    foot.p_W[2] = heights[i];
    meter.Add(std::array{foot}, kStep, i >= settle);
  }
  return meter;
}

TEST(StepMeterTest, AStepIsAsHighAsItsFootWasAboveTheGround) {
  const StepMeter meter = Walked({0.02, 0.05, 0.10, 0.06, 0.02}, {1, 0, 0, 0, 1});
  EXPECT_NEAR(meter.height_m(), 0.08, 1e-15);
  EXPECT_NEAR(meter.frequency_hz(), 1.0 / (5 * kStep), 1e-9);
  EXPECT_NEAR(meter.last_height_m(0).value(), 0.08, 1e-15);
}

TEST(StepMeterTest, OnStairsTheHigherEndCounts) {
  EXPECT_NEAR(Walked({0.02, 0.10, 0.15, 0.13, 0.12}, {1, 0, 0, 0, 1}).height_m(), 0.03, 1e-15);
  EXPECT_NEAR(Walked({0.12, 0.14, 0.15, 0.05, 0.02}, {1, 0, 0, 0, 1}).height_m(), 0.03, 1e-15);
}

TEST(StepMeterTest, AFootThatOnlyChattersTakesNoStep) {
  const StepMeter meter = Walked({0.02, 0.03, 0.02, 0.03, 0.02}, {1, 0, 1, 0, 1});
  EXPECT_EQ(meter.frequency_hz(), 0.0);
  EXPECT_EQ(meter.height_m(), 0.0);
  EXPECT_FALSE(meter.last_height_m(0).has_value());
}

TEST(StepMeterTest, ComingDownForTheFirstTimeIsNoStep) {
  EXPECT_EQ(Walked({0.20, 0.15, 0.10, 0.05, 0.02}, {0, 0, 0, 0, 1}).frequency_hz(), 0.0);
}

TEST(StepMeterTest, WhatHappensWhileARobotSettlesIsFollowedButNotCounted) {
  const StepMeter meter = Walked({0.02, 0.05, 0.10, 0.06, 0.02, 0.02}, {1, 0, 0, 0, 1, 1}, 5);
  EXPECT_EQ(meter.frequency_hz(), 0.0);
  EXPECT_NEAR(meter.last_height_m(0).value(), 0.08, 1e-15);
}

}  // namespace
}  // namespace gonogo::sim
