// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "gonogo/base/result.h"

namespace gonogo::study {

/// The files that a first description is made of.
struct DescribeInput {
  std::filesystem::path model;   ///< MJCF
  std::filesystem::path policy;  ///< ONNX
  std::filesystem::path deploy;  ///< YAML of a deployment; may be empty
  std::filesystem::path folder;  ///< where the description will stand; paths in it are from here
};

/// A robot.toml with a comment on every line that says where it comes from; what only a person can
/// know is marked CHECK. Errors: files that cannot be read.
[[nodiscard]] Result<std::string> DescribeRobot(const DescribeInput& input);

}  // namespace gonogo::study
