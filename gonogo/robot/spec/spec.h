// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/robot/command/command_channel.h"
#include "gonogo/robot/command/target.h"
#include "gonogo/robot/spec/actuator_spec.h"
#include "gonogo/robot/spec/observation_term.h"

/// \file
/// A robot as `robot.toml` describes it: everything that differs between two robots or two
/// policies of one robot is data, so that a policy trained elsewhere is described, not coded.
/// Vectors with one value per joint are in the policy's joint order; a scalar in the file means
/// the same value for every joint. Keys, units and defaults: docs/reference/robot-toml.md.

namespace gonogo::robot {

/// Vertical rays on a yaw-aligned grid under a body; x is the fast index, from rear to front, then
/// y from right to left. A value is z_body - z_ground - offset.
struct HeightScanSpec {
  std::string body;  ///< empty = the root
  int nx = 0;
  int ny = 0;
  double spacing_m = 0.1;
  double offset_m = 0.5;

  [[nodiscard]] int size() const { return nx * ny; }
};

/// Fractions of the nominal height at which the gate of the compensator acts.
struct PostureSpec {
  double nominal_height_m = 0.0;
  double eligible = 0.85;
  double rescue = 0.80;
  double restore = 0.90;
  double decline_m = 0.02;
};

/// The target-reaching task.
struct TaskSpec {
  double tolerance_m = 0.3;      ///< final XY distance of a success; an episode ends inside it
  double height_fraction = 0.7;  ///< final height of a success, of the spawn height
  double horizon_s = 6.0;        ///< an episode that has not arrived ends here
  int decision_every = 4;        ///< control steps per high-level decision
  double contact_limit_n = 1.0;  ///< force on a forbidden part that ends the episode
  std::map<std::string, std::vector<Point2>> targets;  ///< families, relative to the start pose
};

/// Parameters of generated terrain that differ between robots.
struct TerrainSpec {
  double rough_low_m = 0.02;
  double rough_high_m = 0.10;
  double rough_step_m = 0.02;
  double boxes_low_m = 0.05;   ///< half height range of the boxes at difficulty 0 …
  double boxes_high_m = 0.20;  ///< … and 1
  double friction = 1.0;       ///< used where the robot's geoms do not take priority
};

struct RobotSpec {
  std::string name;
  std::string stands_for;         ///< the paper's robot whose place it takes: go2, anymal_d, h1
  std::filesystem::path file;     ///< the robot.toml itself
  std::filesystem::path model;    ///< MJCF
  std::filesystem::path policy;   ///< ONNX; may be empty
  EncoderSpec encoder;            ///< a second graph whose result the policy takes
  std::string root;               ///< body carrying the free joint
  std::vector<std::string> feet;  ///< geoms or bodies
  std::vector<std::string> forbidden_contacts;  ///< geoms or bodies that end an episode

  double physics_dt_s = 0.005;
  int decimation = 4;
  double spawn_height_m = 0.0;  ///< of the root above the terrain origin

  std::vector<std::string> joints;  ///< the policy's order
  std::vector<double> default_pose;
  std::vector<double> action_scale;
  std::vector<double> target_low;  ///< joint targets are clipped to these …
  std::vector<double> target_high;
  double action_clip = std::numeric_limits<double>::infinity();  ///< of the policy's raw output
  double action_smoothing = 0.0;  ///< share of the smoothed action before that stays, in [0, 1)
  int action_delay = 0;           ///< physics steps from an output to the motors
  std::vector<double> armature;   ///< kg m2; empty = the model's
  std::vector<double> friction;   ///< dry, N m; empty = the model's
  ActuatorSpec actuator;

  std::vector<ObservationTerm> observation;  ///< those of one input after those of the other
  FrameHistory frames;                       ///< of the whole, if there are no named inputs
  std::vector<ObservationInput> inputs;      ///< empty = the whole is the policy's first input
  std::vector<std::string> sites;            ///< of the model, in whose frames terms are given
  HeightScanSpec scan;
  std::vector<CommandChannel> channels = VelocityChannels();  ///< in the policy's order
  CommandBox command_box;
  DirectGains direct;
  PostureSpec posture;
  TaskSpec task;
  TerrainSpec terrain;

  [[nodiscard]] int joint_count() const { return static_cast<int>(joints.size()); }
  [[nodiscard]] int observation_size() const;
  /// Where each input is in the observation vector; one without a name if none is named.
  [[nodiscard]] std::vector<ObservationBlock> ObservationBlocks() const;
  /// First index of every term, its history included, in the newest frame.
  [[nodiscard]] std::vector<int> TermStarts() const;
  /// What a joint is told by an action that is clipped and smoothed: an angle, or by the kind of
  /// its actuator a torque or a speed.
  [[nodiscard]] double TargetFor(std::size_t joint, double action) const {
    const double origin = actuator.takes_angle(joint) ? default_pose[joint] : 0.0;
    return origin + action_scale[joint] * action;
  }
  [[nodiscard]] double control_dt_s() const { return physics_dt_s * decimation; }
  /// First index of the newest value of a term in the observation vector; -1 if absent.
  [[nodiscard]] int TermOffset(TermKind kind) const;
  /// The cadence of the gait-phase term that follows the command, or else of the first such term;
  /// null without one.
  [[nodiscard]] const Cadence* cadence() const;
  /// Hash of what the observation and the action mean (order, sizes, scales, joints, channels of
  /// the command, control rate): a model identified on one layout must not be used with another.
  [[nodiscard]] std::uint64_t LayoutHash() const;
};

/// A hash as files carry it: sixteen hexadecimal digits.
[[nodiscard]] std::string HashText(std::uint64_t hash);

/// Reads and checks a robot.toml (or the folder holding one). Paths in it are relative to it.
[[nodiscard]] Result<RobotSpec> LoadRobotSpec(const std::filesystem::path& path);

}  // namespace gonogo::robot
