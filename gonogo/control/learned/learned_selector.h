// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gonogo/adapter/folder/adapter.h"
#include "gonogo/base/result.h"
#include "gonogo/control/learned/action_set.h"
#include "gonogo/robot/ground_view.h"

namespace gonogo::control {

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

  Decision Decide(const Situation& now) override;

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
