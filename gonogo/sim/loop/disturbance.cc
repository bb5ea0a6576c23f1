// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/loop/disturbance.h"

#include "gonogo/base/rng.h"

namespace gonogo::sim {

PushVelocity PushAt(const Disturbance& disturbance, std::int64_t step, double control_dt_s) {
  if (disturbance.push_speed <= 0.0) return {};
  const RngStream stream = RngStream(disturbance.seed).Child("push");
  double time_s = 0.0;
  for (std::uint64_t k = 0;; ++k) {
    Rng rng = stream.Child(k).Generator();
    time_s += rng.Uniform(disturbance.push_after_s, disturbance.push_before_s);
    const auto due = static_cast<std::int64_t>(time_s / control_dt_s);
    if (due > step) return {};
    if (due < step) continue;
    const double vx = rng.Uniform(-disturbance.push_speed, disturbance.push_speed);
    const double vy = rng.Uniform(-disturbance.push_speed, disturbance.push_speed);
    return {vx, vy};
  }
}

}  // namespace gonogo::sim
