// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo::nn {

/// One input or output of a model. A dimension that the file leaves open counts as 1.
struct OnnxPort {
  std::string name;
  std::vector<std::int64_t> shape;
  std::size_t size = 0;  ///< floats per row: the product of the shape
};

/// What a graph subtracts from its first input and divides it by before anything else.
struct InputNormaliser {
  std::vector<float> mean;
  std::vector<float> scale;
};

/// A frozen network read from an ONNX file, ready to run: float32, all shapes known, constants
/// folded, weights packed. Immutable and cheap to copy; threads share one model and bring their own
/// `Scratch`.
///
/// The graph is executed for any number of rows at once, each an independent evaluation of the
/// whole graph (so recurrent state has one block per row). A row's outputs have the same bytes
/// whether it is run alone or among others.
///
/// Operators: Abs Add BatchNormalization Cast Clip Concat Constant Conv Div Elu Exp Expand Flatten
/// GRU Gather Gemm Identity LSTM LayerNormalization LeakyRelu Log MatMul Max Min Mul Neg Pow
/// ReduceL2 ReduceMax ReduceMean ReduceSum Relu Reshape Shape Sigmoid Slice Softmax Softplus Split
/// Sqrt Squeeze Sub Tanh Transpose TreeEnsembleRegressor Unsqueeze. Weights of half and double
/// precision become float32.
class OnnxModel {
 public:
  /// Working memory of one thread. Grows to what its model needs and is then reused without
  /// allocation.
  class Scratch {
    friend class OnnxModel;
    std::vector<float> arena_;
  };

  /// Reads `file` and the external data beside it. Errors name the file, the node, its operator,
  /// what was found and what was expected.
  [[nodiscard]] static Result<OnnxModel> Load(const std::filesystem::path& file);

  /// The same from bytes in memory, which may not refer to external data; `name` is for messages.
  [[nodiscard]] static Result<OnnxModel> Parse(std::string_view bytes, std::string_view name);

  [[nodiscard]] const std::vector<OnnxPort>& inputs() const;
  [[nodiscard]] const std::vector<OnnxPort>& outputs() const;
  /// Key/value pairs of the file, such as provenance.
  [[nodiscard]] const std::map<std::string, std::string>& metadata() const;

  /// The normaliser at the first input, if the graph begins with one.
  [[nodiscard]] const std::optional<InputNormaliser>& normaliser() const;

  /// Evaluates the graph for outputs[0].size() / outputs()[0].size rows. Every span holds one block
  /// of `size` floats per row, in the order of `inputs()` and `outputs()`. Does not look for NaN.
  void Run(std::span<const std::span<const float>> inputs,
           std::span<const std::span<float>> outputs, Scratch& scratch) const;

 private:
  struct Content;
  explicit OnnxModel(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
  [[nodiscard]] static Result<OnnxModel> Read(std::string_view bytes, std::string_view name,
                                              const std::filesystem::path* directory);
  void RunBlock(std::span<const std::span<const float>> inputs,
                std::span<const std::span<float>> outputs, std::size_t first, std::size_t rows,
                float* arena) const;

  std::shared_ptr<const Content> content_;
};

}  // namespace gonogo::nn
