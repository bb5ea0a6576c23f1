// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

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

}  // namespace gonogo::sim
