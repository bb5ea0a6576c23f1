// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/robot/command/command.h"

namespace gonogo::control {

/// What an action does to the direct command.
struct Intervention {
  enum class Kind {
    kDirect,   ///< nothing
    kScale,    ///< times `size`
    kHeading,  ///< its planar velocity turned by `size` rad
    kYaw,      ///< its yaw rate plus `size` rad/s
    kOffset,   ///< one channel plus `size` …
    kFactor,   ///< … times `size` …
    kSet,      ///< … or `size` itself
  };
  Kind kind = Kind::kDirect;
  double size = 0.0;
  robot::CommandChannel channel = {};  ///< of the last three

  [[nodiscard]] bool is_direct() const { return kind == Kind::kDirect; }
  /// Whether it changes the velocity alone.
  [[nodiscard]] bool is_of_velocity() const { return channel.is_velocity(); }
};

/// The intervention an action's name says: "direct", "scale-0.75", "heading+0.3", "yaw-0.2", and
/// for every channel of the robot "step_height+0.05", "gait_frequency*0.9", "body_height=0.3".
[[nodiscard]] Result<Intervention> ParseIntervention(
    std::string_view action,
    const std::vector<robot::CommandChannel>& channels = robot::VelocityChannels());

/// The commanded alternative, inside the box.
[[nodiscard]] robot::Command Apply(const Intervention& intervention, const robot::Command& direct,
                                   const robot::CommandBox& box);

/// How far commands may leave the direct one: `share` of the way, less near the target.
struct BoundedBlend {
  double share = 0.5;
  double anneal_distance_m = 0.5;  ///< the share shrinks linearly below it; 0: never

  [[nodiscard]] double Share(double distance_m) const;
};

/// The command that is executed: direct + share (alternative - direct). The direct command itself,
/// bit for bit, for the direct intervention.
[[nodiscard]] robot::Command Intervene(const Intervention& intervention,
                                       const robot::Command& direct, double distance_m,
                                       const BoundedBlend& blend, const robot::CommandBox& box);

}  // namespace gonogo::control
