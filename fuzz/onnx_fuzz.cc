// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, an ONNX file is refused with a message or gives a model that runs.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gonogo/nn/onnx/model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using gonogo::nn::OnnxModel;
  using gonogo::nn::OnnxPort;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const gonogo::Result<OnnxModel> model = OnnxModel::Parse(bytes, "fuzz");
  if (!model.ok()) return 0;
  constexpr std::size_t kRows = 3;
  std::vector<std::vector<float>> buffers;
  std::vector<std::span<const float>> inputs;
  std::vector<std::span<float>> outputs;
  for (const OnnxPort& port : model.value().inputs()) {
    inputs.emplace_back(buffers.emplace_back(kRows * port.size, 0.5F));
  }
  for (const OnnxPort& port : model.value().outputs()) {
    outputs.emplace_back(buffers.emplace_back(kRows * port.size));
  }
  OnnxModel::Scratch scratch;
  model.value().Run(inputs, outputs, scratch);
  return 0;
}
