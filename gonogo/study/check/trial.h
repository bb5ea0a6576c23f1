// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"
#include "gonogo/robot/policy.h"
#include "gonogo/sim/loop/closed_loop.h"

namespace gonogo::study {

/// One constant command on flat ground, from standing.
struct CommandTrial {
  std::string name;  ///< "zero" or a channel and a direction, such as "vx+"
  int channel = -1;  ///< its slot: 0 vx, 1 vy, 2 wz, from 3 on another channel; -1 = none
  robot::Command command;
  double told = 0.0;  ///< value of another channel, which is tried while walking forwards

  [[nodiscard]] bool is_velocity() const { return channel >= 0 && channel < 3; }
  /// Name without direction.
  [[nodiscard]] std::string channel_name() const { return name.substr(0, name.size() - 1); }
};

/// How the robot moved under it. Means are taken after the first second.
struct Motion {
  std::array<double, 3> velocity{};  ///< mean vx, vy, wz in the body frame
  double height_m = 0.0;             ///< mean posture height …
  double lowest_m = 0.0;             ///< … and its least, of the whole run
  double tilt_rad = 0.0;             ///< largest
  double power_w = 0.0;
  double step_height_m = 0.0;  ///< of its feet: sim/loop/step_meter.h
  double step_frequency_hz = 0.0;
  double time_s = 0.0;  ///< the run ended here
  bool fell = false;
  std::string end;  ///< why it ended early, in words; empty if it did not
};

/// The smallest, largest, mean and spread of a number seen many times.
struct RunningSpread {
  long count = 0;
  double mean = 0.0;
  double squares = 0.0;  ///< sum of squared deviations from the mean
  double low = 0.0;
  double high = 0.0;

  void Add(double value);
  void Add(const RunningSpread& other);
  [[nodiscard]] double deviation() const;
};

/// What was seen while the robot moved, over all its control steps.
struct Seen {
  std::vector<RunningSpread> observation;   ///< per element of the vector
  std::vector<long> clipped;                ///< control steps in which that element was at a clip
  std::vector<RunningSpread> action;        ///< raw, per joint
  std::vector<RunningSpread> position;      ///< per joint, rad
  std::vector<RunningSpread> torque;        ///< per joint, at every physics step
  std::vector<long> target_clipped;         ///< control steps in which a target met its limits
  std::vector<long> torque_limited;         ///< physics steps with the torque at its limit
  std::vector<std::vector<float>> samples;  ///< a few observation vectors as the policy saw them

  void Add(const Seen& other);
};

struct TrialResult {
  Motion motion;
  Seen seen;
};

/// All trials of a command box: standing still, each velocity alone at both of its ends, and every
/// other channel at both of its ends while walking forwards at half speed.
[[nodiscard]] std::vector<CommandTrial> TrialsOf(
    const robot::CommandBox& box,
    const std::vector<robot::CommandChannel>& channels = robot::VelocityChannels());

/// Runs one. A robot has fallen when it touched the ground with a forbidden part, when it is lower
/// than half its spawn height or tilted by more than 1 rad, or when the physics blew up.
[[nodiscard]] Result<TrialResult> RunTrial(const std::shared_ptr<const sim::World>& world,
                                           const std::shared_ptr<const robot::Policy>& policy,
                                           const CommandTrial& trial, double seconds);

/// A robot that walks forwards at half speed while one channel without a role is told a value.
struct ChannelPoint {
  std::string channel;
  double told = 0.0;
  Motion motion;
};

/// Values from the lowest to the highest of every channel without a role, each on flat ground for
/// so many seconds: does the policy follow it? Nothing for a robot that is told velocities alone.
[[nodiscard]] Result<std::vector<ChannelPoint>> SweepChannels(
    const std::shared_ptr<const sim::World>& world,
    const std::shared_ptr<const robot::Policy>& policy, double seconds, const Execution& execution);

}  // namespace gonogo::study
