// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "gonogo/base/result.h"
#include "gonogo/nn/onnx/torchscript/value.h"

namespace gonogo::nn::torchscript {

/// The value that a pickle of TorchScript describes (protocol 2, the opcodes that PyTorch writes).
/// Nothing is called: classes become `Object`s with what they were saved with, tensors remember
/// where their numbers are (`storages` + key), and every other call is refused by its name.
[[nodiscard]] Result<Value> ReadPickle(std::string_view bytes, const std::string& storages,
                                       Heap& heap);

}  // namespace gonogo::nn::torchscript
