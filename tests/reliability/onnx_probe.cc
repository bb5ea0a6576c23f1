// SPDX-License-Identifier: Apache-2.0
// What our reader makes of an ONNX file, for comparison with another: `onnx_probe FILE ROWS <
// numbers` prints a line of numbers for each output. Exit code 3 and a message when the file is
// refused.
#include <iostream>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "gonogo/nn/onnx/model.h"

int main(int argc, char** argv) {
  using gonogo::nn::OnnxModel;
  if (argc != 3) return 2;
  const gonogo::Result<OnnxModel> model = OnnxModel::Load(argv[1]);
  if (!model.ok()) {
    std::cerr << model.error().message << '\n';
    return 3;
  }
  const std::size_t rows = std::stoul(argv[2]);
  const std::vector<float> numbers(std::istream_iterator<float>(std::cin), {});
  std::vector<std::span<const float>> inputs;
  std::size_t taken = 0;
  for (const gonogo::nn::OnnxPort& port : model.value().inputs()) {
    if (numbers.size() - taken < rows * port.size) return 2;
    inputs.push_back(std::span(numbers).subspan(taken, rows * port.size));
    taken += rows * port.size;
  }
  std::vector<std::vector<float>> values;
  for (const gonogo::nn::OnnxPort& port : model.value().outputs()) {
    values.emplace_back(rows * port.size);
  }
  const std::vector<std::span<float>> outputs(values.begin(), values.end());
  OnnxModel::Scratch scratch;
  model.value().Run(inputs, outputs, scratch);
  for (const std::vector<float>& output : values) {
    for (const float value : output) std::cout << fmt::format("{} ", value);
    std::cout << '\n';
  }
  return 0;
}
