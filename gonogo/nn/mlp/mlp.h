// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "gonogo/base/rng.h"
#include "gonogo/nn/mlp/activation.h"
#include "gonogo/nn/mlp/batch.h"

namespace gonogo::nn {

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
