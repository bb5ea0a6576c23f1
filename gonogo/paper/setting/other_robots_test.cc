// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/setting/other_robots.h"

#include <gtest/gtest.h>

namespace gonogo::paper {
namespace {

TEST(OtherRobotsTest, AnotherRobotLiesBesideTheFirstAndHasModelsOfItsOwn) {
  const ReproductionSetting go2{.robot = "robots/go2", .models = "runs/models", .folder = "runs"};
  const ReproductionSetting h1 = OnOtherRobot(go2, "h1");
  EXPECT_EQ(h1.robot, "robots/h1");
  EXPECT_EQ(h1.models, "runs/models-h1");
  EXPECT_EQ(h1.folder, "runs");
}

TEST(OtherRobotsTest, ARobotThatIsNotThereIsLeftOutByName) {
  const ReproductionSetting missing{.robot = "robots/no-such-robot", .models = {}, .folder = {}};
  EXPECT_FALSE(HasPolicy(missing));
  EXPECT_EQ(LeftOut(missing).text, "no-such-robot is left out: it has no policy.");
}

}  // namespace
}  // namespace gonogo::paper
