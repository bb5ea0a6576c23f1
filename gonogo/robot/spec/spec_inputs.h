// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/io/toml/toml.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::robot {

/// The input that each [[observation]] names, in their order.
class InputNames {
 public:
  void Add(const io::TomlNode& term);
  [[nodiscard]] bool any() const { return any_; }
  [[nodiscard]] const std::vector<std::string>& all() const { return names_; }

 private:
  std::vector<std::string> names_;
  bool any_ = false;
};

/// Sorts the terms by the inputs they name and reads what [[input]] says about those.
void ReadInputs(const io::TomlNode& root, const InputNames& names, RobotSpec& spec);

/// Reads [encoder], if there is one.
void ReadEncoder(const io::TomlNode& node, RobotSpec& spec);

}  // namespace gonogo::robot
