// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/mlp.h"

#include <iterator>
#include <utility>

#include "gonogo/base/check.h"
#include "gonogo/nn/kernels/gemm.h"

namespace gonogo::nn {
namespace {

std::size_t LayerSize(const MlpShape& shape, int layer) {
  return (static_cast<std::size_t>(shape.sizes[layer]) + 1) * shape.sizes[layer + 1];
}

/// The first n elements of a buffer that only ever grows.
template <typename Scalar>
std::span<Scalar> Take(std::vector<Scalar>& buffer, std::ptrdiff_t n) {
  if (std::ssize(buffer) < n) buffer.resize(n);
  return {buffer.data(), static_cast<std::size_t>(n)};
}

template <typename Scalar>
internal::Strided<Scalar> Dense(const Scalar* data, std::ptrdiff_t columns) {
  return {data, columns, 1};
}

template <typename Scalar>
void SumRows(std::span<const Scalar> matrix, std::span<Scalar> sums) {
  std::ranges::fill(sums, Scalar(0));
  const std::size_t width = sums.size();
  for (std::size_t row = 0; row < matrix.size(); row += width) {
    for (std::size_t j = 0; j < width; ++j) sums[j] += matrix[row + j];
  }
}

template <typename Scalar>
void MultiplyBy(std::span<const Scalar> factors, std::span<Scalar> values) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= factors[i];
}

}  // namespace

template <typename Scalar>
void Activate(Activation kind, std::span<Scalar> values) {
  switch (kind) {
    case Activation::kIdentity:
      return;
    case Activation::kRelu:
      for (Scalar& v : values) v = v > Scalar(0) ? v : Scalar(0);
      return;
    case Activation::kElu:
      for (Scalar& v : values) {
        const Scalar below = Exp(std::min(v, Scalar(0))) - Scalar(1);
        v = v > Scalar(0) ? v : below;
      }
      return;
    case Activation::kTanh:
      for (Scalar& v : values) v = Tanh(v);
      return;
  }
}

template <typename Scalar>
void MultiplyByDerivative(Activation kind, std::span<const Scalar> outputs,
                          std::span<Scalar> gradient) {
  GONOGO_CHECK(outputs.size() == gradient.size());
  const std::size_t n = gradient.size();
  const Scalar* y = outputs.data();
  Scalar* g = gradient.data();
  switch (kind) {
    case Activation::kIdentity:
      return;
    case Activation::kRelu:
      for (std::size_t i = 0; i < n; ++i) g[i] = y[i] > Scalar(0) ? g[i] : Scalar(0);
      return;
    case Activation::kElu:
      for (std::size_t i = 0; i < n; ++i) g[i] *= std::min(y[i], Scalar(0)) + Scalar(1);
      return;
    case Activation::kTanh:
      for (std::size_t i = 0; i < n; ++i) g[i] *= Scalar(1) - y[i] * y[i];
      return;
  }
}

template void Activate(Activation, std::span<float>);
template void Activate(Activation, std::span<double>);
template void MultiplyByDerivative(Activation, std::span<const float>, std::span<float>);
template void MultiplyByDerivative(Activation, std::span<const double>, std::span<double>);

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
template <typename Drop>
typename Mlp<Scalar>::ConstMatrix Mlp<Scalar>::ForwardLayers(
    const Eigen::Ref<const Batch<Scalar>>& inputs, Scratch& scratch, Drop&& drop) const {
  GONOGO_CHECK(inputs.cols() == shape_.inputs());
  const int rows = static_cast<int>(inputs.rows());
  scratch.outputs.resize(shape_.layers());
  internal::Strided<Scalar> x = Dense(inputs.data(), inputs.outerStride());
  for (int layer = 0; layer < shape_.layers(); ++layer) {
    const int width = shape_.sizes[layer + 1];
    const bool hidden = layer + 1 < shape_.layers();
    const std::span<Scalar> out = Take(scratch.outputs[layer], rows * width);
    internal::Multiply(rows, width, shape_.sizes[layer], x,
                       Dense(parameters_.data() + offsets_[layer], width),
                       parameters_.data() + bias_offset(layer), out.data());
    Activate(hidden ? shape_.hidden : shape_.output, out);
    x = Dense(hidden ? drop(layer, out) : out.data(), width);
  }
  return {scratch.outputs.back().data(), rows, shape_.outputs()};
}

