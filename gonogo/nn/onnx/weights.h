// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "gonogo/base/result.h"
#include "gonogo/nn/mlp/ensemble.h"

namespace gonogo::nn {

/// Reads the weights of an ensemble that `WriteOnnx` wrote back into `ensemble`, whose shapes and
/// number of members must be those of the file. Its standardisation is left as it is: the file
/// rounds it to float.
[[nodiscard]] Status ReadOnnxWeights(const std::filesystem::path& file, Ensemble& ensemble);

}  // namespace gonogo::nn
