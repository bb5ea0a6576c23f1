// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::robot {

/// What a height scan says about the ground, in a few numbers that mean the same wherever the robot
/// looks: how uneven it is under the feet and on the way to the goal. A learner that sees 187
/// points would have to find out by itself that their spread matters, from few examples.
class GroundView {
 public:
  static constexpr std::size_t kSize = 4;
  /// Names of the values, in their order.
  [[nodiscard]] static const std::vector<std::string>& Columns();

  /// Fails for a robot whose observation has no height scan.
  [[nodiscard]] static Result<GroundView> Create(const RobotSpec& robot);

  /// In metres, of the points as the policy sees them. Under the feet: within 0.3 m of the middle,
  /// along x and along y. Ahead: 0.2 m to 0.8 m towards the goal and within 0.3 m of that line.
  ///   ground_under   standard deviation of the heights under the feet
  ///   ground_ahead   the same ahead
  ///   ground_rise    highest point ahead above the mean under the feet
  ///   ground_drop    mean under the feet above the lowest point ahead
  [[nodiscard]] std::array<float, kSize> Of(std::span<const float> observation,
                                            Point2 goal_B) const;

 private:
  GroundView() = default;

  std::size_t offset_ = 0;  ///< of the newest scan in the observation
  int nx_ = 0;
  int ny_ = 0;
  double spacing_m_ = 0.0;
  std::vector<double> scale_;
};

}  // namespace gonogo::robot
