// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "gonogo/base/rng.h"

namespace gonogo::nn {

/// Samples are rows, row-major.
template <typename Scalar>
using Batch = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// What a layer applies to its affine outputs. ELU has alpha = 1.
enum class Activation { kIdentity, kRelu, kElu, kTanh };

/// exp(x). The float version is branch-free (relative error below 2e-7 on [-87, 88], clamped
/// outside), so that a loop over it vectorises and gives the same bits for every position in an
/// array.
[[nodiscard]] inline double Exp(double x) { return std::exp(x); }
[[nodiscard]] inline float Exp(float x) {
  constexpr float kLog2e = 1.44269504F;
  constexpr float kLn2High = 0.693359375F;  // few bits: n * kLn2High is exact
  constexpr float kLn2Low = -2.12194440e-4F;
  constexpr float kRoundingShift = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer
  x = std::clamp(x, -87.0F, 88.0F);
  const float shifted = x * kLog2e + kRoundingShift;
  const float n = shifted - kRoundingShift;
  const float r = (x - n * kLn2High) - n * kLn2Low;
  float p = 1.0F / 5040.0F;  // Taylor on |r| <= ln(2)/2: remainder 6e-9
  p = p * r + 1.0F / 720.0F;
  p = p * r + 1.0F / 120.0F;
  p = p * r + 1.0F / 24.0F;
  p = p * r + 1.0F / 6.0F;
  p = p * r + 0.5F;
  p = p * r + 1.0F;
  p = p * r + 1.0F;
  // The integer n sits in the low bits of `shifted`; a cast of n would be undefined for NaN.
  const std::uint32_t exponent =
      std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(kRoundingShift) + 127U;
  return p * std::bit_cast<float>(exponent << 23U);
}

/// 1 / (1 + exp(-x)).
template <typename Scalar>
[[nodiscard]] Scalar Sigmoid(Scalar x) {
  return Scalar(1) / (Scalar(1) + Exp(-x));
}

/// tanh(x); the float version has absolute error below 2e-7.
template <typename Scalar>
[[nodiscard]] Scalar Tanh(Scalar x) {
  return Scalar(1) - Scalar(2) / (Exp(Scalar(2) * x) + Scalar(1));
}
template <>
[[nodiscard]] inline double Tanh(double x) {
  return std::tanh(x);
}

/// Replaces affine outputs by activations, in place.
template <typename Scalar>
void Activate(Activation kind, std::span<Scalar> values);

/// Multiplies `gradient` by the derivative of the activation, which all four kinds can read off
/// their own outputs.
template <typename Scalar>
void MultiplyByDerivative(Activation kind, std::span<const Scalar> outputs,
                          std::span<Scalar> gradient);

/// What a multilayer perceptron looks like, without its numbers.
struct MlpShape {
  std::vector<int> sizes = {};  ///< inputs, hidden widths..., outputs: at least two, all positive
  Activation hidden = Activation::kRelu;
  Activation output = Activation::kIdentity;

  [[nodiscard]] int inputs() const { return sizes.front(); }
  [[nodiscard]] int outputs() const { return sizes.back(); }
  [[nodiscard]] int layers() const { return static_cast<int>(sizes.size()) - 1; }
  [[nodiscard]] std::size_t parameter_count() const;
  bool operator==(const MlpShape&) const = default;
};

/// A multilayer perceptron: layer l maps h to activation(h W_l + b_l). All parameters live in one
/// contiguous vector, W_0 b_0 W_1 b_1 ..., each W_l row-major (inputs x outputs), so that
/// optimisers, clipping, averaging and files deal with one span. Immutable while shared by
/// threads; every thread brings its own `Scratch`.
template <typename Scalar>
class Mlp {
 public:
  using Matrix = Eigen::Map<Batch<Scalar>>;
  using ConstMatrix = Eigen::Map<const Batch<Scalar>>;
  using Row = Eigen::Map<Eigen::Matrix<Scalar, 1, Eigen::Dynamic>>;
  using ConstRow = Eigen::Map<const Eigen::Matrix<Scalar, 1, Eigen::Dynamic>>;

  /// Buffers of one forward and backward pass. Grows to the largest batch seen and is then reused
  /// without allocation.
  struct Scratch {
    std::vector<std::vector<Scalar>> outputs;  // of every layer, rows x width
    std::vector<std::vector<Scalar>> dropped;  // hidden outputs after dropout; empty without it
    std::vector<std::vector<Scalar>> masks;    // 0 or 1 / (1 - rate)
    std::vector<Scalar> gradient;              // with respect to a layer's affine outputs
    std::vector<Scalar> next_gradient;
  };

  /// All parameters zero.
  explicit Mlp(MlpShape shape);

  /// Draws every weight and bias of a layer from U(±1/sqrt(fan_in)).
  void Initialise(const RngStream& stream);

  [[nodiscard]] const MlpShape& shape() const { return shape_; }
  [[nodiscard]] std::span<Scalar> parameters() { return parameters_; }
  [[nodiscard]] std::span<const Scalar> parameters() const { return parameters_; }
  [[nodiscard]] Matrix weight(int layer);
  [[nodiscard]] ConstMatrix weight(int layer) const;
  [[nodiscard]] Row bias(int layer);
  [[nodiscard]] ConstRow bias(int layer) const;
  /// Where layer `layer` starts in `parameters()`; its bias follows its weight.
  [[nodiscard]] std::size_t weight_offset(int layer) const { return offsets_[layer]; }
  [[nodiscard]] std::size_t bias_offset(int layer) const;

  /// Outputs (rows x outputs) for `inputs` (rows x inputs). A row has the same bits whatever else
  /// is in the batch. The view stays valid until `scratch` is used again.
  ConstMatrix Forward(const Eigen::Ref<const Batch<Scalar>>& inputs, Scratch& scratch) const;

  /// The same in training: every hidden output is set to zero with probability `rate`, the others
  /// are divided by 1 - rate. `Backward` then follows the same choice.
  ConstMatrix ForwardWithDropout(const Eigen::Ref<const Batch<Scalar>>& inputs, double rate,
                                 Rng& rng, Scratch& scratch) const;

  /// Backpropagates `output_gradient` (dL/d outputs, rows x outputs) through the last `Forward` of
  /// `scratch`, which must have seen the same `inputs`. Overwrites `gradient`, laid out as
  /// `parameters()`, and `input_gradient` (rows x inputs, row-major) unless that is empty.
  void Backward(const Eigen::Ref<const Batch<Scalar>>& inputs,
                const Eigen::Ref<const Batch<Scalar>>& output_gradient, Scratch& scratch,
                std::span<Scalar> gradient, std::span<Scalar> input_gradient = {}) const;

 private:
  template <typename Drop>
  ConstMatrix ForwardLayers(const Eigen::Ref<const Batch<Scalar>>& inputs, Scratch& scratch,
                            Drop&& drop) const;

  MlpShape shape_;
  std::vector<std::size_t> offsets_;  // of W_l in parameters_
  std::vector<Scalar> parameters_;
};

extern template class Mlp<float>;
extern template class Mlp<double>;

}  // namespace gonogo::nn
