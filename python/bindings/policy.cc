// SPDX-License-Identifier: Apache-2.0
#include "policy.h"

#include <algorithm>
#include <cmath>

#include "arrays.h"
#include "raise.h"

namespace py = nanobind;

namespace gonogo::python {
namespace {

/// Frees a Python object from wherever it is held.
std::shared_ptr<py::object> Shared(const py::object& callable) {
  return {new py::object(callable), [](py::object* held) {
            const py::gil_scoped_acquire lock;
            delete held;
          }};
}

class PythonPolicy final : public robot::Policy {
 public:
  PythonPolicy(const py::object& callable, const robot::RobotSpec& spec)
      : callable_(Shared(callable)),
        observation_size_(spec.observation_size()),
        action_size_(spec.joint_count()) {}

  [[nodiscard]] int observation_size() const override { return observation_size_; }
  [[nodiscard]] int action_size() const override { return action_size_; }

  void Act(std::span<const float> observation, std::span<float> action,
           robot::PolicyMemory& /*memory*/) const override {
    const py::gil_scoped_acquire lock;
    const py::object answer =
        (*callable_)(OwnArray(std::vector<float>(observation.begin(), observation.end())));
    const std::optional<std::vector<double>> numbers = RowOf(answer);
    if (!numbers || numbers->size() != action.size()) {
      throw RaisedError(InputError("policy: it returned {}, expected {} numbers, one per joint",
                                   Shown(answer), action_size_));
    }
    std::transform(numbers->begin(), numbers->end(), action.begin(),
                   [](double number) { return static_cast<float>(number); });
  }

 private:
  std::shared_ptr<py::object> callable_;
  int observation_size_;
  int action_size_;
};

class PythonController final : public control::Controller {
 public:
  PythonController(std::shared_ptr<py::object> callable, const robot::RobotSpec& spec)
      : callable_(std::move(callable)), direct_(spec) {}

  control::CommandDecision Decide(const control::Situation& now) override {
    const py::gil_scoped_acquire lock;
    Sight sight{.observation = {now.observation.begin(), now.observation.end()},
                .goal_B = now.goal_B,
                .height_m = now.height_m,
                .tilt_rad = now.tilt_rad,
                .direct = direct_.Command(now.goal_B)};
    const robot::Command command =
        CommandFrom((*callable_)(std::move(sight)), "controller: its command");
    if (command == direct_.Command(now.goal_B)) return {.command = command};
    return {.command = command, .reason = control::Reason::kPlanned, .towards = command};
  }

 private:
  std::shared_ptr<py::object> callable_;
  control::Direct direct_;
};

}  // namespace

std::shared_ptr<const robot::Policy> CallablePolicy(py::object callable,
                                                    const robot::RobotSpec& spec) {
  return std::make_shared<PythonPolicy>(callable, spec);
}

void SteerablePolicy::Act(std::span<const float> observation, std::span<float> action,
                          robot::PolicyMemory& memory) const {
  if (action_.empty()) {
    policy_->Act(observation, action, memory);
    return;
  }
  std::copy(action_.begin(), action_.end(), action.begin());
  action_.clear();
}

study::Method CallableMethod(const py::object& callable, const robot::RobotSpec& spec) {
  return {.name = "python",
          .make = [held = Shared(callable), spec]() -> std::unique_ptr<control::Controller> {
            return std::make_unique<PythonController>(held, spec);
          },
          .identity = "python"};
}

robot::Command CommandFrom(const py::object& numbers, const std::string& what) {
  const std::optional<std::vector<double>> row = RowOf(numbers);
  if (row && row->size() == 3) {
    const robot::Command command{(*row)[0], (*row)[1], (*row)[2]};
    if (std::isfinite(command.vx) && std::isfinite(command.vy) && std::isfinite(command.wz)) {
      return command;
    }
  }
  throw RaisedError(
      InputError("{} is {}, expected three finite numbers (vx, vy, wz)", what, Shown(numbers)));
}

}  // namespace gonogo::python
