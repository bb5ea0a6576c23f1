// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp.h"

#include <cmath>
#include <utility>

#include "gonogo/base/check.h"

namespace gonogo::nn {
namespace {

std::size_t LayerSize(const MlpShape& shape, int layer) {
  return (static_cast<std::size_t>(shape.sizes[layer]) + 1) * shape.sizes[layer + 1];
}

/// The first n elements of a buffer that only ever grows.
template <typename Scalar>
std::span<Scalar> Take(std::vector<Scalar>& buffer, std::size_t n) {
  if (buffer.size() < n) buffer.resize(n);
  return {buffer.data(), n};
}

}  // namespace

std::size_t MlpShape::parameter_count() const {
  std::size_t count = 0;
  for (int layer = 0; layer < layers(); ++layer) count += LayerSize(*this, layer);
  return count;
}

template <typename Scalar>
Mlp<Scalar>::Mlp(MlpShape shape) : shape_(std::move(shape)) {
  GONOGO_CHECK(shape_.sizes.size() >= 2);
  for (const int size : shape_.sizes) GONOGO_CHECK(size > 0);
  std::size_t offset = 0;
  for (int layer = 0; layer < shape_.layers(); ++layer) {
    offsets_.push_back(offset);
    offset += LayerSize(shape_, layer);
  }
  parameters_.assign(offset, Scalar(0));
}

template <typename Scalar>
void Mlp<Scalar>::Initialise(const RngStream& stream) {
  for (int layer = 0; layer < shape_.layers(); ++layer) {
    Rng rng = stream.Child(layer).Generator();
    const double bound = 1.0 / std::sqrt(shape_.sizes[layer]);
    const std::span<Scalar> all(parameters_);
    for (Scalar& p : all.subspan(offsets_[layer], LayerSize(shape_, layer))) {
      p = static_cast<Scalar>(rng.Uniform(-bound, bound));
    }
  }
}

template <typename Scalar>
std::size_t Mlp<Scalar>::bias_offset(int layer) const {
  return offsets_[layer] + static_cast<std::size_t>(shape_.sizes[layer]) * shape_.sizes[layer + 1];
}

template <typename Scalar>
typename Mlp<Scalar>::Matrix Mlp<Scalar>::weight(int layer) {
  return {parameters_.data() + offsets_[layer], shape_.sizes[layer], shape_.sizes[layer + 1]};
}
template <typename Scalar>
typename Mlp<Scalar>::ConstMatrix Mlp<Scalar>::weight(int layer) const {
  return {parameters_.data() + offsets_[layer], shape_.sizes[layer], shape_.sizes[layer + 1]};
}
template <typename Scalar>
typename Mlp<Scalar>::Row Mlp<Scalar>::bias(int layer) {
  return {parameters_.data() + bias_offset(layer), shape_.sizes[layer + 1]};
}
template <typename Scalar>
typename Mlp<Scalar>::ConstRow Mlp<Scalar>::bias(int layer) const {
  return {parameters_.data() + bias_offset(layer), shape_.sizes[layer + 1]};
}

template <typename Scalar>
typename Mlp<Scalar>::ConstMatrix Mlp<Scalar>::Forward(
    const Eigen::Ref<const Batch<Scalar>>& inputs, Scratch& scratch) const {
  GONOGO_CHECK(inputs.cols() == shape_.inputs());
  const Eigen::Index rows = inputs.rows();
  scratch.outputs.resize(shape_.layers());
  for (int layer = 0; layer < shape_.layers(); ++layer) {
    const int width = shape_.sizes[layer + 1];
    const std::span<Scalar> out = Take(scratch.outputs[layer], rows * width);
    Matrix y(out.data(), rows, width);
    if (layer == 0) {
      y.noalias() = inputs * weight(0);
    } else {
      y.noalias() =
          ConstMatrix(scratch.outputs[layer - 1].data(), rows, shape_.sizes[layer]) * weight(layer);
    }
    y.rowwise() += bias(layer);
    Activate(layer + 1 < shape_.layers() ? shape_.hidden : shape_.output, out);
  }
  return {scratch.outputs.back().data(), rows, shape_.outputs()};
}

template <typename Scalar>
void Mlp<Scalar>::Backward(const Eigen::Ref<const Batch<Scalar>>& inputs,
                           const Eigen::Ref<const Batch<Scalar>>& output_gradient, Scratch& scratch,
                           std::span<Scalar> gradient, std::span<Scalar> input_gradient) const {
  const Eigen::Index rows = inputs.rows();
  const auto input_size = static_cast<std::size_t>(inputs.size());
  GONOGO_CHECK(output_gradient.rows() == rows && output_gradient.cols() == shape_.outputs());
  GONOGO_CHECK(gradient.size() == parameters_.size());
  GONOGO_CHECK(input_gradient.empty() || input_gradient.size() == input_size);
  Matrix(Take(scratch.gradient, output_gradient.size()).data(), rows, shape_.outputs()) =
      output_gradient;
  for (int layer = shape_.layers() - 1; layer >= 0; --layer) {
    const int fan_in = shape_.sizes[layer];
    const int width = shape_.sizes[layer + 1];
    const std::span<Scalar> flat = Take(scratch.gradient, rows * width);
    MultiplyByDerivative<Scalar>(layer + 1 < shape_.layers() ? shape_.hidden : shape_.output,
                                 Take(scratch.outputs[layer], rows * width), flat);
    const ConstMatrix delta(flat.data(), rows, width);
    Matrix weight_gradient(gradient.data() + offsets_[layer], fan_in, width);
    Row(gradient.data() + bias_offset(layer), width) = delta.colwise().sum();
    if (layer > 0) {
      const ConstMatrix h(scratch.outputs[layer - 1].data(), rows, fan_in);
      weight_gradient.noalias() = h.transpose() * delta;
      Matrix(Take(scratch.next_gradient, rows * fan_in).data(), rows, fan_in).noalias() =
          delta * weight(layer).transpose();
      std::swap(scratch.gradient, scratch.next_gradient);
    } else {
      weight_gradient.noalias() = inputs.transpose() * delta;
      if (!input_gradient.empty()) {
        Matrix(input_gradient.data(), rows, fan_in).noalias() = delta * weight(0).transpose();
      }
    }
  }
}

template class Mlp<float>;
template class Mlp<double>;

}  // namespace gonogo::nn
