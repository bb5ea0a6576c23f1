// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "gonogo/base/result.h"
#include "gonogo/nn/mlp/ensemble.h"

namespace gonogo::nn {

/// Writes the ensemble as HDF5 (docs/reference/formats.md), atomically: a reader sees the old file
/// or the new one.
[[nodiscard]] Status SaveEnsemble(const Ensemble& ensemble, const std::filesystem::path& path);

/// Reads what `SaveEnsemble` wrote, bit for bit. Refuses a file that is truncated, altered or of
/// another kind, naming what is wrong.
[[nodiscard]] Result<Ensemble> LoadEnsemble(const std::filesystem::path& path);

}  // namespace gonogo::nn
