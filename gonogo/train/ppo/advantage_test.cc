// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/advantage.h"

#include <cmath>

#include <gtest/gtest.h>

namespace gonogo::train {
namespace {

Rollout ThreeSteps() {
  Rollout rollout(1, 3, 1, 1);
  rollout.values = {1.0F, 2.0F, 3.0F};
  rollout.last_values = {4.0F};
  for (int t = 0; t < 3; ++t) rollout.outcomes[t].reward = static_cast<float>(t + 1);
  return rollout;
}

TEST(AdvantageTest, MatchesAHandWorkedExample) {
  const Advantages got = EstimateAdvantages(ThreeSteps(), 0.5, 0.5);
  // delta = (1 + 1 - 1, 2 + 1.5 - 2, 3 + 2 - 3) = (1, 1.5, 2); A = delta + 0.25 A_next.
  const double a2 = 2.0;
  const double a1 = 1.5 + 0.25 * a2;
  const double a0 = 1.0 + 0.25 * a1;
  EXPECT_NEAR(got.returns[2], a2 + 3.0, 1e-6);
  EXPECT_NEAR(got.returns[1], a1 + 2.0, 1e-6);
  EXPECT_NEAR(got.returns[0], a0 + 1.0, 1e-6);
}

TEST(AdvantageTest, ReturnsAreDiscountedSumsWhenLambdaIsOne) {
  const Advantages got = EstimateAdvantages(ThreeSteps(), 0.9, 1.0);
  EXPECT_NEAR(got.returns[0], 1.0 + 0.9 * (2.0 + 0.9 * (3.0 + 0.9 * 4.0)), 1e-5);
}

TEST(AdvantageTest, AFailureEndsTheSumAndAClockGoesOnWithTheValueBefore) {
  Rollout rollout = ThreeSteps();
  rollout.outcomes[1].terminated = true;
  EXPECT_NEAR(EstimateAdvantages(rollout, 0.9, 1.0).returns[0], 1.0 + 0.9 * 2.0, 1e-5);
  rollout.outcomes[1].terminated = false;
  rollout.outcomes[1].timed_out = true;
  EXPECT_NEAR(EstimateAdvantages(rollout, 0.9, 1.0).returns[0], 1.0 + 0.9 * (2.0 + 0.9 * 2.0),
              1e-5);
}

// What the next command happens to be is not the doing of the actions before it.
TEST(AdvantageTest, AnotherTaskCutsTheSumAsAClockDoes) {
  Rollout clock = ThreeSteps();
  clock.outcomes[1].timed_out = true;
  Rollout task = ThreeSteps();
  task.outcomes[1].task_ended = true;
  EXPECT_EQ(EstimateAdvantages(task, 0.9, 0.95).returns,
            EstimateAdvantages(clock, 0.9, 0.95).returns);
  task.last_values = {400.0F};  // of another task
  task.values[2] = 300.0F;
  EXPECT_EQ(EstimateAdvantages(task, 0.9, 0.95).returns[0],
            EstimateAdvantages(clock, 0.9, 0.95).returns[0]);
  task.outcomes[1].terminated = true;  // a fall stays a fall
  EXPECT_NEAR(EstimateAdvantages(task, 0.9, 1.0).returns[0], 1.0 + 0.9 * 2.0, 1e-5);
}

TEST(AdvantageTest, AreNormalisedOverTheRollout) {
  const Advantages got = EstimateAdvantages(ThreeSteps(), 0.9, 0.95);
  double mean = 0.0;
  double squares = 0.0;
  for (const float a : got.advantage) mean += a / 3.0;
  for (const float a : got.advantage) squares += (a - mean) * (a - mean) / 2.0;
  EXPECT_NEAR(mean, 0.0, 1e-6);
  EXPECT_NEAR(std::sqrt(squares), 1.0, 1e-5);
}

// Environments 0 and 2 stand on quiet ground, 1 and 3 where rewards are ten times as large.
TEST(AdvantageTest, AreNormalisedGroupByGroup) {
  constexpr std::size_t kSteps = 5;
  Rollout rollout(4, kSteps, 1, 1);
  for (std::size_t row = 0; row < rollout.size(); ++row) {
    const std::size_t e = row / kSteps;
    rollout.outcomes[row].reward = (e % 2 == 0 ? 1.0F : 10.0F) * static_cast<float>((7 * row) % 5);
  }
  const Advantages got = EstimateAdvantages(rollout, 0.9, 0.95, 2);
  double weights = 0.0;
  for (const std::size_t group : {0, 1}) {
    double mean = 0.0;
    double squares = 0.0;
    for (const std::size_t e : {group, group + 2}) {
      for (std::size_t t = 0; t < kSteps; ++t) {
        const float a = got.advantage[e * kSteps + t];
        mean += a / 10.0;
        squares += a * a / 9.0;
        weights += got.value_weight[e * kSteps + t] / 20.0;
      }
    }
    EXPECT_NEAR(mean, 0.0, 1e-6);
    EXPECT_NEAR(squares, 1.0, 1e-5);
  }
  EXPECT_NEAR(weights, 1.0, 1e-6);
  EXPECT_NEAR(got.value_weight[0] / got.value_weight[kSteps], 100.0, 1e-2);
}

}  // namespace
}  // namespace gonogo::train
