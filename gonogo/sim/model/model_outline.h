// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo::sim {

/// What a model says about its robot, for a description that is still to be written.
struct ModelOutline {
  struct Joint {
    std::string name;
    bool servo = false;  ///< its actuator is a position servo with these gains
    double kp = 0.0;
    double kd = 0.0;
    double torque_limit = std::numeric_limits<double>::infinity();
    double pose = 0.0;  ///< in the first keyframe, or else as modelled
  };
  std::vector<Joint> joints;   ///< those with an actuator, in the order of the actuators
  std::string root;            ///< body with the free joint; empty if there is none
  bool root_collides = false;  ///< whether it has a geom that can touch the ground
  double root_height_m = 0.0;
  bool has_keyframe = false;
  std::vector<std::string> feet;  ///< ends of limbs that are lowest: colliding geoms or bodies
  double timestep_s = 0.0;
  std::vector<std::string> notes;  ///< on what is not as the file says
};

[[nodiscard]] Result<ModelOutline> OutlineModel(const std::filesystem::path& file);

}  // namespace gonogo::sim
