// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

/// \file
/// Descriptions of three policies that others trained elsewhere. The policies are not part of this
/// repository; tests that need them are skipped without their folder.

namespace gonogo::sim::internal {

inline constexpr char kPublicPolicies[] = GONOGO_SOURCE_DIR "/../shared/data/policies/";

inline bool HavePublicPolicies() { return std::filesystem::exists(kPublicPolicies); }

/// A Go2 of Isaac Lab: height scan, DC motors, joints by type.
inline std::string PublicGo2Toml() {
  const std::string folder = std::string(kPublicPolicies) + "go2_isaaclab_rough_heightscan/";
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

/// A Go1 of MuJoCo Playground: position servos, joints leg by leg, a normaliser in the graph.
inline std::string PublicGo1Toml() {
  const std::string folder = std::string(kPublicPolicies) + "go1_playground/";
  return "[robot]\nname = \"go1\"\nmodel = \"" + folder + "go1_flat.xml\"\npolicy = \"" + folder +
         R"(policy.onnx"
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
}

/// A recurrent G1 of unitree_rl_gym: gait phase, scaled terms, 500 Hz.
inline std::string PublicG1Toml() {
  const std::string folder = std::string(kPublicPolicies) + "g1_unitree_rl_gym_lstm/";
  return "[robot]\nname = \"g1\"\nmodel = \"" + folder + "g1_12dof_flat.xml\"\npolicy = \"" +
         folder + R"(motion_converted.onnx"
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
}

}  // namespace gonogo::sim::internal
