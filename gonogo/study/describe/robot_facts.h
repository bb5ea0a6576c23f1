// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/study/describe/flat_yaml.h"

namespace gonogo::study {

/// A value and where it stands: "kps of g1.yaml". `sure` is false for what no file says, but the
/// code of the framework that the files belong to.
template <typename T>
struct Fact {
  T value;
  std::string source;
  bool sure = true;
};

/// One term of an observation as a file describes it.
struct TermFact {
  robot::TermKind kind = robot::TermKind::kBaseLinVel;
  std::vector<double> scale = {};  ///< empty = 1
  std::vector<double> clip = {};   ///< low and high; empty = none
  int history = 1;
  std::optional<double> period_s = {};   ///< of a gait phase
  bool cos_first = false;                ///< of a gait phase
  bool newest_first = false;             ///< of its history
  std::vector<std::string> joints = {};  ///< empty = all
  std::string source = {};               ///< of its scale and the rest
};

/// Values by the names of joints: exactly, or by a part of them.
struct NamedValues {
  std::vector<std::pair<std::string, double>> values;
  bool by_part = true;  ///< the last part that a name contains wins; none = `otherwise`
  double otherwise = 0.0;
};

/// What files that belong to a policy say about its robot, and where they say so.
struct RobotFacts {
  using Numbers = std::optional<Fact<std::vector<double>>>;
  using Number = std::optional<Fact<double>>;
  using Named = std::optional<Fact<NamedValues>>;

  std::string dialect;  ///< who wrote the files, such as "rl_sar"

  std::optional<Fact<std::vector<std::string>>> joints;  ///< in the policy's order
  /// Place of each of the policy's joints among those of the robot, which no file names.
  std::optional<Fact<std::vector<int>>> places;
  Numbers kp, kd, default_pose, action_scale, action_offset, effort_limit, armature;
  Named named_kp, named_kd, named_pose;
  std::optional<Fact<std::string>> actuator;  ///< a kind of robot.toml
  std::vector<int> wheels;                    ///< joints that are told a speed
  Number physics_dt_s, control_dt_s, decimation, action_clip, spawn_height_m;
  std::optional<Fact<std::vector<TermFact>>> terms;
  std::map<robot::TermKind, Fact<std::vector<double>>> scales;  ///< of terms that others list
  std::optional<Fact<robot::FrameHistory>> frames;              ///< of the whole observation
  Numbers command_low, command_high;
  std::optional<Fact<std::vector<std::string>>> feet, forbidden;  ///< parts of names of bodies

  std::vector<std::string> unread;  ///< what matters but has to be read by a person
  std::vector<std::string> unused;  ///< keys that nothing was taken from

  /// What `other` knows and this does not; where both say something else is noted.
  void Complete(const RobotFacts& other);
};

/// Of the YAML, JSON or Python files that lie beside a policy, together: which of them belong
/// together and who wrote them is found out (docs/howto/bring-your-own-robot.md lists the
/// dialects). Errors: a file that cannot be read or says nothing.
[[nodiscard]] Result<RobotFacts> ReadFacts(const std::vector<std::filesystem::path>& files);

/// The facts in one text: `file` is its name, in messages and for its kind.
[[nodiscard]] RobotFacts FactsOfText(const std::string& text, const std::string& file);

/// Of texts by key: the metadata of an ONNX file as mjlab writes it.
[[nodiscard]] RobotFacts FactsOfMetadata(const std::map<std::string, std::string>& metadata,
                                         const std::string& source);

}  // namespace gonogo::study
