// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/nn/onnx/torchscript/operators.h"

namespace gonogo::nn::torchscript {

/// (input, [h, c], weights, has_biases, num_layers, dropout, train, bidirectional, batch_first)
[[nodiscard]] Result<Value> Lstm(const Call& call);
/// The same with one state.
[[nodiscard]] Result<Value> Gru(const Call& call);

}  // namespace gonogo::nn::torchscript
