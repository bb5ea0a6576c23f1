// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/robot/command/command.h"
#include "gonogo/robot/command/target.h"

/// \file
/// A robot as `robot.toml` describes it: everything that differs between two robots or two
/// policies of one robot is data, so that a policy trained elsewhere is described, not coded.
/// Vectors with one value per joint are in the policy's joint order; a scalar in the file means
/// the same value for every joint. Keys, units and defaults: docs/reference/robot-toml.md.

namespace gonogo::robot {

/// How what a joint is told becomes a torque.
enum class ActuatorKind {
  kPd,        ///< kp (target - q) - kd qd, clipped to the effort limit
  kDcMotor,   ///< the same, clipped by the four-quadrant torque-speed line of a DC motor
  kPosition,  ///< the model's own position actuators (implicit PD of the engine)
  /// kp (target - q) - kd qd whose damping the engine integrates implicitly, on the model's motors
  kImplicitPd,
  kTorque,    ///< the target is the torque, clipped to the effort limit
  kVelocity,  ///< kd (target - qd), clipped to the effort limit: wheels
};

/// Vectors have one value per joint, in the policy's order; an empty one means the default.
struct ActuatorSpec {
  std::vector<ActuatorKind> kind;     ///< kPd
  std::vector<double> kp;             ///< N m/rad; NaN or empty with kPosition = the model's
  std::vector<double> kd;             ///< N m s/rad; the same
  std::vector<double> effort_limit;   ///< N m; infinite when not given
  std::vector<double> saturation;     ///< kDcMotor: stall torque, N m
  std::vector<double> no_load_speed;  ///< kDcMotor: rad/s
  std::vector<double> lag_s;          ///< time constant of a first-order torque lag; 0 = none

  [[nodiscard]] ActuatorKind kind_of(std::size_t joint) const {
    return kind.empty() ? ActuatorKind::kPd : kind[joint];
  }
  /// Whether the engine computes a joint's torque, and not `Actuator`.
  [[nodiscard]] bool is_engines(std::size_t joint) const {
    return kind_of(joint) == ActuatorKind::kPosition || kind_of(joint) == ActuatorKind::kImplicitPd;
  }
  [[nodiscard]] bool all_engines() const {
    for (std::size_t j = 0; j < kind.size(); ++j) {
      if (!is_engines(j)) return false;
    }
    return !kind.empty();
  }
  /// Whether actions are offsets from the default pose, and not torques or speeds.
  [[nodiscard]] bool takes_angle(std::size_t joint) const {
    return kind_of(joint) != ActuatorKind::kTorque && kind_of(joint) != ActuatorKind::kVelocity;
  }
  /// Whether `gains` (kp or kd) says something about a joint.
  [[nodiscard]] static bool Given(const std::vector<double>& gains, std::size_t joint) {
    return joint < gains.size() && !std::isnan(gains[joint]);
  }
  /// Whether every joint has both gains.
  [[nodiscard]] bool has_gains() const {
    const auto all = [](const std::vector<double>& gains) {
      return !gains.empty() &&
             std::none_of(gains.begin(), gains.end(), [](double gain) { return std::isnan(gain); });
    };
    return all(kp) && all(kd);
  }
};

enum class TermKind {
  kBaseLinVel,
  kBaseAngVel,
  kProjectedGravity,
  kCommand,
  kJointPos,
  kJointVel,
  kLastAction,
  kHeightScan,
  kGaitPhase,
  kEuler,
  kConstant,
  kFootContact,
};

/// The name of a term in `robot.toml`.
[[nodiscard]] const char* TermName(TermKind kind);

/// Which functions of a gait phase the policy sees, in this order; each for all offsets.
enum class PhaseValues { kSinCos, kCosSin, kSin, kCos };

/// One block of the observation vector: value, + noise (training only), clip, scale; then
/// `history` of these, oldest first unless told otherwise.
struct ObservationTerm {
  TermKind kind = TermKind::kBaseLinVel;
  std::vector<double> scale;  ///< one per element
  double clip_low = -std::numeric_limits<double>::infinity();
  double clip_high = std::numeric_limits<double>::infinity();
  double noise = 0.0;                        ///< half width of the uniform training noise
  int history = 1;                           ///< values kept, this step's included
  bool newest_first = false;                 ///< order of the history
  bool zero_filled = false;                  ///< the first step fills the history with zeros
  std::vector<int> joints;                   ///< of joint terms; empty = all, in their order
  std::vector<double> value;                 ///< kConstant only
  Cadence cadence;                           ///< kGaitPhase only
  PhaseValues phase = PhaseValues::kSinCos;  ///< kGaitPhase only
  std::vector<double> phase_offsets{0.0};    ///< kGaitPhase only, turns, such as one per foot
  bool at_com = false;                       ///< kBaseLinVel: at the root's centre of mass …
  std::array<double, 3> point_B{0, 0, 0};    ///< … or else at this point of the root frame
  int site = -1;           ///< of RobotSpec::sites, instead of the root; -1 = none
  bool smoothed = false;   ///< kLastAction: the action after smoothing
  std::vector<int> feet;   ///< kFootContact only: of RobotSpec::feet
  double contact_n = 1.0;  ///< kFootContact only: force above which it touches

  [[nodiscard]] int width() const { return static_cast<int>(scale.size()); }
  [[nodiscard]] int size() const { return width() * history; }
};

/// The whole observation, several times: now and in the control steps before.
struct FrameHistory {
  int count = 1;
  bool newest_first = false;
  bool zero_filled = false;  ///< the first step fills the others with zeros, not with itself
};

/// A piece of the observation that is an input of its own, of the policy or of its encoder.
struct ObservationInput {
  std::string name;
  int terms = 0;  ///< how many of the observation's terms, after those of the inputs before it
  FrameHistory frames;
};

/// Where an input is in the observation vector.
struct ObservationBlock {
  std::string name;
  std::size_t first_term = 0;
  std::size_t terms = 0;
  std::size_t first = 0;  ///< index of its first number
  std::size_t frame = 0;  ///< numbers of one frame
  FrameHistory frames;

  [[nodiscard]] std::size_t size() const { return frame * static_cast<std::size_t>(frames.count); }
  /// First index of this step's frame.
  [[nodiscard]] std::size_t newest() const {
    return first + (frames.newest_first ? 0 : frame * static_cast<std::size_t>(frames.count - 1));
  }
};

/// A graph that runs before the policy and whose result, all its outputs in their order, is part of
/// one of the policy's inputs.
struct EncoderSpec {
  std::filesystem::path file;       ///< ONNX; empty = there is none
  std::vector<std::string> inputs;  ///< what it takes, in the order of its own inputs
  std::string into;                 ///< the policy's input; empty = its first
  bool before = false;              ///< the result stands before that input's terms, not after
};

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
