// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <onnx/onnx_pb.h>

#include "gonogo/base/result.h"
#include "gonogo/nn/onnx/internal/tensor.h"

namespace gonogo::nn::graph {

/// `FLOAT`, `DOUBLE`, ...
[[nodiscard]] std::string DataTypeName(int data_type);

/// The values of an initializer or tensor attribute, from the message itself or from the external
/// file it names, which must lie in `directory` or below it.
[[nodiscard]] Result<Tensor> ReadTensor(const ::onnx::TensorProto& proto,
                                        const std::optional<std::filesystem::path>& directory);

}  // namespace gonogo::nn::graph
