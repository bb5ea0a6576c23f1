// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>

#include "gonogo/study/scene.h"

/// \file
/// What the tests of this folder share: a robot that stands still whatever it is told.

namespace gonogo::study::internal {

/// Target = default pose.
class StillPolicy final : public robot::Policy {
 public:
  explicit StillPolicy(const robot::RobotSpec& spec) : spec_(spec) {}
  [[nodiscard]] int observation_size() const override { return spec_.observation_size(); }
  [[nodiscard]] int action_size() const override { return spec_.joint_count(); }
  void Act(std::span<const float> /*observation*/, std::span<float> action,
           robot::PolicyMemory& /*memory*/) const override {
    std::fill(action.begin(), action.end(), 0.0F);
  }

 private:
  robot::RobotSpec spec_;
};

/// Go2 on flat ground; episodes of 0.4 s towards the family "two".
inline Scene StillGo2() {
  Scene scene;
  scene.robot = robot::LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2").value();
  scene.robot.task.horizon_s = 0.4;
  scene.robot.task.targets["two"] = {{1.0, 0.0}, {0.0, 1.0}};
  scene.policy = std::make_shared<StillPolicy>(scene.robot);
  scene.sha256.policy = "still";
  scene.world = sim::World::Create(scene.robot, sim::FlatTerrain()).value();
  return scene;
}

}  // namespace gonogo::study::internal
