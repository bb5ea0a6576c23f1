// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/collect/action_predictions.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::study {
namespace {

/// Walks exactly as told; the second member expects twice the power of the first.
class ObedientRobot final : public response::MacroPredictor {
 public:
  [[nodiscard]] int members() const override { return 2; }
  [[nodiscard]] int observation_size() const override { return 1; }
  [[nodiscard]] std::unique_ptr<Scratch> MakeScratch(std::size_t) const override {
    return std::make_unique<Scratch>();
  }
  void Advance(int member, std::span<const float> observations,
               std::span<const robot::Command> commands, std::span<float> next,
               std::span<response::MacroResponse> responses, Scratch&) const override {
    EXPECT_TRUE(observations.size() == 1 || observations.size() == commands.size());
    for (std::size_t i = 0; i < commands.size(); ++i) {
      const float seen = observations[observations.size() == 1 ? 0 : i];
      const auto vx = static_cast<float>(commands[i].vx);
      next[i] = seen + 1.0F;
      responses[i] = {.dx = 0.08F * vx,
                      .power_w = 100.0F * vx * static_cast<float>(member + 1),
                      .min_height_m = 0.3F - 0.01F * seen,
                      .max_tilt_rad = 0.1F * vx,
                      .max_angular_speed = seen};
    }
  }
};

std::vector<Intervention> Named(const std::vector<const char*>& names) {
  std::vector<Intervention> interventions;
  for (const char* name : names) interventions.push_back(ParseIntervention(name).value());
  return interventions;
}

TEST(PredictPrefixTest, GivesTheHandWorkedDifferenceToDirectControl) {
  robot::RobotSpec robot;
  robot.physics_dt_s = 0.005;
  robot.decimation = 4;
  robot.task.decision_every = 4;  // a macro step of 0.08 s
  const BranchRule rule{.prefix = 4, .blend = {.share = 1.0, .anneal_distance_m = 0.0}};
  const std::vector<float> observation{0.0F};
  const std::vector<Intervention> actions = Named({"scale-0.5", "direct"});
  const PredictionGroup group =
      PredictPrefix(ObedientRobot(), {observation, {2.0, 0.0}, actions}, rule, robot);
  ASSERT_EQ(group.columns.size(), 10U);
  ASSERT_EQ(group.values.size(), 20U);
  const auto value = [&](const char* column) {
    const auto found = std::find(group.columns.begin(), group.columns.end(), column);
    return group.values.at(static_cast<std::size_t>(found - group.columns.begin()));
  };
  // Direct walks at 1 m/s, the other at half of it: 4 x 0.08 s x 100 W less half, times member.
  EXPECT_NEAR(value("eta_mean_work"), -24.0, 1e-4);
  EXPECT_NEAR(value("eta_sd_work"), 8.0 * std::sqrt(2.0), 1e-4);
  EXPECT_NEAR(value("eta_mean_progress"), -0.16, 1e-6);
  EXPECT_NEAR(value("eta_sd_progress"), 0.0, 1e-6);
  EXPECT_NEAR(value("eta_mean_max_tilt"), -0.05, 1e-6);
  EXPECT_EQ(value("eta_mean_min_height"), 0.0F);         // both sink alike …
  EXPECT_EQ(value("eta_mean_max_angular_speed"), 0.0F);  // … as the rolled observation tells them
  for (std::size_t i = 10; i < 20; ++i) EXPECT_EQ(group.values[i], 0.0F) << "direct, column " << i;
}

TEST(PredictPrefixTest, NearTheTargetTheBlendTakesTheDifferenceAway) {
  robot::RobotSpec robot;
  robot.task.decision_every = 4;
  const std::vector<float> observation{0.0F};
  const std::vector<Intervention> actions = Named({"direct", "yaw+0.2", "scale-0.5"});
  const PredictionGroup group =
      PredictPrefix(ObedientRobot(), {observation, {0.0, 0.0}, actions}, {}, robot);
  EXPECT_THAT(group.values, testing::Each(0.0F));
}

}  // namespace
}  // namespace gonogo::study
