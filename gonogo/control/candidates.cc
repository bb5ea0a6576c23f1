// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/candidates.h"

#include <algorithm>
#include <cmath>

namespace gonogo::control {
namespace {

constexpr std::array kScales{0.4, 0.6, 0.8, 1.2};
constexpr std::array kYawOffsets{0.2, -0.2, 0.4, -0.4};     // rad/s
constexpr std::array kSpeeds{0.25, 0.5, 0.75, 1.0};         // m/s
constexpr std::array kHeadings{0.0, 0.3, -0.3, 0.6, -0.6};  // rad
constexpr std::array kYawScales{0.0, 0.5, 1.0};

}  // namespace

CandidateSet::CandidateSet(const robot::Command& direct, robot::Point2 goal_B,
                           const robot::CommandBox& box,
                           std::span<const robot::CommandChannel> channels) {
  Add(direct);
  for (const double scale : kScales) Add(box.Clamp(scale * direct));
  for (const double offset : kYawOffsets) {
    Add(box.Clamp({direct.vx, direct.vy, direct.wz + offset}));
  }
  const double bearing = std::atan2(goal_B.y, goal_B.x);
  for (const double speed : kSpeeds) {
    for (const double heading : kHeadings) {
      const double vx = speed * std::cos(bearing + heading);
      const double vy = speed * std::sin(bearing + heading);
      for (const double yaw : kYawScales) Add(box.Clamp({vx, vy, yaw * direct.wz}));
    }
  }
  for (const robot::CommandChannel& channel : channels) {
    for (const double value : channel.candidates) {
      robot::Command changed = direct;
      channel.Set(changed, value);
      Add(box.Clamp(changed));
    }
  }
}

void CandidateSet::Add(const robot::Command& clipped) {
  const auto end = commands_.begin() + static_cast<std::ptrdiff_t>(count_);
  if (std::find(commands_.begin(), end, clipped) == end) commands_[count_++] = clipped;
}

}  // namespace gonogo::control
