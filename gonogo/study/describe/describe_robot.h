// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
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
  std::filesystem::path model;                 ///< MJCF or URDF
  std::filesystem::path policy;                ///< ONNX or TorchScript
  std::vector<std::filesystem::path> configs;  ///< what else lies beside them, in any order
  std::filesystem::path folder;  ///< where the description will stand; paths in it are from here
};

/// Finds out which of these files, and of those in these folders, are what. Errors: two models or
/// two policies, or none of them, and files of a kind that nothing can be read from.
[[nodiscard]] Result<DescribeInput> SortFiles(const std::vector<std::filesystem::path>& files);

/// What `gonogo init robot` writes.
struct Description {
  std::string robot_toml;
  std::string audit_toml;
  std::string policy_onnx;  ///< what a TorchScript policy was converted to; empty = it is ONNX
  std::string dialect;      ///< who wrote the files; empty = nobody that is known
};

/// A robot.toml whose every value has a comment with the file and key it comes from; what no file
/// says is marked CHECK. With it a first audit.toml. A TorchScript policy is converted, to
/// "policy.onnx" beside the description. Errors: files that cannot be read.
[[nodiscard]] Result<Description> DescribeRobot(const DescribeInput& input);

}  // namespace gonogo::study
