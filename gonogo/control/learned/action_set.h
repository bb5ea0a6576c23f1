// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gonogo/adapter/folder/adapter.h"
#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/control/direct.h"
#include "gonogo/control/learned/intervention.h"
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
  [[nodiscard]] Decision Play(std::size_t action, const Situation& now) const;
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

  Decision Decide(const Situation& now) override { return actions_.Play(action_, now); }

 private:
  ActionSet actions_;
  std::size_t action_;
};

/// Actions dealt out at random, each as often as its share says, whatever the situation.
class RandomActions : public Controller {
 public:
  /// `shares` are of the actions in their order and sum to 1. The stream is that of one episode.
  RandomActions(ActionSet actions, std::vector<double> shares, const RngStream& stream);

  Decision Decide(const Situation& now) override;

 private:
  ActionSet actions_;
  std::vector<double> shares_;
  Rng rng_;
};

}  // namespace gonogo::control
