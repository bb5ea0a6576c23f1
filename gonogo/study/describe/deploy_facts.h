// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::study {

/// A key of a YAML text with its scalars.
struct YamlEntry {
  std::string path;                 ///< names of the keys around it and its own, with dots
  std::vector<std::string> values;  ///< one, or those of a list

  /// The last name of the path.
  [[nodiscard]] std::string_view key() const {
    const std::size_t dot = path.rfind('.');
    return std::string_view(path).substr(dot == std::string::npos ? 0 : dot + 1);
  }
};

/// Keys, numbers, words and lists of them; anything else of YAML (anchors, tags, texts of several
/// lines, maps in lists) is passed over.
[[nodiscard]] std::vector<YamlEntry> ReadFlatYaml(std::string_view text);

/// What the file with which somebody deploys a policy says about it, and where it says so.
struct DeployFacts {
  template <typename T>
  struct Fact {
    T value;
    std::string source;  ///< "kps of g1.yaml"
  };
  using Numbers = std::optional<Fact<std::vector<double>>>;
  using Number = std::optional<Fact<double>>;

  std::optional<Fact<std::vector<std::string>>> joints;
  Numbers kp, kd, default_pose, action_scale, effort_limit;
  Number physics_dt_s, control_dt_s, decimation, history;
  std::optional<Fact<std::vector<robot::TermKind>>> terms;
  std::map<robot::TermKind, Fact<std::vector<double>>> scales;
  std::vector<std::string> unread;  ///< keys that matter but have to be read by a person

  /// What `other` knows and this does not.
  void Complete(const DeployFacts& other);
};

/// Of a YAML file as unitree_rl_gym, rl_sar and unitree_rl_lab write them. Its keys are found by
/// name, wherever they stand.
[[nodiscard]] Result<DeployFacts> ReadDeployFile(const std::filesystem::path& file);

/// Of texts by key: the metadata of an ONNX file, lists separated by commas.
[[nodiscard]] DeployFacts FactsOf(const std::map<std::string, std::string>& metadata,
                                  const std::string& source);

}  // namespace gonogo::study
