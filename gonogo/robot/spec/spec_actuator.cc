// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <numeric>

#include "gonogo/robot/spec/spec_sections.h"

namespace gonogo::robot {
namespace {

using io::TomlNode;

constexpr double kUnlimited = std::numeric_limits<double>::infinity();
constexpr double kOfTheModel = std::numeric_limits<double>::quiet_NaN();
constexpr double kMostGain = 1e6;  // N m / rad and N m s / rad: beyond it somebody slipped a digit
constexpr double kAboveZero = 1e-9;

/// Values of some joints, put into their places of a list for all joints.
class GroupReader {
 public:
  GroupReader(const TomlNode& node, std::vector<std::size_t> joints)
      : node_(node), joints_(std::move(joints)) {}

  void Read(const char* key, double low, double high, std::vector<double>& values) const {
    node_.Require(key);
    const std::vector<double> read =
        node_.NumbersFor(key, joints_.size(), std::vector<double>(joints_.size(), low));
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      const double value = read[i];
      if (!(value >= low)) {
        node_.Fail(key, fmt::format("found {}, expected at least {}", value, low));
      } else if (value > high) {
        node_.Fail(key, fmt::format("found {}, expected at most {}", value, high));
      }
      values[joints_[i]] = value;
    }
  }
  void ReadIfThere(const char* key, double low, double high, std::vector<double>& values) const {
    if (node_.Has(key)) Read(key, low, high, values);
  }
  void Put(double value, std::vector<double>& values) const {
    for (const std::size_t joint : joints_) values[joint] = value;
  }
  [[nodiscard]] const std::vector<std::size_t>& joints() const { return joints_; }

 private:
  const TomlNode& node_;
  std::vector<std::size_t> joints_;
};

ActuatorKind ReadKind(const TomlNode& node) {
  static const std::vector<std::string> names{"pd",          "dc_motor", "position",
                                              "implicit_pd", "torque",   "velocity"};
  const std::string name = node.Require("kind").Choice("kind", names.front(), names);
  return static_cast<ActuatorKind>(std::ranges::find(names, name) - names.begin());
}

void ReadGroup(const TomlNode& node, std::vector<std::size_t> joints, ActuatorSpec& actuator) {
  const ActuatorKind kind = ReadKind(node);
  const GroupReader group(node, std::move(joints));
  for (const std::size_t joint : group.joints()) actuator.kind[joint] = kind;
  switch (kind) {
    case ActuatorKind::kPosition:
      group.ReadIfThere("kp", 0.0, kMostGain, actuator.kp);
      group.ReadIfThere("kd", 0.0, kMostGain, actuator.kd);
      break;
    case ActuatorKind::kTorque:
      group.Put(0.0, actuator.kp);
      group.Put(0.0, actuator.kd);
      break;
    case ActuatorKind::kVelocity:
      group.Put(0.0, actuator.kp);
      group.Read("kd", 0.0, kMostGain, actuator.kd);
      break;
    default:
      group.Read("kp", 0.0, kMostGain, actuator.kp);
      group.Read("kd", 0.0, kMostGain, actuator.kd);
  }
  if (kind != ActuatorKind::kPosition && kind != ActuatorKind::kImplicitPd) {
    group.ReadIfThere("lag", 0.0, 1.0, actuator.lag_s);
  }
  group.ReadIfThere("effort_limit", 0.0, kUnlimited, actuator.effort_limit);
  if (kind == ActuatorKind::kDcMotor) {
    group.Read("saturation", kAboveZero, kUnlimited, actuator.saturation);
    group.Read("no_load_speed", kAboveZero, kUnlimited, actuator.no_load_speed);
  }
}

/// Whether a name is meant by a pattern in which each * stands for any letters.
bool Matches(std::string_view pattern, std::string_view name) {
  std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  name.remove_prefix(star);
  // Between two stars the first place that fits is as good as any later one, so that no pattern
  // takes more time than its length times the name's.
  for (std::size_t next = pattern.find('*', star + 1); next != std::string_view::npos;
       next = pattern.find('*', star + 1)) {
    const std::string_view piece = pattern.substr(star + 1, next - star - 1);
    const std::size_t at = name.find(piece);
    if (at == std::string_view::npos) return false;
    name.remove_prefix(at + piece.size());
    star = next;
  }
  return name.ends_with(pattern.substr(star + 1));
}

/// The joints a group names and no group before it does.
std::vector<std::size_t> GroupJoints(const TomlNode& node, const RobotSpec& spec,
                                     std::vector<char>& taken) {
  std::vector<std::size_t> joints;
  for (const std::string& pattern : node.Require("joints").Strings("joints", {})) {
    bool any = false;
    for (std::size_t j = 0; j < spec.joints.size(); ++j) {
      if (!Matches(pattern, spec.joints[j])) continue;
      any = true;
      if (taken[j] != 0) {
        node.Fail("joints", fmt::format("{} has an actuator already", spec.joints[j]));
      }
      taken[j] = 1;
      joints.push_back(j);
    }
    if (!any) node.Fail("joints", fmt::format("joints.order has no \"{}\"", pattern));
  }
  return joints;
}

}  // namespace

void ReadActuator(const TomlNode& node, RobotSpec& spec) {
  ActuatorSpec& actuator = spec.actuator;
  const std::size_t n = spec.joints.size();
  actuator.kind.assign(n, ActuatorKind::kPd);
  actuator.kp.assign(n, kOfTheModel);
  actuator.kd.assign(n, kOfTheModel);
  actuator.effort_limit.assign(n, kUnlimited);
  actuator.lag_s.assign(n, 0.0);
  actuator.saturation.assign(n, 0.0);
  actuator.no_load_speed.assign(n, 0.0);
  if (!node.Has("group")) {
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), 0);
    ReadGroup(node, std::move(all), actuator);
    return;
  }
  for (const std::string& key : node.Keys()) {
    if (key != "group") node.Fail(key, "every [[actuator.group]] has its own");
  }
  std::vector<char> taken(n, 0);
  for (const TomlNode& group : node.Tables("group")) {
    ReadGroup(group, GroupJoints(group, spec, taken), actuator);
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (taken[j] == 0) {
      node.Fail("group", fmt::format("no [[actuator.group]] names {}", spec.joints[j]));
    }
  }
}

}  // namespace gonogo::robot
