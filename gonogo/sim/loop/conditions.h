// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/sim/loop/env.h"

namespace gonogo::sim {

/// From where to where something is drawn uniformly.
struct DrawRange {
  double low = 0.0;
  double high = 0.0;

  bool operator==(const DrawRange&) const = default;
};

/// Under what a robot is run besides its commands: what Isaac Lab's tasks do in training. Declared
/// as a text, parts joined by commas in any order; the empty one is undisturbed.
///
///     noise                the observation's training noise, of every run
///     payload=-1..3        kg added to the root, drawn once for every seed
///     friction=0.3..0.6    sliding friction of feet and ground, drawn once for every seed
///     push=0.5@10..15      every 10 to 15 s up to 0.5 m/s are added to vx and to vy
///     speed=0.5            all six velocities of the root start within ±0.5 (m/s, rad/s)
///     joints=0.5..1.5      joints start at their default times a factor from here
///     nominal=measured     nominal posture height: what the policy stands at; or metres, 0.38
///     isaac-go2, isaac-anymal-d, isaac-h1      what the tasks of these robots do
struct Conditions {
  bool noise = false;
  std::optional<DrawRange> payload_kg = {};
  std::optional<DrawRange> friction = {};
  double push_speed = 0.0;  ///< m/s
  DrawRange push_every_s = {};
  double start_speed = 0.0;  ///< m/s, rad/s
  std::optional<DrawRange> joint_factor = {};
  std::optional<double> nominal_height_m = {};
  bool measured_nominal = false;

  [[nodiscard]] static Result<Conditions> Parse(std::string_view text);
  /// The text that gives these; empty when nothing disturbs.
  [[nodiscard]] std::string text() const;

  bool operator==(const Conditions&) const = default;
};

/// What `Conditions::Parse` takes, in one line for help and docs.
[[nodiscard]] std::string_view ConditionsSyntax();

/// Makes a start one under these conditions. The same stream gives the same draws.
void Expose(const Conditions& conditions, const robot::RobotSpec& robot, const RngStream& stream,
            Start& start);

}  // namespace gonogo::sim
