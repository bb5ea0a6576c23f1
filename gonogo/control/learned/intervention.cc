// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/learned/intervention.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "gonogo/control/controller.h"

namespace gonogo::control {
namespace {

constexpr double kLargestScale = 2.0;
constexpr double kLargestOffset = std::numbers::pi;

/// The whole text as a number; a leading plus is allowed.
bool ReadNumber(std::string_view text, double& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

/// "name+0.1", "name-0.1", "name*0.9" or "name=2"; nothing if it is none of these.
std::optional<Intervention> ParseChannel(std::string_view action,
                                         const std::vector<robot::CommandChannel>& channels) {
  const std::size_t at = action.find_first_of("+-*=");
  if (at == std::string_view::npos) return std::nullopt;
  const robot::CommandChannel* channel = robot::FindChannel(channels, action.substr(0, at));
  if (channel == nullptr) return std::nullopt;
  using Kind = Intervention::Kind;
  const char sign = action[at];
  const bool is_offset = sign == '+' || sign == '-';
  const std::string_view number = action.substr(is_offset ? at : at + 1);
  Intervention intervention{is_offset     ? Kind::kOffset
                            : sign == '*' ? Kind::kFactor
                                          : Kind::kSet,
                            0.0, *channel};
  if (!ReadNumber(number, intervention.size)) return std::nullopt;
  return intervention;
}

bool HasSign(std::string_view text) { return text.starts_with('+') || text.starts_with('-'); }

}  // namespace

Result<Intervention> ParseIntervention(std::string_view action,
                                       const std::vector<robot::CommandChannel>& channels) {
  using Kind = Intervention::Kind;
  if (action == "direct") return Intervention{};
  double size = 0.0;
  if (action.starts_with("scale-") && ReadNumber(action.substr(6), size) && size > 0.0 &&
      size <= kLargestScale) {
    return Intervention{Kind::kScale, size};
  }
  for (const auto& [word, kind] :
       {std::pair{std::string_view("heading"), Kind::kHeading}, {"yaw", Kind::kYaw}}) {
    if (!action.starts_with(word)) continue;
    const std::string_view rest = action.substr(word.size());
    if (HasSign(rest) && ReadNumber(rest, size) && std::abs(size) <= kLargestOffset) {
      return Intervention{kind, size};
    }
  }
  if (const std::optional<Intervention> one = ParseChannel(action, channels)) return *one;
  return UsageError(
      "no intervention is called '{}'; expected direct, scale-FACTOR (up to 2), heading+RADIANS, "
      "heading-RADIANS, yaw+RATE or yaw-RATE (rad/s), or CHANNEL+OFFSET, CHANNEL-OFFSET, "
      "CHANNEL*FACTOR or CHANNEL=VALUE with a channel out of {}",
      action, robot::ChannelNames(channels));
}

robot::Command Apply(const Intervention& intervention, const robot::Command& direct,
                     const robot::CommandBox& box) {
  switch (intervention.kind) {
    case Intervention::Kind::kScale:
      return box.Clamp(intervention.size * direct);
    case Intervention::Kind::kHeading: {
      const double c = std::cos(intervention.size);
      const double s = std::sin(intervention.size);
      return box.Clamp(
          {c * direct.vx - s * direct.vy, s * direct.vx + c * direct.vy, direct.wz, direct.extra});
    }
    case Intervention::Kind::kYaw:
      return box.Clamp({direct.vx, direct.vy, direct.wz + intervention.size, direct.extra});
    case Intervention::Kind::kOffset:
    case Intervention::Kind::kFactor:
    case Intervention::Kind::kSet: {
      const double now = intervention.channel.Of(direct);
      const double size = intervention.size;
      robot::Command changed = direct;
      intervention.channel.Set(changed,
                               intervention.kind == Intervention::Kind::kOffset   ? now + size
                               : intervention.kind == Intervention::Kind::kFactor ? now * size
                                                                                  : size);
      return box.Clamp(changed);
    }
    case Intervention::Kind::kDirect:
      break;
  }
  return direct;
}

double BoundedBlend::Share(double distance_m) const {
  if (anneal_distance_m <= 0.0) return share;
  return share * std::clamp(distance_m / anneal_distance_m, 0.0, 1.0);
}

robot::Command Intervene(const Intervention& intervention, const robot::Command& direct,
                         double distance_m, const BoundedBlend& blend,
                         const robot::CommandBox& box) {
  return Blend(direct, Apply(intervention, direct, box), blend.Share(distance_m));
}

}  // namespace gonogo::control
