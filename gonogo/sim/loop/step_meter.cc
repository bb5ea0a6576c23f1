// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/loop/step_meter.h"

#include <algorithm>

#include "gonogo/base/check.h"

namespace gonogo::sim {

void StepMeter::Add(std::span<const Foot> feet, double dt_s, bool counts) {
  GONOGO_CHECK(feet.size() == feet_.size());
  if (counts) seconds_ += dt_s;
  for (std::size_t f = 0; f < feet_.size(); ++f) {
    const Foot& foot = feet[f];
    Track& track = feet_[f];
    const double z = foot.p_W[2];
    if (foot.touchdown && track.touched && foot.last_air_time_s >= kLeastAir) {
      const double height = std::max(track.highest_z, z) - std::max(track.touched_z, z);
      track.last_height_m = height;
      heights_ += counts ? height : 0.0;
      steps_ += counts ? 1 : 0;
    }
    if (foot.contact || foot.touchdown) {
      track = {z, z, true, track.last_height_m};
    } else {
      track.highest_z = std::max(track.highest_z, z);
    }
  }
}

double StepMeter::height_m() const { return steps_ > 0 ? heights_ / steps_ : 0.0; }

double StepMeter::frequency_hz() const {
  if (seconds_ <= 0.0 || feet_.empty()) return 0.0;
  return steps_ / (seconds_ * static_cast<double>(feet_.size()));
}

}  // namespace gonogo::sim
