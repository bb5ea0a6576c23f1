// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/nn/mlp/ensemble.h"
#include "gonogo/nn/mlp/mlp.h"
#include "gonogo/nn/mlp/treatment_effect.h"

namespace gonogo::nn {

/// activation(x W + b); a view of somebody's parameters.
struct DenseLayer {
  std::span<const float> weight;  ///< row-major [inputs, outputs]
  std::span<const float> bias;    ///< one per output
  Activation activation = Activation::kIdentity;
};

/// What an exported file computes: (x - mean) / scale, then one or several perceptrons of equal
/// shape, then y scale + mean, then the logistic function of outputs that are logits.
struct OnnxNetwork {
  std::vector<std::vector<DenseLayer>> members;
  Standardiser input = {};                ///< no columns: inputs are used as they are
  Standardiser target = {};               ///< no columns: outputs are used as they are
  std::vector<bool> is_probability = {};  ///< one per output; empty: none is
  std::string input_name = "obs";
  std::string output_name = "actions";
  /// Provenance, observation layout and whatever else a reader should be able to check.
  std::map<std::string, std::string> metadata = {};
};

/// A view of a network that was trained; it must outlive the result.
[[nodiscard]] OnnxNetwork DescribeOnnx(const Mlp<float>& network);
/// The same for an ensemble, with its standardisation and probabilities as `Ensemble::Predict`.
[[nodiscard]] OnnxNetwork DescribeOnnx(const Ensemble& ensemble);

/// The bytes of an ONNX file with input [rows, inputs] and output [rows, outputs], or
/// [rows, members, outputs] when there are several members; the number of rows is left open.
[[nodiscard]] std::string SerialiseOnnx(const OnnxNetwork& network);

/// Writes `SerialiseOnnx` to `file`, whole or not at all.
[[nodiscard]] Status WriteOnnx(const std::filesystem::path& file, const OnnxNetwork& network);

/// The bytes of an ONNX file with input `features` [rows, inputs] and one output [rows, members,
/// candidates] for each of `outputs`, named like it. Standardisation is inside.
[[nodiscard]] std::string SerialiseEffects(const EffectModel& model,
                                           const std::map<std::string, std::string>& metadata);

/// Reads the weights of an ensemble that `WriteOnnx` wrote back into `ensemble`, whose shapes and
/// number of members must be those of the file. Its standardisation is left as it is: the file
/// rounds it to float.
[[nodiscard]] Status ReadOnnxWeights(const std::filesystem::path& file, Ensemble& ensemble);

}  // namespace gonogo::nn
