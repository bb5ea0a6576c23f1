// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/loop/conditions.h"

#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/base/rng.h"

namespace gonogo::sim {
namespace {

struct Preset {
  std::string_view name;
  std::string_view text;
};

// Events of the rough-terrain velocity tasks of Isaac Lab. Two of ANYmal-D's are left out: the
// shift of the base's centre of mass, and the clamping of joints to 95 % of their range.
constexpr std::array<Preset, 3> kPresets{
    {{"isaac-go2", "noise,payload=-1..3"},
     {"isaac-anymal-d", "noise,payload=-5..5,push=0.5@10..15,speed=0.5,joints=0.5..1.5"},
     {"isaac-h1", "noise"}}};

Error Misread(std::string_view part, std::string_view why) {
  return UsageError("conditions: \"{}\": {}; expected {}", part, why, ConditionsSyntax());
}

std::optional<double> FiniteNumber(std::string_view text) {
  double value = 0.0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

/// "-1..3".
std::optional<DrawRange> ParseRange(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const std::optional<double> low = FiniteNumber(text.substr(0, dots));
  const std::optional<double> high = FiniteNumber(text.substr(dots + 2));
  if (!low || !high || *low > *high) return std::nullopt;
  return DrawRange{*low, *high};
}

std::string Text(const DrawRange& range) { return fmt::format("{}..{}", range.low, range.high); }

Status ReadPush(std::string_view part, std::string_view value, Conditions& conditions) {
  const std::size_t at = value.find('@');
  const std::optional<double> speed = FiniteNumber(value.substr(0, at));
  const std::optional<DrawRange> every =
      at == std::string_view::npos ? std::nullopt : ParseRange(value.substr(at + 1));
  if (!speed || *speed <= 0.0 || !every || every->low <= 0.0) {
    return Misread(part, "a push is SPEED@FROM..TO, in m/s and seconds greater than 0");
  }
  conditions.push_speed = *speed;
  conditions.push_every_s = *every;
  return {};
}

Status ReadPart(std::string_view part, Conditions& conditions) {
  const std::size_t equals = part.find('=');
  const std::string_view key = part.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1);
  if (part == "noise") {
    conditions.noise = true;
  } else if (key == "payload") {
    conditions.payload_kg = ParseRange(value);
    if (!conditions.payload_kg) return Misread(part, "a payload is LOW..HIGH in kg");
  } else if (key == "friction") {
    conditions.friction = ParseRange(value);
    if (!conditions.friction || conditions.friction->low <= 0.0) {
      return Misread(part, "a friction is LOW..HIGH, greater than 0");
    }
  } else if (key == "push") {
    return ReadPush(part, value, conditions);
  } else if (key == "speed") {
    const std::optional<double> speed = FiniteNumber(value);
    if (!speed || *speed <= 0.0) return Misread(part, "a speed is greater than 0");
    conditions.start_speed = *speed;
  } else if (key == "joints") {
    conditions.joint_factor = ParseRange(value);
    if (!conditions.joint_factor) return Misread(part, "factors of joints are LOW..HIGH");
  } else if (part == "nominal=measured") {
    conditions.measured_nominal = true;
  } else if (key == "nominal") {
    conditions.nominal_height_m = FiniteNumber(value);
    if (conditions.nominal_height_m.value_or(0.0) <= 0.0) {
      return Misread(part, "a nominal height is greater than 0 m, or measured");
    }
  } else {
    return Misread(part, "there is no such condition");
  }
  return {};
}

}  // namespace

std::string_view ConditionsSyntax() {
  return "noise, payload=LOW..HIGH (kg), friction=LOW..HIGH, push=SPEED@FROM..TO (m/s, s), "
         "speed=MOST (at the start), "
         "joints=LOW..HIGH (factors at the start), nominal=measured or METRES, joined by commas, "
         "or "
         "one of isaac-go2, isaac-anymal-d, isaac-h1";
}

Result<Conditions> Conditions::Parse(std::string_view text) {
  Conditions conditions;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    if (part.empty()) return Misread(part, "nothing stands between two commas");
    std::string_view meant = part;
    for (const Preset& preset : kPresets) {
      if (part == preset.name) meant = preset.text;
    }
    while (!meant.empty()) {
      const std::size_t end = meant.find(',');
      GONOGO_TRY(ReadPart(meant.substr(0, end), conditions));
      meant.remove_prefix(end == std::string_view::npos ? meant.size() : end + 1);
    }
  }
  return conditions;
}

std::string Conditions::text() const {
  std::vector<std::string> parts;
  if (noise) parts.emplace_back("noise");
  if (payload_kg) parts.push_back("payload=" + Text(*payload_kg));
  if (friction) parts.push_back("friction=" + Text(*friction));
  if (push_speed > 0.0) parts.push_back(fmt::format("push={}@{}", push_speed, Text(push_every_s)));
  if (start_speed > 0.0) parts.push_back(fmt::format("speed={}", start_speed));
  if (joint_factor) parts.push_back("joints=" + Text(*joint_factor));
  if (nominal_height_m) parts.push_back(fmt::format("nominal={}", *nominal_height_m));
  if (measured_nominal) parts.emplace_back("nominal=measured");
  return fmt::format("{}", fmt::join(parts, ","));
}

void Expose(const Conditions& conditions, const robot::RobotSpec& robot, const RngStream& stream,
            Start& start) {
  const RngStream draws = stream.Child("conditions");
  start.disturbance = {.noise = conditions.noise,
                       .push_speed = conditions.push_speed,
                       .push_after_s = conditions.push_every_s.low,
                       .push_before_s = conditions.push_every_s.high,
                       .seed = draws.Child("disturbance").Generator().NextU64()};
  if (conditions.start_speed > 0.0) {
    Rng rng = draws.Child("speed").Generator();
    for (std::array<double, 3>* velocity : {&start.v_W, &start.w_B}) {
      for (double& value : *velocity) {
        value += rng.Uniform(-conditions.start_speed, conditions.start_speed);
      }
    }
  }
  if (conditions.joint_factor) {
    Rng rng = draws.Child("joints").Generator();
    if (start.q.empty()) start.q = robot.default_pose;
    for (double& q : start.q) {
      q *= rng.Uniform(conditions.joint_factor->low, conditions.joint_factor->high);
    }
  }
}

PushVelocity PushAt(const Disturbance& disturbance, std::int64_t step, double control_dt_s) {
  if (disturbance.push_speed <= 0.0) return {};
  const RngStream stream = RngStream(disturbance.seed).Child("push");
  double time_s = 0.0;
  for (std::uint64_t k = 0;; ++k) {
    Rng rng = stream.Child(k).Generator();
    time_s += rng.Uniform(disturbance.push_after_s, disturbance.push_before_s);
    const auto due = static_cast<std::int64_t>(time_s / control_dt_s);
    if (due > step) return {};
    if (due < step) continue;
    const double vx = rng.Uniform(-disturbance.push_speed, disturbance.push_speed);
    const double vy = rng.Uniform(-disturbance.push_speed, disturbance.push_speed);
    return {vx, vy};
  }
}

}  // namespace gonogo::sim
