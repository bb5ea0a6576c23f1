// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/sim/model/engine.h"

namespace gonogo::sim {

/// A robot's model, MJCF or URDF, as the engine read it. A URDF gets what it cannot say: its root
/// link a free joint; its meshes are looked for beside it, whatever folders or packages it names.
/// Where a model has no actuators every joint that turns or slides gets a motor.
class ModelSource {
 public:
  [[nodiscard]] static Result<ModelSource> Read(const std::filesystem::path& file);
  /// Reads a text as if it stood in `file`. Files that it names outside the folder of `file` are
  /// refused (model_files.h).
  [[nodiscard]] static Result<ModelSource> Parse(std::string text,
                                                 const std::filesystem::path& file);

  /// To be changed before it is compiled.
  [[nodiscard]] mjSpec_& spec() { return *spec_; }

  /// Meshes that only pictures need may be missing. Errors name the file and, where the engine
  /// knows it, the line.
  [[nodiscard]] Result<ModelPtr> Compile();

  /// What is not as the file says, in sentences.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  ModelSource() = default;
  [[nodiscard]] bool LeaveOutMissingLooks(const std::string& message);
  [[nodiscard]] Error Refusal(const std::string& message) const;

  std::filesystem::path file_;
  std::string text_;
  bool urdf_ = false;
  SpecPtr spec_;
  std::vector<std::string> notes_;
};

}  // namespace gonogo::sim
