// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo {
class RngStream;
}
namespace gonogo::robot {
struct RobotSpec;
}

namespace gonogo::sim {

/// What disturbs one episode while it runs. A value: with the number of the control step it decides
/// every draw, so that an episode continued from a snapshot is disturbed as if it had never
/// stopped.
struct Disturbance {
  bool noise = false;         ///< training noise on every observation
  double push_speed = 0.0;    ///< m/s; a push adds up to this to vx and vy of the root; 0: none …
  double push_after_s = 0.0;  ///< … and comes this long after the last one at the earliest …
  double push_before_s = 0.0;  ///< … and this long at the latest
  std::uint64_t seed = 0;
};

/// A push in the plane.
struct PushVelocity {
  double vx = 0.0;
  double vy = 0.0;
};

/// The push that comes at the beginning of the control step, zero if none does.
[[nodiscard]] PushVelocity PushAt(const Disturbance& disturbance, std::int64_t step,
                                  double control_dt_s);

/// Why an episode cannot go on.
enum class Termination : std::uint8_t {
  kNone,
  kForbiddenContact,  ///< a part that must not touch the ground did, with more than the limit
  kDiverged,          ///< the physics blew up; `termination_detail()` says how
};

/// Where and how an episode starts. Joint velocities start at zero.
struct Start {
  std::array<double, 3> p_W{};
  double yaw = 0.0;
  std::array<double, 3> v_W{};
  std::array<double, 3> w_B{};
  std::vector<double> q;         ///< empty = the default pose
  double phase_time_s = 0.0;     ///< clock of gait-phase terms at the first step
  Disturbance disturbance = {};  ///< while the episode runs, under a ClosedLoop
};

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
