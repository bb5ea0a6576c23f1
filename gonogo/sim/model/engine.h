// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gonogo/base/result.h"

// MuJoCo's types stay opaque outside this folder.
struct mjModel_;
struct mjData_;
struct mjSpec_;

namespace gonogo::sim {

struct ModelDeleter {
  void operator()(mjModel_* model) const;
};
struct DataDeleter {
  void operator()(mjData_* data) const;
};
struct SpecDeleter {
  void operator()(mjSpec_* spec) const;
};
using ModelPtr = std::unique_ptr<mjModel_, ModelDeleter>;
using DataPtr = std::unique_ptr<mjData_, DataDeleter>;
using SpecPtr = std::unique_ptr<mjSpec_, SpecDeleter>;  ///< a model that can still be changed

/// Runs calls into the engine. What MuJoCo reports as a fatal error (it would otherwise end the
/// program) becomes an error value; its warnings are silent here and counted in mjData.
[[nodiscard]] Status CallEngine(const std::function<void()>& calls);

/// "MuJoCo 3.14.0": the library that this process has loaded.
[[nodiscard]] std::string EngineVersion();

/// An error if the library is of another version than the headers we were compiled with: models
/// and data are structures whose layout changes between versions.
[[nodiscard]] Status CheckEngine(int library_version);
[[nodiscard]] Status CheckEngine();

}  // namespace gonogo::sim
