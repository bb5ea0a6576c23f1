// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "gonogo/base/result.h"
#include "gonogo/response/models/macro_model.h"
#include "gonogo/response/models/response_model.h"
#include "gonogo/response/models/value_model.h"
#include "gonogo/robot/spec/spec.h"

/// \file
/// Identified models on disk: `<stem>.onnx` holds the networks with their standardisation inside
/// the graph (one input `input`, one output), `<stem>.json` what they are: schema, kind, robot,
/// layout, shape, exact normalisation, provenance and the SHA-256 of the ONNX file.

namespace gonogo::response {

/// The bytes of a model's two files.
struct ModelBytes {
  std::string onnx;
  std::string json;
};
[[nodiscard]] ModelBytes BytesOf(const ResponseModel& model);
[[nodiscard]] ModelBytes BytesOf(const MacroModel& model);
[[nodiscard]] ModelBytes BytesOf(const ValueModel& model);

/// `stem` is a path without extension.
[[nodiscard]] Status WriteModel(const std::filesystem::path& stem, const ModelBytes& bytes);
template <typename Model>
[[nodiscard]] Status SaveModel(const std::filesystem::path& stem, const Model& model) {
  return WriteModel(stem, BytesOf(model));
}

/// Fail when a file is missing, damaged, of another kind, or identified on another robot or
/// observation layout than `robot`.
[[nodiscard]] Result<ResponseModel> LoadResponseModel(const std::filesystem::path& stem,
                                                      const robot::RobotSpec& robot);
[[nodiscard]] Result<MacroModel> LoadMacroModel(const std::filesystem::path& stem,
                                                const robot::RobotSpec& robot);
[[nodiscard]] Result<ValueModel> LoadValueModel(const std::filesystem::path& stem,
                                                const robot::RobotSpec& robot);

}  // namespace gonogo::response
