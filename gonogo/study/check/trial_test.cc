// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/check/trial.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/study/testing/still_scene.h"

namespace gonogo::study {
namespace {

TEST(TrialTest, ASpreadMergedFromPartsIsThatOfTheWhole) {
  RunningSpread whole;
  RunningSpread left;
  RunningSpread right;
  for (const double value : {2.0, 4.0, 9.0}) {
    whole.Add(value);
    (value < 5.0 ? left : right).Add(value);
  }
  left.Add(right);
  EXPECT_DOUBLE_EQ(left.mean, 5.0);
  EXPECT_DOUBLE_EQ(left.deviation(), std::sqrt(26.0 / 3.0));  // 9 + 1 + 16
  EXPECT_DOUBLE_EQ(whole.deviation(), left.deviation());
  EXPECT_DOUBLE_EQ(left.low, 2.0);
  EXPECT_DOUBLE_EQ(left.high, 9.0);
}

TEST(TrialTest, EveryChannelIsAskedAloneAtBothEndsOfTheBox) {
  std::vector<std::string> names;
  for (const CommandTrial& trial : TrialsOf({{-0.5, 0.0, -1.0}, {2.0, 0.0, 1.0}})) {
    names.push_back(trial.name);
    EXPECT_EQ((trial.command.vx != 0.0) + (trial.command.vy != 0.0) + (trial.command.wz != 0.0),
              trial.channel < 0 ? 0 : 1);
  }
  EXPECT_THAT(names, testing::ElementsAre("zero", "vx+", "vx-", "wz+", "wz-"));
}

TEST(TrialTest, OtherChannelsAreTriedAtBothEndsWhileWalking) {
  const std::vector<robot::CommandChannel> channels{{"vx", 0}, {"step_height", 3, 0.05}};
  robot::CommandBox box{{.vx = 0.0}, {.vx = 1.0}};
  channels[1].Set(box.low, 0.05);  // its nominal value is its lowest
  channels[1].Set(box.high, 0.2);
  const std::vector<CommandTrial> trials = TrialsOf(box, channels);
  ASSERT_EQ(trials.size(), 3U);
  EXPECT_EQ(trials[1].name, "vx+");
  EXPECT_EQ(trials[2].name, "step_height+");
  EXPECT_FALSE(trials[2].is_velocity());
  EXPECT_DOUBLE_EQ(trials[2].told, 0.2);
  EXPECT_DOUBLE_EQ(trials[2].command.vx, 0.5);
  EXPECT_DOUBLE_EQ(channels[1].Of(trials[2].command), 0.2);
}

TEST(TrialTest, ARobotThatHoldsItsPoseStandsAndGoesNowhere) {
  const Scene scene = internal::StillGo2();
  const Result<TrialResult> run = RunTrial(scene.world, scene.policy, {"vx+", 0, {.vx = 1.0}}, 2.0);
  ASSERT_TRUE(run.ok()) << run.error().message;
  const Motion& motion = run.value().motion;
  EXPECT_FALSE(motion.fell) << motion.end;
  EXPECT_NEAR(motion.velocity[0], 0.0, 0.02);
  EXPECT_GT(motion.height_m, 0.2);
  EXPECT_EQ(run.value().seen.action.at(0).count, 100);  // 2 s at 50 Hz
  EXPECT_DOUBLE_EQ(run.value().seen.action.at(0).high, 0.0);
}

TEST(TrialTest, AFallIsSeenByHeightOrTiltEvenIfNoPartIsForbidden) {
  Scene scene = internal::StillGo2();
  scene.robot.forbidden_contacts.clear();
  for (double& gain : scene.robot.actuator.kp) gain = 0.0;  // it drops
  scene.world = sim::World::Create(scene.robot, sim::FlatTerrain()).value();
  const Result<TrialResult> run = RunTrial(scene.world, scene.policy, {"zero", -1, {}}, 3.0);
  ASSERT_TRUE(run.ok()) << run.error().message;
  EXPECT_TRUE(run.value().motion.fell);
  EXPECT_LT(run.value().motion.time_s, 2.0);
  EXPECT_THAT(run.value().motion.end, testing::AnyOf(testing::HasSubstr("half the spawn height"),
                                                     testing::HasSubstr("tilted")));
}

}  // namespace
}  // namespace gonogo::study