template <typename Scalar>
typename Mlp<Scalar>::ConstMatrix Mlp<Scalar>::Forward(
    const Eigen::Ref<const Batch<Scalar>>& inputs, Scratch& scratch) const {
  scratch.dropped.clear();
  return ForwardLayers(inputs, scratch, [](int, std::span<Scalar> out) { return out.data(); });
}

template <typename Scalar>
typename Mlp<Scalar>::ConstMatrix Mlp<Scalar>::ForwardWithDropout(
    const Eigen::Ref<const Batch<Scalar>>& inputs, double rate, Rng& rng, Scratch& scratch) const {
  GONOGO_CHECK(rate >= 0.0 && rate < 1.0);
  scratch.dropped.resize(shape_.layers() - 1);
  scratch.masks.resize(shape_.layers() - 1);
  const auto threshold = static_cast<std::uint32_t>(rate * 0x1p32);
  const auto kept = static_cast<Scalar>(1.0 / (1.0 - rate));
  return ForwardLayers(inputs, scratch, [&](int layer, std::span<Scalar> out) {
    const std::span<Scalar> mask = Take(scratch.masks[layer], std::ssize(out));
    const std::span<Scalar> dropped = Take(scratch.dropped[layer], std::ssize(out));
    for (Scalar& m : mask) m = rng.NextU32() < threshold ? Scalar(0) : kept;
    for (std::size_t i = 0; i < out.size(); ++i) dropped[i] = out[i] * mask[i];
    return dropped.data();
  });
}

template <typename Scalar>
void Mlp<Scalar>::Backward(const Eigen::Ref<const Batch<Scalar>>& inputs,
                           const Eigen::Ref<const Batch<Scalar>>& output_gradient, Scratch& scratch,
                           std::span<Scalar> gradient, std::span<Scalar> input_gradient) const {
  const int rows = static_cast<int>(inputs.rows());
  GONOGO_CHECK(output_gradient.rows() == rows && output_gradient.cols() == shape_.outputs());
  GONOGO_CHECK(gradient.size() == parameters_.size());
  GONOGO_CHECK(input_gradient.empty() || std::ssize(input_gradient) == inputs.size());
  Matrix(Take(scratch.gradient, output_gradient.size()).data(), rows, shape_.outputs()) =
      output_gradient;
  const bool dropout = !scratch.dropped.empty();
  for (int layer = shape_.layers() - 1; layer >= 0; --layer) {
    const int fan_in = shape_.sizes[layer];
    const int width = shape_.sizes[layer + 1];
    const bool hidden = layer + 1 < shape_.layers();
    const std::span<Scalar> delta = Take(scratch.gradient, rows * width);
    if (hidden && dropout) MultiplyBy<Scalar>(scratch.masks[layer], delta);
    MultiplyByDerivative<Scalar>(hidden ? shape_.hidden : shape_.output,
                                 Take(scratch.outputs[layer], rows * width), delta);
    internal::Strided<Scalar> x = Dense(inputs.data(), inputs.outerStride());
    if (layer > 0)
      x = Dense((dropout ? scratch.dropped : scratch.outputs)[layer - 1].data(), fan_in);
    internal::Multiply<Scalar>(fan_in, width, rows, x.transpose(), Dense(delta.data(), width),
                               nullptr, gradient.data() + offsets_[layer]);
    SumRows<Scalar>(delta, gradient.subspan(bias_offset(layer), width));
    if (layer == 0 && input_gradient.empty()) return;
    const std::span<Scalar> below =
        layer == 0 ? input_gradient : Take(scratch.next_gradient, rows * fan_in);
    internal::Multiply<Scalar>(rows, fan_in, width, Dense(delta.data(), width),
                               Dense(parameters_.data() + offsets_[layer], width).transpose(),
                               nullptr, below.data());
    std::swap(scratch.gradient, scratch.next_gradient);
  }
}

template class Mlp<float>;
template class Mlp<double>;

}  // namespace gonogo::nn
