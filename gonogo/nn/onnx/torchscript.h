// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo::nn {

/// Whether bytes begin as files of PyTorch do: with a zip archive.
[[nodiscard]] bool LooksLikeTorchScript(std::string_view bytes);

/// The bytes of the ONNX file that computes what a TorchScript archive does: its `forward` for one
/// row. Nothing of the archive is executed: its code is read and gone through with tensors that
/// have shapes but no numbers. Tensors that `forward` writes into its modules become pairs of
/// further inputs and outputs, the recurrent state.
///
/// `inputs` says how many numbers each input of `forward` takes; empty: the sizes of its weights
/// say it. Errors name the file and what is not supported: the operator, file and line of its code.
[[nodiscard]] Result<std::string> ConvertTorchScript(std::string_view bytes, std::string_view name,
                                                     const std::vector<std::int64_t>& inputs = {});

}  // namespace gonogo::nn
