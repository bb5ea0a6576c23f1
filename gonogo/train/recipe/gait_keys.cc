// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/recipe/gait_keys.h"

#include <algorithm>
#include <optional>

namespace gonogo::train {

using io::TomlNode;
using robot::RobotSpec;

namespace {

std::optional<int> JointIndex(const RobotSpec& spec, const std::string& name) {
  const auto found = std::find(spec.joints.begin(), spec.joints.end(), name);
  if (found == spec.joints.end()) return std::nullopt;
  return static_cast<int>(found - spec.joints.begin());
}

}  // namespace

std::vector<int> Joints(const TomlNode& node, std::string_view key, const RobotSpec& spec) {
  std::vector<int> indices;
  for (const std::string& name : node.Strings(key, {})) {
    const std::optional<int> index = JointIndex(spec, name);
    if (index) {
      indices.push_back(*index);
    } else {
      node.Fail(key, fmt::format("names {}, which is no joint of {}", name, spec.name));
    }
  }
  return indices;
}

namespace {

// The channel of the command that says how high the trot swings its feet, if there is one.
void ReadSwingChannel(const TomlNode& node, const RobotSpec& spec, TrotConfig& trot) {
  if (!node.Has("swing_channel")) return;
  const std::string name = node.String("swing_channel", "");
  const robot::CommandChannel* channel = robot::FindChannel(spec.channels, name);
  if (channel == nullptr || channel->is_velocity()) {
    node.Fail(
        "swing_channel",
        fmt::format("found \"{}\", expected a channel of the command without a role; {} has {}",
                    name, spec.name, robot::ChannelNames(spec.channels)));
  } else if (channel->Of(spec.command_box.low) < 0.0) {
    node.Fail("swing_channel", fmt::format("\"{}\" can be {}, expected a height of 0 m or more",
                                           name, channel->Of(spec.command_box.low)));
  } else {
    trot.swing_channel = *channel;
    trot.swing_height_m = channel->nominal;
  }
}

}  // namespace

void ReadTrot(const TomlNode& node, const RobotSpec& spec, TrotConfig& trot) {
  if (spec.cadence() != nullptr) trot.period_s = spec.cadence()->period_s;
  trot.period_s = node.NumberIn("period", trot.period_s, 0.05, 5.0);
  trot.stance_share = node.NumberIn("stance_share", trot.stance_share, 0.1, 0.9);
  trot.stand_height_m = node.NumberIn("stand_height", trot.stand_height_m, 0.01, 5.0);
  trot.swing_height_m = node.NumberIn("swing_height", trot.swing_height_m, 0.0, 1.0);
  ReadSwingChannel(node, spec, trot);
  trot.velocity_gain_s = node.NumberIn("velocity_gain", trot.velocity_gain_s, 0.0, 1.0);
  trot.attitude_rate_gain_s = node.NumberIn("attitude_gain", trot.attitude_rate_gain_s, 0.0, 1.0);
  trot.press_share = node.NumberIn("press_share", trot.press_share, 0.0, 2.0);
  trot.trim_m.x() = node.NumberIn("trim", trot.trim_m.x(), -1.0, 1.0);
  trot.lead_s = node.NumberIn("lead", trot.lead_s, 0.0, 1.0);
  const bool gains = spec.actuator.has_gains();
  const double damping = gains ? spec.actuator.kd.front() : 0.0;
  trot.damping_nms = damping * node.NumberIn("damping_share", 0.0, 0.0, 2.0);
  const std::vector<double> inertia = node.NumbersFor("inertia", 3, {0.0, 0.0, 0.0});
  std::copy(inertia.begin(), inertia.end(), trot.inertia_kgm2.data());
  trot.stiffness_nm = gains ? spec.actuator.kp.front() : trot.stiffness_nm;
  for (const TomlNode& leg_node : node.Tables("leg")) {
    TrotLeg leg;
    const std::vector<int> joints = Joints(leg_node, "joints", spec);
    if (joints.size() == 3) {
      std::copy(joints.begin(), joints.end(), leg.joints.begin());
    } else {
      leg_node.Fail("joints", "expected three joints: abduction, hip, knee");
    }
    const std::vector<double> hip = leg_node.Numbers("hip", {});
    if (hip.size() == 2) {
      leg.geometry.hip_B = {hip[0], hip[1]};
    } else {
      leg_node.Fail("hip", "expected two coordinates of the abduction axis in the base frame");
    }
    leg.geometry.lateral = leg_node.NumberIn("lateral", 0.0, -5.0, 5.0);
    leg.geometry.thigh = leg_node.Require("thigh").NumberIn("thigh", 1.0, 1e-3, 5.0);
    leg.geometry.shank = leg_node.Require("shank").NumberIn("shank", 1.0, 1e-3, 5.0);
    leg.geometry.knee_sign = leg_node.Bool("knee_forward", false) ? 1.0 : -1.0;
    leg.geometry.foot_forward = leg_node.NumberIn("foot_forward", 0.0, -5.0, 5.0);
    leg.home_m = leg_node.NumberIn("home", 0.0, -5.0, 5.0);
    leg.phase = leg_node.NumberIn("phase", 0.0, 0.0, 1.0);
    trot.legs.push_back(leg);
  }
  if (3 * static_cast<int>(trot.legs.size()) != spec.joint_count()) {
    node.Fail("leg", fmt::format("{} legs of three joints do not make the {} joints of {}",
                                 trot.legs.size(), spec.joint_count(), spec.name));
  }
}

namespace {

BipedLeg ReadBipedLeg(const TomlNode& node, const RobotSpec& spec) {
  BipedLeg leg;
  const std::vector<int> joints = Joints(node, "joints", spec);
  if (joints.size() == 5) {
    std::copy(joints.begin(), joints.end(), leg.joints.begin());
  } else {
    node.Fail("joints", "expected five joints: yaw, roll, pitch, knee, ankle");
  }
  for (const char* key : {"yaw_axis", "thigh", "shank"}) node.Require(key);
  const std::vector<double> axis = node.NumbersFor("yaw_axis", 3, {0.0, 0.0, 0.0});
  std::copy(axis.begin(), axis.end(), leg.yaw_axis_B.data());
  leg.geometry.hip_B.x() = node.NumberIn("roll_forward", 0.0, -5.0, 5.0);
  leg.geometry.lateral = node.NumberIn("lateral", 0.0, -5.0, 5.0);
  leg.geometry.thigh = node.NumberIn("thigh", 1.0, 1e-3, 5.0);
  leg.geometry.shank = node.NumberIn("shank", 1.0, 1e-3, 5.0);
  leg.geometry.knee_sign = 1.0;
  leg.phase = node.NumberIn("phase", 0.0, 0.0, 1.0);
  return leg;
}

}  // namespace

void ReadBiped(const TomlNode& node, const RobotSpec& spec, BipedConfig& biped) {
  const auto read = [&node](const char* key, double& value, double low, double high) {
    value = node.NumberIn(key, value, low, high);
  };
  read("period", biped.period_s, 0.05, 5.0);
  read("stance_share", biped.stance_share, 0.5, 0.9);
  read("stand_height", biped.stand_height_m, 0.01, 5.0);
  read("sole", biped.sole_m, 0.0, 1.0);
  read("pendulum", biped.pendulum_m, 0.01, 5.0);
  read("swing_height", biped.swing_height_m, 0.0, 1.0);
  read("half_width", biped.half_width_m, 0.0, 1.0);
  read("pressure", biped.pressure_m, -1.0, 1.0);
  read("speed_change", biped.speed_change_m_s, 0.0, 10.0);
  read("trim", biped.trim_m, -1.0, 1.0);
  read("lean", biped.lean, -1.0, 1.0);
  read("height_stiffness", biped.height_stiffness_n_m, 0.0, 1e6);
  read("height_damping", biped.height_damping_ns_m, 0.0, 1e5);
  read("trunk_stiffness", biped.trunk_stiffness_nm, 0.0, 1e5);
  read("trunk_damping", biped.trunk_damping_nms, 0.0, 1e4);
  read("hip_arm", biped.hip_arm_m, 0.0, 1.0);
  read("trunk_share", biped.trunk_share, 0.0, 2.0);
  read("swing_rate", biped.swing_rate, 0.0, 100.0);
  read("swing_damping", biped.swing_damping, 0.0, 10.0);
  const std::vector<double> inertia = node.NumbersFor("inertia", 5, std::vector<double>(5, 0.0));
  std::copy(inertia.begin(), inertia.end(), biped.inertia_kgm2.data());
  for (const TomlNode& leg : node.Tables("leg")) biped.legs.push_back(ReadBipedLeg(leg, spec));
  if (biped.legs.size() != 2) node.Fail("leg", "expected two legs: left, right");
}

// What a network is to imitate must be a function of the phase it sees.
void CheckPeriod(const TomlNode& gait, const RobotSpec& spec, double period_s) {
  for (const robot::ObservationTerm& term : spec.observation) {
    if (term.kind != robot::TermKind::kGaitPhase || term.cadence.period_s == period_s) continue;
    gait.Fail("period",
              fmt::format("found {}, expected the {} of the gait_phase term in {}", period_s,
                          term.cadence.period_s, spec.file.filename().string()));
  }
}

}  // namespace gonogo::train
