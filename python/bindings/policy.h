// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "gonogo/control/baselines.h"
#include "gonogo/robot/policy.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/study/methods.h"

namespace gonogo::python {

/// A policy that asks a Python callable: observation in, action out. Takes the interpreter's lock
/// for every control step.
[[nodiscard]] std::shared_ptr<const robot::Policy> CallablePolicy(nanobind::object callable,
                                                                  const robot::RobotSpec& spec);

/// A policy that steps aside while it is told what to do.
class SteerablePolicy final : public robot::Policy {
 public:
  explicit SteerablePolicy(std::shared_ptr<const robot::Policy> policy)
      : policy_(std::move(policy)) {}

  /// Of the next step; afterwards the policy acts again.
  void Steer(std::vector<float> action) { action_ = std::move(action); }

  [[nodiscard]] int observation_size() const override { return policy_->observation_size(); }
  [[nodiscard]] int action_size() const override { return policy_->action_size(); }
  [[nodiscard]] robot::PolicyMemory StartMemory() const override { return policy_->StartMemory(); }
  void Act(std::span<const float> observation, std::span<float> action,
           robot::PolicyMemory& memory) const override;

 private:
  std::shared_ptr<const robot::Policy> policy_;
  mutable std::vector<float> action_;  // used by one loop on one thread
};

/// What a Python controller is shown when it decides.
struct Sight {
  std::vector<float> observation;
  robot::Point2 goal_B;
  double height_m = 0.0;
  double tilt_rad = 0.0;
  robot::Command direct;
};

/// A method whose controller is a Python callable: `Sight` in, (vx, vy, wz) out.
[[nodiscard]] study::Method CallableMethod(const nanobind::object& callable,
                                           const robot::RobotSpec& spec);

/// A command from three numbers; `what` names the argument in the message.
[[nodiscard]] robot::Command CommandFrom(const nanobind::object& numbers, const std::string& what);

}  // namespace gonogo::python
