// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::study {

/// Terms, in the usual order, whose sizes add up to that of a policy's input.
struct ObservationGuess {
  std::vector<robot::TermKind> terms;
  int history = 1;        ///< of every term
  bool has_scan = false;  ///< 17 x 11 points, the usual grid
  int missing = 0;        ///< numbers of the input that no term explains
};

/// The usual layout of `size` numbers for a robot of `joints` joints: with or without the base
/// velocity, a gait phase, a height scan and a history. Otherwise the nearest smaller one.
[[nodiscard]] ObservationGuess GuessObservation(int size, int joints);

/// How these terms, known from elsewhere, make up `size` numbers.
[[nodiscard]] ObservationGuess FitObservation(const std::vector<robot::TermKind>& terms, int size,
                                              int joints);

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
