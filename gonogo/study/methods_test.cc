// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/methods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::study {
namespace {

class MethodsTest : public ::testing::Test {
 protected:
  std::string ErrorOf(const std::string& name, const std::vector<std::string>& settings = {}) {
    const Result<Method> method = OpenMethod(name, robot_, "nowhere", settings);
    return method.ok() ? std::string("none") : method.error().message;
  }
  robot::RobotSpec robot_ = robot::LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2").value();
};

TEST_F(MethodsTest, WrongNamesAreRefusedWithAHint) {
  EXPECT_THAT(ErrorOf("govenor"), testing::HasSubstr("did you mean 'governor'"));
  EXPECT_THAT(ErrorOf("scale-fast"), testing::HasSubstr("not a number"));
  EXPECT_THAT(ErrorOf("scale-3"), testing::HasSubstr("expected (0, 2]"));
  EXPECT_THAT(ErrorOf("direct", {"vgcc.gian=0.3"}), testing::HasSubstr("did you mean 'vgcc.gain'"));
  EXPECT_THAT(ErrorOf("direct", {"vgcc.gain"}), testing::HasSubstr("expected vgcc.gain=NUMBER"));
  EXPECT_THAT(ErrorOf("direct", {"vgcc.gain=much"}), testing::HasSubstr("not a number"));
}

TEST_F(MethodsTest, ImpossibleThresholdsAreRefusedEvenIfNobodyUsesThem) {
  for (const char* setting :
       {"vgcc.gain=1.5", "vgcc.gain=nan", "vgcc.progress_floor=-0.1", "vgcc.cost_margin=2",
        "vgcc.anneal_distance=0", "governor.least_scale=0", "governor.height_least=1.2",
        "governor.tilt_full=0.5", "mpc.time_budget=0.9", "mpc.spread=-1", "mpc.success_loss=2",
        "mpc.largest_tilt=0", "vgsr.gain=-1", "vgsr.progress_floor=7", "vgsr.effort_ceiling=0"}) {
    const std::string key = std::string(setting).substr(0, std::string(setting).find('='));
    EXPECT_THAT(ErrorOf("direct", {setting}), testing::HasSubstr("expected")) << setting;
    EXPECT_THAT(ErrorOf("direct", {setting}), testing::HasSubstr(key)) << setting;
  }
}

TEST_F(MethodsTest, MissingModelsAreNamed) {
  EXPECT_THAT(ErrorOf("vgcc"), testing::HasSubstr("response-effort.json"));
  EXPECT_THAT(ErrorOf("mpc"), testing::HasSubstr("macro.json"));
  EXPECT_THAT(ErrorOf("vgsr"), testing::HasSubstr("excitation.h5"));
}

TEST_F(MethodsTest, AnActionIsTakenAllOfTheWayAtEveryDecisionAlsoNearTheTarget) {
  const control::Situation far{.goal_B = {2.0, 0.0}};
  const control::Situation near{.goal_B = {0.1, 0.0}};
  for (const control::Situation& now : {far, near}) {
    const auto command = [&](const std::string& name, const robot::RobotSpec& robot) {
      return OpenMethod(name, robot, "", {}).value().make()->Decide(now).command;
    };
    EXPECT_NEAR(command("action:scale-0.75", robot_).vx, 0.75 * command("direct", robot_).vx,
                1e-15);
    EXPECT_EQ(command("action:direct", robot_), command("direct", robot_));
    const robot::RobotSpec gait =
        robot::LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2_gait").value();
    const robot::CommandChannel* height = robot::FindChannel(gait.channels, "step_height");
    EXPECT_NEAR(height->Of(command("action:step_height=0.03", gait)), 0.03, 1e-15);
  }
  EXPECT_THAT(ErrorOf("action:step_height=0.03"), testing::HasSubstr("controller action:step_h"));
}

TEST_F(MethodsTest, TheIdentityTellsSettingsApart) {
  const auto identity = [&](const std::string& name, const std::vector<std::string>& settings) {
    return OpenMethod(name, robot_, "", settings).value().identity;
  };
  EXPECT_EQ(identity("governor", {}), identity("governor", {"governor.least_scale=0.4"}));
  EXPECT_NE(identity("governor", {}), identity("governor", {"governor.least_scale=0.5"}));
  EXPECT_EQ(identity("governor", {}), identity("governor", {"vgcc.gain=0.3"}))
      << "a setting of another controller changes nothing";
  EXPECT_NE(identity("scale-0.75", {}), identity("scale-0.90", {}));
}

}  // namespace
}  // namespace gonogo::study
