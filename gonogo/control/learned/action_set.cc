// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/learned/action_set.h"

#include <cmath>

#include "gonogo/base/check.h"

namespace gonogo::control {

Result<ActionSet> ActionSet::Create(const adapter::Manifest& manifest,
                                    const robot::RobotSpec& robot) {
  ActionSet set(robot);
  const nlohmann::json& protocol = manifest.protocol;
  const nlohmann::json collect =
      protocol.is_object() ? protocol.value("collect", nlohmann::json()) : nlohmann::json();
  const auto number = [&](const char* key, double least) -> Result<double> {
    const nlohmann::json value =
        collect.is_object() ? collect.value(key, nlohmann::json()) : nlohmann::json();
    if (value.is_number() && value.get<double>() >= least) return value.get<double>();
    return InputError(
        "adapter.json: protocol.collect.{} is {}, expected a number of {} or more: only an adapter "
        "trained on a table of 'gonogo collect' can command a robot",
        key, value.dump(), least);
  };
  set.blend_.share = GONOGO_TRY(number("blend", 0.0));
  set.blend_.anneal_distance_m = GONOGO_TRY(number("anneal_distance", 0.0));
  set.prefix_ = static_cast<std::size_t>(GONOGO_TRY(number("prefix", 1.0)));
  for (const std::string& action : manifest.layout.actions) {
    const Result<Intervention> intervention = ParseIntervention(action, robot.channels);
    if (!intervention.ok()) return InputError("adapter.json: {}", intervention.error().message);
    set.interventions_.push_back(intervention.value());
  }
  if (!set.interventions_.front().is_direct()) {
    return InputError("adapter.json: the reference action is '{}', expected 'direct'",
                      manifest.layout.actions.front());
  }
  return set;
}

Result<ActionSet> ActionSet::Of(const std::vector<std::string>& actions, const BoundedBlend& blend,
                                const robot::RobotSpec& robot) {
  ActionSet set(robot);
  set.blend_ = blend;
  set.interventions_.emplace_back();
  for (const std::string& action : actions) {
    set.interventions_.push_back(GONOGO_TRY(ParseIntervention(action, robot.channels)));
  }
  return set;
}

Decision ActionSet::Play(std::size_t action, const Situation& now) const {
  const robot::Command direct = direct_.Command(now.goal_B);
  if (interventions_[action].is_direct()) {
    return {.command = direct, .reason = Reason::kDirect, .towards = direct};
  }
  const double distance_m = std::hypot(now.goal_B.x, now.goal_B.y);
  return {.command = Intervene(interventions_[action], direct, distance_m, blend_, direct_.box()),
          .reason = Reason::kAdapted,
          .towards = Apply(interventions_[action], direct, direct_.box()),
          .gain = blend_.Share(distance_m)};
}

RandomActions::RandomActions(ActionSet actions, std::vector<double> shares, const RngStream& stream)
    : actions_(std::move(actions)), shares_(std::move(shares)), rng_(stream.Generator()) {
  GONOGO_CHECK(shares_.size() == actions_.size());
}

Decision RandomActions::Decide(const Situation& now) {
  double left = rng_.Uniform();
  std::size_t action = 0;
  while (action + 1 < shares_.size() && left >= shares_[action]) left -= shares_[action++];
  return actions_.Play(action, now);
}

}  // namespace gonogo::control
