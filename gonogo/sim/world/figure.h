// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gonogo/robot/spec/spec.h"
#include "gonogo/sim/model/engine.h"
#include "gonogo/sim/world/visible_geom.h"

namespace gonogo::sim {

/// What a robot looks like: the worlds leave its visual geoms out, this keeps only them.
class Figure {
 public:
  /// Shows the geom groups 0 to 2, as MuJoCo's own viewer does, or all when these are empty. A mesh
  /// is shown as the box around it.
  [[nodiscard]] static Result<Figure> Create(const robot::RobotSpec& spec);

  /// Names of the bodies; the root comes first.
  [[nodiscard]] const std::vector<std::string>& bodies() const { return bodies_; }
  [[nodiscard]] const std::vector<VisibleGeom>& geoms() const { return geoms_; }

  /// Poses of all bodies (x y z qw qx qy qz each) at generalised positions of the robot's model.
  void Poses(std::span<const double> qpos, std::span<float> poses);

 private:
  Figure() = default;

  ModelPtr model_;
  DataPtr data_;
  std::vector<int> ids_;  // engine's body of each of ours
  std::vector<std::string> bodies_;
  std::vector<VisibleGeom> geoms_;
};

}  // namespace gonogo::sim
