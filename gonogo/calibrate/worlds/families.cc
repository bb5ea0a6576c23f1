// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/worlds/families.h"

namespace gonogo::calibrate {

std::string_view Name(Family family) {
  switch (family) {
    case Family::kLinear:
      return "linear";
    case Family::kRobot:
      return "robot";
    case Family::kClustered:
      return "clustered";
    case Family::kSteps:
      return "steps";
    case Family::kNonlinear:
      return "nonlinear";
    case Family::kHeavyTails:
      return "heavy";
    case Family::kInformative:
      break;
  }
  return "informative";
}

World InFamily(Family family, World world) {
  switch (family) {
    case Family::kLinear:
      break;
    case Family::kRobot:
      world.constraint = Constraint::kFailure;
      world.actions = 5;
      world.violation_cluster_sd = 1.0;
      break;
    case Family::kClustered:
      world.violation_cluster_sd = 1.3;
      break;
    case Family::kSteps:
      world.context_correlation = 0.8;
      world.context_steps = true;
      break;
    case Family::kNonlinear:
      world.response = Response::kSmooth;
      world.constraint = Constraint::kTime;
      world.baseline_spread = 0.6;
      break;
    case Family::kHeavyTails:
      world.heavy_noise = true;
      world.baseline_spread = 1.0;
      world.features = 60;
      world.strong_features = 2;
      world.violation_cluster_sd = 1.2;
      break;
    case Family::kInformative:
      world.informative_sizes = true;
      world.context_correlation = 0.5;
      break;
  }
  return world;
}

}  // namespace gonogo::calibrate
