// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/sim/world/terrain.h"
#include "gonogo/train/gait/biped.h"
#include "gonogo/train/gait/trot.h"
#include "gonogo/train/ppo/actor_critic.h"
#include "gonogo/train/ppo/clone.h"
#include "gonogo/train/ppo/ppo.h"
#include "gonogo/train/ppo/symmetry.h"

namespace gonogo::train {

/// Weights of the reward's terms, per second of simulated time. Penalties are negative.
struct RewardWeights {
  double track_velocity = 1.5;      ///< exp(-|error|^2 / velocity_width^2), planar
  double velocity_width = 0.32;     ///< m/s
  double velocity_error = 0.0;      ///< planar, per m/s: pulls where the exponential is flat
  double track_yaw = 0.75;          ///< exp(-error^2 / yaw_width^2)
  double yaw_width = 0.39;          ///< rad/s
  double vertical_velocity = -2.0;  ///< squared
  double roll_pitch_rate = -0.05;   ///< squared
  double tilt = -1.0;               ///< squared horizontal part of gravity
  double height = -10.0;            ///< squared deviation from the posture height
  double height_m = 0.30;
  double torque = -1e-4;          ///< squared, summed over joints
  double power = 0.0;             ///< per W: |torque x speed| of all joints at every physics step
  double still = 0.0;             ///< squared joint speeds, summed, while told to stand
  double acceleration = -2.5e-7;  ///< squared, summed over joints
  double action_rate = -0.01;     ///< squared, summed over joints
  double gait = 0.1;              ///< per foot that is on the ground or in the air as the gait asks
  /// Per foot, while it is to walk: exp(-error^2 / clearance_width^2) of the height of its last
  /// step (sim/loop/step_meter.h) against that of the trot under this command.
  double clearance = 0.0;
  double clearance_width = 0.02;  ///< m
  double slip = -0.1;             ///< squared horizontal speed of feet on the ground
  double fall = -3.0;             ///< once, not per second
};

/// Grounds of a stage, from easy to hard and of both kinds; environment e stands on e modulo this.
inline constexpr int kStageGrounds = 8;

/// Ground and length of one part of the training.
struct Stage {
  int iterations = 0;
  double rough_m = 0.0;      ///< highest vertex of random-rough ground; 0 = flat
  double difficulty = -1.0;  ///< hardest slopes, boxes and stairs, in [0, 1]; negative = none
  double tile_share = 0.5;   ///< environments on those, if there are any
  std::vector<sim::TileKind> tiles{sim::TileKind::kStairs, sim::TileKind::kStairsDown,
                                   sim::TileKind::kBoxes, sim::TileKind::kSlope,
                                   sim::TileKind::kSlopeDown};  ///< columns of those
  RewardWeights reward;
  std::optional<PpoConfig> ppo = {};  ///< none = the recipe's
};

/// How a policy is made: `train.toml` beside the robot's `robot.toml`.
struct Recipe {
  std::uint64_t seed = 1;
  int environments = 128;
  int steps = 32;             ///< per environment and iteration
  int critic_warm_up = 20;    ///< iterations before the cloned policy may change
  int checkpoint_every = 25;  ///< iterations; also where all environments start afresh
  double episode_s = 20.0;
  std::array<double, 2> command_s{3.0, 8.0};  ///< a command lasts between these
  double small_commands = 0.15;               ///< share of commands scaled by 0.3
  double zero_commands = 0.05;
  bool lasting_commands = false;           ///< values are those of a command that never changes
  bool fast_ground = true;                 ///< feet meet the ground as in sim/model/sphere_ground.h
  double push_m_s = 0.0;                   ///< a push adds up to this to vx and to vy; 0 = none …
  std::array<double, 2> push_s{4.0, 8.0};  ///< … and comes this long after the last one
  double noise = 0.25;                     ///< factor on the observation noise of robot.toml
  NetworkConfig network;
  CloneConfig clone;
  PpoConfig ppo;
  RewardWeights reward;
  std::vector<Stage> stages;
  TrotConfig trot;    ///< the walking start of a robot with three-joint legs …
  BipedConfig biped;  ///< … or that of a biped; the other one has no legs
  bool mirror = true;
  Symmetry symmetry;
  std::string fingerprint;  ///< SHA-256 of the files that decide the result

  [[nodiscard]] bool is_biped() const { return !biped.legs.empty(); }
  [[nodiscard]] double gait_period_s() const { return is_biped() ? biped.period_s : trot.period_s; }
  /// Whether foot `i` should carry weight at this share of the period.
  [[nodiscard]] bool FootInStance(std::size_t i, double phase) const;
};

/// Reads and checks the recipe of a robot. The walking start's stiffness is the robot's own;
/// `weight_n` is left to whoever knows the model.
[[nodiscard]] Result<Recipe> LoadRecipe(const std::filesystem::path& file,
                                        const robot::RobotSpec& spec);

}  // namespace gonogo::train
