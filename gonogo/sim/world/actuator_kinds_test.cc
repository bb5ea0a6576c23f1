// SPDX-License-Identifier: Apache-2.0
// Several kinds of actuators in one robot, on flywheels whose answers are known.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/sim/loop/env.h"
#include "gonogo/sim/testing/test_world.h"

namespace gonogo::sim {
namespace {

using ::testing::HasSubstr;

/// A heavy block with three flywheels of 0.5 kg m2 that turn about their own centres.
Result<robot::RobotSpec> Flywheels(const std::string& actuator) {
  const std::filesystem::path folder = testing::TempDir();
  std::string wheels;
  std::string motors;
  for (const char* name : {"leg", "wheel", "arm"}) {
    wheels += fmt::format(
        "<body pos=\"0 0 1\"><joint name=\"{}\" axis=\"0 0 1\"/><inertial pos=\"0 0 0\" mass=\"1\" "
        "diaginertia=\"0.5 0.5 0.5\"/></body>",
        name);
    motors += fmt::format("<motor joint=\"{}\"/>", name);
  }
  std::ofstream(folder / "flywheels.xml")
      << "<mujoco><worldbody><body name=\"block\"><freejoint/><geom name=\"sole\" type=\"box\" "
         "size=\"1 1 0.1\" mass=\"1000\"/>"
      << wheels << "</body></worldbody><actuator>" << motors << "</actuator></mujoco>";
  std::ofstream(folder / "flywheels.toml")
      << "[robot]\nname = \"f\"\nmodel = \"flywheels.xml\"\nroot = \"block\"\nfeet = [\"sole\"]\n"
         "forbidden_contacts = []\nspawn_height = 0.1\nphysics_dt = 0.001\ndecimation = 10\n"
         "[joints]\norder = [\"leg\", \"wheel\", \"arm\"]\ndefault = 0.5\naction_scale = 1\n"
         "[[observation]]\nterm = \"joint_pos\"\n[posture]\nnominal_height = 1\n"
      << actuator;
  Result<robot::RobotSpec> spec = robot::LoadRobotSpec(folder / "flywheels.toml");
  std::filesystem::remove(folder / "flywheels.toml");
  return spec;
}

constexpr char kMixed[] =
    "[[actuator.group]]\njoints = [\"l*g\"]\nkind = \"implicit_pd\"\nkp = 200\nkd = 20\n"
    "[[actuator.group]]\njoints = [\"wheel\"]\nkind = \"velocity\"\nkd = 2\neffort_limit = 5\n"
    "[[actuator.group]]\njoints = [\"arm\"]\nkind = \"torque\"\neffort_limit = 3\n";

TEST(ActuatorKindsTest, EachJointHasItsOwnInOneRobot) {
  const Result<robot::RobotSpec> spec = Flywheels(kMixed);
  ASSERT_TRUE(spec.ok()) << spec.error().message;
  Env env(internal::WorldOf(FlatTerrain(), spec.value()));
  Start start;
  start.p_W = {0.0, 0.0, 0.1};
  start.q = {0.5, 0.0, 0.0};
  env.Reset(start);
  // 0.1 s with the leg told 0.5 + 0.2 rad, the wheel 10 rad/s and the arm 2 N m.
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(env.Step(std::vector<float>{0.2F, 10.0F, 2.0F}).ok());
  }
  // 2 N m on 0.5 kg m2, and the block's own turning counts for a thousandth.
  EXPECT_NEAR(env.state().qd[2], 2.0 / 0.5 * 0.1, 0.005);
  EXPECT_NEAR(env.step().torque[2], 2.0, 1e-9);
  // The wheel's 2 (10 - 0) N m are clipped to 5: 1 rad/s after 0.1 s.
  EXPECT_NEAR(env.state().qd[1], 5.0 / 0.5 * 0.1, 0.01);
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(env.Step(std::vector<float>{0.2F, 10.0F, 0.0F}).ok());
  }
  EXPECT_NEAR(env.state().q[0], 0.7, 0.01);
  EXPECT_NEAR(env.state().qd[1], 10.0, 0.05);
  ASSERT_TRUE(env.Step(std::vector<float>{0.2F, 10.0F, -100.0F}).ok());
  EXPECT_NEAR(env.step().torque[2], -3.0, 1e-9);
}

TEST(ActuatorKindsTest, OneKindForAllGivesTheSameNumbersAsThreeGroupsOfIt) {
  const auto after = [](const std::string& actuator) {
    Env env(internal::WorldOf(FlatTerrain(), Flywheels(actuator).value()));
    for (int i = 0; i < 20; ++i) {
      EXPECT_TRUE(env.Step(std::vector<float>{0.2F, -0.4F, 0.1F}).ok());
    }
    return env.state().q;
  };
  std::string groups;
  for (const char* name : {"arm", "leg", "wheel"}) {
    groups += fmt::format(
        "[[actuator.group]]\njoints = [\"{}\"]\nkind = \"pd\"\nkp = 20\nkd = 2\nlag = 0.01\n",
        name);
  }
  EXPECT_EQ(after("[actuator]\nkind = \"pd\"\nkp = 20\nkd = 2\nlag = 0.01\n"), after(groups));
}

TEST(ActuatorKindsTest, NamesJointsThatHaveNoneOrTwoOrAreNotThere) {
  const auto error = [](const std::string& actuator) {
    const Result<robot::RobotSpec> spec = Flywheels(actuator);
    return spec.ok() ? std::string() : spec.error().message;
  };
  const std::string leg = "[[actuator.group]]\njoints = [\"leg\"]\nkind = \"torque\"\n";
  EXPECT_THAT(error(leg), HasSubstr("no [[actuator.group]] names wheel"));
  EXPECT_THAT(error(leg + leg), HasSubstr("leg has an actuator already"));
  EXPECT_THAT(error("[[actuator.group]]\njoints = [\"leg\", \"tail\"]\nkind = \"torque\"\n"),
              HasSubstr("joints.order has no \"tail\""));
  EXPECT_THAT(error("[actuator]\nkind = \"pd\"\n" + leg),
              HasSubstr("actuator.kind: every [[actuator.group]] has its own"));
  EXPECT_THAT(error("[actuator]\nkind = \"velocity\"\nkp = 1\nkd = 1\n"), HasSubstr("actuator.kp"));
}

}  // namespace
}  // namespace gonogo::sim
