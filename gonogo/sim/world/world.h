// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/robot/actuator.h"
#include "gonogo/robot/observation.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/sim/model/engine.h"
#include "gonogo/sim/world/terrain.h"

namespace gonogo::sim {

/// Changes of the simulation for training: randomised dynamics, cheaper ground.
struct Variation {
  double root_mass_offset_kg = 0.0;     ///< its inertia scales with the mass
  std::optional<double> friction = {};  ///< sliding friction of all colliders
  bool fast_ground = false;             ///< spheres meet the ground as in sphere_ground.h
};

/// Where the names of a robot.toml are in a compiled model. Joint-wise vectors are in the policy's
/// order.
struct Binding {
  int root_body = 0;
  int root_qpos = 0;  ///< address of the free joint
  int root_dof = 0;
  int scan_body = 0;
  std::vector<int> sites;  ///< those of RobotSpec::sites
  std::vector<int> joint_qpos;
  std::vector<int> joint_dof;
  std::vector<int> actuator;
  std::vector<double> passive_damping;  ///< damping counted as actuator torque
  std::vector<int> geom_foot;           ///< foot of each geom, or -1
  std::vector<char> geom_forbidden;     ///< whether touching with this geom ends an episode
  std::vector<int> foot_geom;           ///< one geom of each foot, for its position
  double mass_kg = 0.0;
};

/// A robot on a terrain, ready to be simulated: immutable and shared by any number of `Env`s.
class World {
 public:
  /// Compiles the robot's model with the terrain as its only ground (ground geoms of the model
  /// itself are switched off) and checks every name of the description against it.
  [[nodiscard]] static Result<std::shared_ptr<const World>> Create(const robot::RobotSpec& spec,
                                                                   Terrain terrain,
                                                                   const Variation& variation = {});

  [[nodiscard]] const robot::RobotSpec& spec() const { return spec_; }
  [[nodiscard]] const Terrain& terrain() const { return terrain_; }
  [[nodiscard]] const Binding& binding() const { return binding_; }
  [[nodiscard]] const robot::Observer& observer() const { return observer_; }
  [[nodiscard]] const robot::ActionPath& action_path() const { return action_path_; }
  /// Null where the engine is the actuator of all joints.
  [[nodiscard]] const robot::Actuator* actuator() const {
    return actuator_ ? &*actuator_ : nullptr;
  }
  [[nodiscard]] const mjModel_* model() const { return model_.get(); }
  /// What of the model is not as its file says, in sentences.
  [[nodiscard]] const std::vector<std::string>& model_notes() const { return model_notes_; }
  [[nodiscard]] bool fast_ground() const { return fast_ground_; }
  [[nodiscard]] double mass_kg() const { return binding_.mass_kg; }

  /// Heights under a yaw-aligned scan grid: z - ground - offset, x fast.
  void Scan(const robot::Vec3& p_W, double yaw, std::span<float> scan) const;

 private:
  World(robot::RobotSpec spec, Terrain terrain, ModelPtr model, std::vector<std::string> notes,
        Binding binding, bool fast_ground);

  robot::RobotSpec spec_;
  Terrain terrain_;
  ModelPtr model_;
  std::vector<std::string> model_notes_;
  Binding binding_;
  robot::Observer observer_;
  robot::ActionPath action_path_;
  std::optional<robot::Actuator> actuator_;
  bool fast_ground_;
};

}  // namespace gonogo::sim
