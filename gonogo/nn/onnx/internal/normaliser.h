// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "gonogo/nn/onnx/internal/plan.h"
#include "gonogo/nn/onnx/model.h"

namespace gonogo::nn::graph {

/// The normaliser a plan applies to its first input: a subtraction (or addition) of constants, then
/// a division by (or multiplication with) constants. Nothing if the graph begins otherwise.
[[nodiscard]] std::optional<InputNormaliser> FindNormaliser(const Plan& plan);

}  // namespace gonogo::nn::graph
