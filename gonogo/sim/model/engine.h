// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "gonogo/base/result.h"

// MuJoCo's types stay opaque outside this folder.
struct mjModel_;
struct mjData_;

namespace gonogo::sim {

struct ModelDeleter {
  void operator()(mjModel_* model) const;
};
struct DataDeleter {
  void operator()(mjData_* data) const;
};
using ModelPtr = std::unique_ptr<mjModel_, ModelDeleter>;
using DataPtr = std::unique_ptr<mjData_, DataDeleter>;

/// Runs calls into the engine. What MuJoCo reports as a fatal error (it would otherwise wait for
/// Enter and exit) becomes an error value; its warnings are silent here and counted in mjData.
[[nodiscard]] Status CallEngine(const std::function<void()>& calls);

/// Compiles an MJCF text as if it stood in a file beside `beside`, so that its relative asset and
/// include paths work. Files outside that folder are refused (model_files.h).
[[nodiscard]] Result<ModelPtr> CompileModel(const std::string& mjcf,
                                            const std::filesystem::path& beside);

}  // namespace gonogo::sim
