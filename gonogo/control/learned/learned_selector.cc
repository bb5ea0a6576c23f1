// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/learned/learned_selector.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

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

CommandDecision ActionSet::Play(std::size_t action, const Situation& now) const {
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

CommandDecision RandomActions::Decide(const Situation& now) {
  double left = rng_.Uniform();
  std::size_t action = 0;
  while (action + 1 < shares_.size() && left >= shares_[action]) left -= shares_[action++];
  return actions_.Play(action, now);
}

namespace {

/// The robot the adapter was trained on must observe and act like this one.
Status CheckRobot(const adapter::Manifest& manifest, const robot::RobotSpec& robot) {
  const nlohmann::json& made = manifest.collection;
  if (!made.is_object() || !made.contains("layout_hash")) {
    return InputError(
        "adapter.json: does not say on which robot it was trained; only an adapter trained on a "
        "table of 'gonogo collect' can command a robot");
  }
  if (made["layout_hash"] == robot.LayoutHash()) return {};
  return InputError(
      "adapter.json: was trained on robot {} with the layout {}, but {} has the layout {}: what "
      "its "
      "observation or its action means is different",
      made.value("robot", "?"), made["layout_hash"].dump(), robot.file.string(),
      robot.LayoutHash());
}

std::vector<std::string> ObservationNames(const robot::RobotSpec& robot) {
  std::vector<std::string> names;
  for (int i = 0; i < robot.observation_size(); ++i) names.push_back(fmt::format("obs_{}", i));
  return names;
}

}  // namespace

Result<LearnedSelector> LearnedSelector::Create(std::shared_ptr<const adapter::Adapter> adapter,
                                                const robot::RobotSpec& robot, std::size_t hold) {
  if (hold == 0) return UsageError("an action is held for 0 decisions, expected at least 1");
  const adapter::Manifest& manifest = adapter->manifest();
  GONOGO_TRY(CheckRobot(manifest, robot));
  ActionSet actions = GONOGO_TRY(ActionSet::Create(manifest, robot));
  std::vector<Source> sources;
  std::optional<robot::GroundView> ground;
  for (const adapter::FeatureNames& group : manifest.layout.features) {
    const auto is = [&](std::string_view name, const std::vector<std::string>& columns) {
      return group.group == name && group.columns == columns;
    };
    if (is("obs", ObservationNames(robot))) {
      sources.push_back(Source::kObservation);
    } else if (is("target", {"target_x", "target_y"})) {
      sources.push_back(Source::kTarget);
    } else if (is("ground", robot::GroundView::Columns())) {
      ground = GONOGO_TRY(robot::GroundView::Create(robot));
      sources.push_back(Source::kGround);
    } else {
      return InputError(
          "adapter.json: needs the features '{}' ({} columns), which a robot does not have when it "
          "decides; expected obs (obs_0 to obs_{}), target (target_x, target_y) and ground "
          "(ground_under, ground_ahead, ground_rise, ground_drop)",
          group.group, group.columns.size(), robot.observation_size() - 1);
    }
  }
  if (!manifest.layout.action_features.empty()) {
    return InputError(
        "adapter.json: needs what a model predicts of every action ('{}'); only adapters that look "
        "at obs, target and ground can command a robot",
        manifest.layout.action_features.front().group);
  }
  return LearnedSelector(std::move(adapter), std::move(actions), std::move(sources),
                         std::move(ground), hold);
}

LearnedSelector::LearnedSelector(std::shared_ptr<const adapter::Adapter> adapter, ActionSet actions,
                                 std::vector<Source> sources,
                                 std::optional<robot::GroundView> ground, std::size_t hold)
    : adapter_(std::move(adapter)),
      actions_(std::move(actions)),
      sources_(std::move(sources)),
      ground_(std::move(ground)),
      scratch_(*adapter_),
      features_(adapter_->layout().inputs()),
      hold_(hold) {}

void LearnedSelector::FillFeatures(const Situation& now) {
  auto slot = features_.begin();
  for (const Source source : sources_) {
    if (source == Source::kObservation) {
      slot = std::copy(now.observation.begin(), now.observation.end(), slot);
    } else if (source == Source::kGround) {
      const auto view = ground_->Of(now.observation, now.goal_B);
      slot = std::copy(view.begin(), view.end(), slot);
    } else {
      *slot++ = static_cast<float>(now.goal_B.x);
      *slot++ = static_cast<float>(now.goal_B.y);
    }
  }
  GONOGO_CHECK(slot == features_.end());
}

CommandDecision LearnedSelector::Decide(const Situation& now) {
  if (held_ == 0) {
    FillFeatures(now);
    action_ = adapter_->Choose(features_, scratch_);
    held_ = hold_;
  }
  --held_;
  CommandDecision decision = actions_.Play(action_.value_or(0), now);
  if (!action_.has_value()) decision.reason = Reason::kNoneApplicable;
  if (action_ == std::size_t{0}) decision.reason = Reason::kGateClosed;
  return decision;
}

}  // namespace gonogo::control
