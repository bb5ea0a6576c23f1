// SPDX-License-Identifier: Apache-2.0
// Policies that others trained elsewhere, run from a robot.toml alone: other joint orders, scales,
// actuators, rates, extra terms, recurrent state. They are not part of this repository; without the
// folder that holds them these tests are skipped.
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "gonogo/sim/loop/closed_loop.h"
#include "gonogo/sim/loop/onnx_policy.h"

namespace gonogo::sim {
namespace {

constexpr char kFolder[] = GONOGO_SOURCE_DIR "/../shared/data/policies/";

struct Walk {
  double vx = 0.0;  ///< mean body-frame velocity over 1 s to 10 s
  double vy = 0.0;
  double wz = 0.0;
  double lowest_m = 1e9;
};

class PublicPolicyTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kFolder)) GTEST_SKIP() << "no folder " << kFolder;
  }

  /// Walks for ten seconds on flat ground under one command.
  static Walk Run(const std::string& toml, const robot::Command& command) {
    const std::filesystem::path file =
        std::filesystem::path(testing::TempDir()) /
        (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".toml");
    std::ofstream(file) << toml;
    const Result<robot::RobotSpec> spec = robot::LoadRobotSpec(file);
    EXPECT_TRUE(spec.ok()) << spec.error().message;
    const auto world = World::Create(spec.value(), FlatTerrain());
    EXPECT_TRUE(world.ok()) << world.error().message;
    const auto policy = OnnxPolicy::Load(spec.value());
    EXPECT_TRUE(policy.ok()) << policy.error().message;
    Result<ClosedLoop> loop = ClosedLoop::Create(world.value(), policy.value());
    EXPECT_TRUE(loop.ok()) << loop.error().message;
    std::filesystem::remove(file);
    return Measure(loop.value(), command);
  }

  static Walk Measure(ClosedLoop& loop, const robot::Command& command) {
    Start start;
    start.p_W = {0.0, 0.0, loop.env().spec().spawn_height_m};
    loop.Reset(start);
    Walk walk;
    int samples = 0;
    while (loop.env().state().time_s < 10.0) {
      const Status advanced = loop.Advance(command);
      EXPECT_TRUE(advanced.ok()) << advanced.error().message;
      const robot::RobotState& state = loop.env().state();
      walk.lowest_m = std::min(walk.lowest_m, state.posture_height_m);
      if (state.time_s < 1.0) continue;
      walk.vx += state.v_B[0];
      walk.vy += state.v_B[1];
      walk.wz += state.w_B[2];
      ++samples;
    }
    return {walk.vx / samples, walk.vy / samples, walk.wz / samples, walk.lowest_m};
  }
};

std::string Go2Toml() {
  const std::string folder = std::string(kFolder) + "go2_isaaclab_rough_heightscan/";
  return "[robot]\nname = \"go2\"\nmodel = \"" + folder + "go2_flat.xml\"\npolicy = \"" + folder +
         R"(policy_1208.onnx"
root = "base_link"
feet = ["FL", "FR", "RL", "RR"]
forbidden_contacts = ["base_link"]
spawn_height = 0.34
physics_dt = 0.005
decimation = 4
[joints]
order = ["FL_hip_joint", "FR_hip_joint", "RL_hip_joint", "RR_hip_joint",
         "FL_thigh_joint", "FR_thigh_joint", "RL_thigh_joint", "RR_thigh_joint",
         "FL_calf_joint", "FR_calf_joint", "RL_calf_joint", "RR_calf_joint"]
default = [0.1, -0.1, 0.1, -0.1, 0.8, 0.8, 1.0, 1.0, -1.5, -1.5, -1.5, -1.5]
action_scale = 0.25
target_low = [-0.84, -0.84, -0.84, -0.84, -4, -4, -4, -4, -2.72, -2.72, -2.72, -2.72]
target_high = [0.84, 0.84, 0.84, 0.84, 1.5, 1.5, 1.5, 1.5, -0.84, -0.84, -0.84, -0.84]
[actuator]
kind = "dc_motor"
kp = 25.0
kd = 0.5
effort_limit = 23.5
saturation = 23.5
no_load_speed = 30.0
[height_scan]
points = [17, 11]
[[observation]]
term = "base_lin_vel"
[[observation]]
term = "base_ang_vel"
[[observation]]
term = "projected_gravity"
[[observation]]
term = "command"
[[observation]]
term = "joint_pos"
[[observation]]
term = "joint_vel"
[[observation]]
term = "last_action"
[[observation]]
term = "height_scan"
clip = [-1.0, 1.0]
[posture]
nominal_height = 0.32
)";
}

