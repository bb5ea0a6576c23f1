// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gonogo/adapter/folder/adapter.h"
#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/control/baselines.h"
#include "gonogo/control/learned/intervention.h"
#include "gonogo/robot/ground_view.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::control {

/// The actions of an adapter as commands of a robot: each changes the direct command as its name
/// says, bounded as it was when the outcomes were collected. Action 0 is the direct command, bit
/// for bit.
class ActionSet {
 public:
  /// Refuses names that are no interventions and an adapter that does not say how far its actions
  /// went.
  [[nodiscard]] static Result<ActionSet> Create(const adapter::Manifest& manifest,
                                                const robot::RobotSpec& robot);
  /// Actions without an adapter, the direct command before them; each goes as far as `blend` says.
  [[nodiscard]] static Result<ActionSet> Of(const std::vector<std::string>& actions,
                                            const BoundedBlend& blend,
                                            const robot::RobotSpec& robot);

  [[nodiscard]] std::size_t size() const { return interventions_.size(); }
  [[nodiscard]] CommandDecision Play(std::size_t action, const Situation& now) const;
  /// How many decisions an action was held for when its outcomes were collected.
  [[nodiscard]] std::size_t prefix() const { return prefix_; }

 private:
  explicit ActionSet(const robot::RobotSpec& robot) : direct_(robot) {}

  Direct direct_;
  std::vector<Intervention> interventions_;
  BoundedBlend blend_;
  std::size_t prefix_ = 1;
};

/// One action always: what an adapter has to beat.
class FixedAction : public Controller {
 public:
  FixedAction(ActionSet actions, std::size_t action)
      : actions_(std::move(actions)), action_(action) {}

  CommandDecision Decide(const Situation& now) override { return actions_.Play(action_, now); }

 private:
  ActionSet actions_;
  std::size_t action_;
};

/// Actions dealt out at random, each as often as its share says, whatever the situation.
class RandomActions : public Controller {
 public:
  /// `shares` are of the actions in their order and sum to 1. The stream is that of one episode.
  RandomActions(ActionSet actions, std::vector<double> shares, const RngStream& stream);

  CommandDecision Decide(const Situation& now) override;

 private:
  ActionSet actions_;
  std::vector<double> shares_;
  Rng rng_;
};

/// An exported adapter as a controller: predicts what every action would do in the situation and
/// takes the one its gate lets pass; the direct command, bit for bit, when none passes.
class LearnedSelector : public Controller {
 public:
  /// Refuses an adapter that was trained on another observation than this robot's, one that needs
  /// features a situation does not have, and one whose actions are no commands. `hold`: decisions
  /// for which a chosen action is kept before the next choice, at least 1.
  [[nodiscard]] static Result<LearnedSelector> Create(
      std::shared_ptr<const adapter::Adapter> adapter, const robot::RobotSpec& robot,
      std::size_t hold = 1);

  CommandDecision Decide(const Situation& now) override;

  /// The action of the last decision, and the features it was chosen from; nothing where a feature
  /// was not a finite number.
  [[nodiscard]] std::optional<std::size_t> last_action() const { return action_; }
  [[nodiscard]] std::span<const float> last_features() const { return features_; }

 private:
  /// Whose numbers a part of the row is.
  enum class Source { kObservation, kTarget, kGround };

  LearnedSelector(std::shared_ptr<const adapter::Adapter> adapter, ActionSet actions,
                  std::vector<Source> sources, std::optional<robot::GroundView> ground,
                  std::size_t hold);
  void FillFeatures(const Situation& now);

  std::shared_ptr<const adapter::Adapter> adapter_;
  ActionSet actions_;
  std::vector<Source> sources_;
  std::optional<robot::GroundView> ground_;  ///< if a part of the row is its
  adapter::Adapter::Scratch scratch_;
  std::vector<float> features_;
  std::size_t hold_;
  std::size_t held_ = 0;  ///< decisions the present action is still kept for
  std::optional<std::size_t> action_ = 0;
};

}  // namespace gonogo::control
