// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "gonogo/nn/effect/effect_model.h"

namespace gonogo::nn {

/// The bytes of an ONNX file with input `features` [rows, inputs] and one output [rows, members,
/// candidates] for each of `outputs`, named like it. Standardisation is inside.
[[nodiscard]] std::string SerialiseEffects(const EffectModel& model,
                                           const std::map<std::string, std::string>& metadata);

}  // namespace gonogo::nn
