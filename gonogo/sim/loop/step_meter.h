// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gonogo/sim/loop/env.h"

namespace gonogo::sim {

/// How high and how often a robot steps, measured control step by control step. A step is a foot
/// that was in the air for at least `kLeastAir` and came down again; it is as high as the foot was
/// above the higher one of the places where it left the ground and came down.
class StepMeter {
 public:
  static constexpr double kLeastAir = 0.06;  ///< s; less is a foot that chatters

  explicit StepMeter(std::size_t feet) : feet_(feet) {}

  /// Looks at the feet after a control step of `dt_s`. With `counts` false the feet are only
  /// followed, as while a robot settles.
  void Add(std::span<const Foot> feet, double dt_s, bool counts = true);

  /// Mean height of the steps, m; 0 without any.
  [[nodiscard]] double height_m() const;
  /// Height of the last step of one foot, whether it counted or not; nothing before the first.
  [[nodiscard]] std::optional<double> last_height_m(std::size_t foot) const {
    return feet_[foot].last_height_m;
  }
  /// Steps of one foot per second.
  [[nodiscard]] double frequency_hz() const;

 private:
  struct Track {
    double touched_z = 0.0;  ///< where it last touched the ground
    double highest_z = 0.0;  ///< since then
    bool touched = false;    ///< ever
    std::optional<double> last_height_m = {};
  };
  std::vector<Track> feet_;
  double seconds_ = 0.0;
  double heights_ = 0.0;
  int steps_ = 0;
};

}  // namespace gonogo::sim