TEST_F(PublicPolicyTest, AnIsaacLabGo2WalksByDescription) {
  const Walk walk = Run(Go2Toml(), {.vx = 0.5});
  EXPECT_NEAR(walk.vx, 0.420, 0.02);  // what others measured in MuJoCo 2.2.2; so below
  EXPECT_GT(walk.lowest_m, 0.2);
}

TEST_F(PublicPolicyTest, APlaygroundGo1WalksByDescription) {
  const std::string folder = std::string(kFolder) + "go1_playground/";
  const std::string toml = "[robot]\nname = \"go1\"\nmodel = \"" + folder +
                           "go1_flat.xml\"\npolicy = \"" + folder + R"(policy.onnx"
root = "trunk"
feet = ["FR", "FL", "RR", "RL"]
forbidden_contacts = []
spawn_height = 0.278
physics_dt = 0.004
decimation = 5
[joints]
order = ["FR_hip_joint", "FR_thigh_joint", "FR_calf_joint", "FL_hip_joint", "FL_thigh_joint", "FL_calf_joint",
         "RR_hip_joint", "RR_thigh_joint", "RR_calf_joint", "RL_hip_joint", "RL_thigh_joint", "RL_calf_joint"]
default = [0.1, 0.9, -1.8, -0.1, 0.9, -1.8, 0.1, 0.9, -1.8, -0.1, 0.9, -1.8]
action_scale = 0.5
[actuator]
kind = "position"
[[observation]]
term = "base_lin_vel"
at = [-0.01592, -0.06659, -0.00617]   # the imu
[[observation]]
term = "base_ang_vel"
[[observation]]
term = "projected_gravity"
[[observation]]
term = "joint_pos"
[[observation]]
term = "joint_vel"
[[observation]]
term = "last_action"
[[observation]]
term = "command"
[command]
low = [-1.5, -0.8, -1.2]
high = [1.5, 0.8, 1.2]
[posture]
nominal_height = 0.278
)";
  const Walk walk = Run(toml, {.vx = 0.5});
  EXPECT_NEAR(walk.vx, 0.505, 0.02);
  EXPECT_GT(walk.lowest_m, 0.2);
}

TEST_F(PublicPolicyTest, ARecurrentG1WalksByDescription) {
  const std::string folder = std::string(kFolder) + "g1_unitree_rl_gym_lstm/";
  const std::string toml = "[robot]\nname = \"g1\"\nmodel = \"" + folder +
                           "g1_12dof_flat.xml\"\npolicy = \"" + folder + R"(motion_converted.onnx"
root = "pelvis"
feet = ["left_ankle_roll_link", "right_ankle_roll_link"]
forbidden_contacts = ["pelvis"]
spawn_height = 0.79
physics_dt = 0.002
decimation = 10
[joints]
order = ["left_hip_pitch_joint", "left_hip_roll_joint", "left_hip_yaw_joint", "left_knee_joint",
         "left_ankle_pitch_joint", "left_ankle_roll_joint",
         "right_hip_pitch_joint", "right_hip_roll_joint", "right_hip_yaw_joint", "right_knee_joint",
         "right_ankle_pitch_joint", "right_ankle_roll_joint"]
default = [-0.1, 0, 0, 0.3, -0.2, 0, -0.1, 0, 0, 0.3, -0.2, 0]
action_scale = 0.25
[actuator]
kind = "pd"
kp = [100, 100, 100, 150, 40, 40, 100, 100, 100, 150, 40, 40]
kd = [2, 2, 2, 4, 2, 2, 2, 2, 2, 4, 2, 2]
[[observation]]
term = "base_ang_vel"
scale = 0.25
[[observation]]
term = "projected_gravity"
[[observation]]
term = "command"
scale = [2.0, 2.0, 0.25]
[[observation]]
term = "joint_pos"
[[observation]]
term = "joint_vel"
scale = 0.05
[[observation]]
term = "last_action"
[[observation]]
term = "gait_phase"
period = 0.8
[posture]
nominal_height = 0.75
)";
  const Walk walk = Run(toml, {.vx = 0.5});
  EXPECT_NEAR(walk.vx, 0.475, 0.02);
  EXPECT_GT(walk.lowest_m, 0.6);
}

}  // namespace
}  // namespace gonogo::sim
