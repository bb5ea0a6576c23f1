// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/ensemble.h"

#include <algorithm>
#include <cmath>

#include "gonogo/base/check.h"

namespace gonogo::nn {
namespace {

constexpr double kSmallestDeviation = 1e-8;

}  // namespace

Standardiser Standardiser::Identity(std::size_t columns) {
  return {std::vector<double>(columns, 0.0), std::vector<double>(columns, 1.0)};
}

template <typename Scalar>
Standardiser Standardiser::Fit(const Eigen::Ref<const Batch<Scalar>>& data,
                               std::span<const int> multiplicity) {
  const Eigen::Index rows = data.rows();
  GONOGO_CHECK(multiplicity.empty() || std::ssize(multiplicity) == rows);
  using Statistics = Eigen::Array<double, 1, Eigen::Dynamic>;
  const auto times = [&](Eigen::Index i) { return multiplicity.empty() ? 1.0 : multiplicity[i]; };
  const auto row = [&](Eigen::Index i) -> Statistics {
    return data.row(i).template cast<double>();
  };
  double count = 0.0;
  Statistics sum = Statistics::Zero(data.cols());
  for (Eigen::Index i = 0; i < rows; ++i) {
    if (times(i) == 0.0) continue;  // may hold anything, not a number included
    count += times(i);
    sum += times(i) * row(i);
  }
  GONOGO_CHECK(count > 0.0);
  const Statistics mean = sum / count;
  Statistics squares = Statistics::Zero(data.cols());
  for (Eigen::Index i = 0; i < rows; ++i) {
    if (times(i) != 0.0) squares += times(i) * (row(i) - mean).square();
  }
  Standardiser fitted{{mean.begin(), mean.end()}, std::vector<double>(data.cols())};
  for (Eigen::Index j = 0; j < data.cols(); ++j) {
    const double deviation = std::sqrt(squares[j] / count);
    fitted.scale[j] = deviation < kSmallestDeviation ? 1.0 : deviation;
  }
  return fitted;
}

template <typename Scalar>
void Standardiser::Apply(const Eigen::Ref<const Batch<Scalar>>& data, std::span<Scalar> out) const {
  const std::size_t width = columns();
  GONOGO_CHECK(static_cast<std::size_t>(data.cols()) == width);
  GONOGO_CHECK(std::ssize(out) == data.size());
  for (Eigen::Index i = 0; i < data.rows(); ++i) {
    const Scalar* const from = data.data() + i * data.outerStride();
    Scalar* const to = out.data() + i * data.cols();
    for (std::size_t j = 0; j < width; ++j) {
      to[j] = static_cast<Scalar>((from[j] - mean[j]) / scale[j]);
    }
  }
}

template <typename Scalar>
Batch<Scalar> Standardiser::Apply(const Eigen::Ref<const Batch<Scalar>>& data) const {
  Batch<Scalar> out(data.rows(), data.cols());
  Apply<Scalar>(data, {out.data(), static_cast<std::size_t>(out.size())});
  return out;
}

template <typename Scalar>
void Standardiser::Invert(std::span<Scalar> data) const {
  const std::size_t width = columns();
  GONOGO_CHECK(data.size() % width == 0);
  for (std::size_t row = 0; row < data.size(); row += width) {
    for (std::size_t j = 0; j < width; ++j) {
      data[row + j] = static_cast<Scalar>(data[row + j] * scale[j] + mean[j]);
    }
  }
}

template Standardiser Standardiser::Fit<float>(const Eigen::Ref<const Batch<float>>&,
                                               std::span<const int>);
template Standardiser Standardiser::Fit<double>(const Eigen::Ref<const Batch<double>>&,
                                                std::span<const int>);
template void Standardiser::Apply(const Eigen::Ref<const Batch<float>>&, std::span<float>) const;
template void Standardiser::Apply(const Eigen::Ref<const Batch<double>>&, std::span<double>) const;
template Batch<float> Standardiser::Apply(const Eigen::Ref<const Batch<float>>&) const;
template Batch<double> Standardiser::Apply(const Eigen::Ref<const Batch<double>>&) const;
template void Standardiser::Invert(std::span<float>) const;
template void Standardiser::Invert(std::span<double>) const;

void Ensemble::Predict(int member, const Eigen::Ref<const Batch<float>>& raw, std::span<float> out,
                       Scratch& scratch) const {
  GONOGO_CHECK(std::ssize(out) == raw.rows() * outputs());
  const auto size = static_cast<std::size_t>(raw.size());
  if (scratch.inputs.size() < size) scratch.inputs.resize(size);
  input.Apply<float>(raw, std::span(scratch.inputs).first(size));
  const Eigen::Map<const Batch<float>> standardised(scratch.inputs.data(), raw.rows(), raw.cols());
  const Mlp<float>::ConstMatrix predicted = members[member].Forward(standardised, scratch.network);
  std::copy_n(predicted.data(), out.size(), out.data());
  target.Invert<float>(out);
  const auto width = static_cast<std::size_t>(outputs());
  for (std::size_t j = 0; j < width; ++j) {
    if (losses[j] != Loss::kBinaryCrossEntropy) continue;
    for (std::size_t i = j; i < out.size(); i += width) out[i] = Sigmoid(out[i]);
  }
}

Standardiser FitTargets(std::span<const Loss> losses, bool standardise,
                        const Eigen::Ref<const Batch<float>>& targets,
                        std::span<const int> multiplicity) {
  GONOGO_CHECK(targets.cols() == std::ssize(losses));
  if (!standardise) return Standardiser::Identity(losses.size());
  Standardiser fitted = Standardiser::Fit<float>(targets, multiplicity);
  for (std::size_t j = 0; j < losses.size(); ++j) {
    if (losses[j] != Loss::kBinaryCrossEntropy) continue;
    fitted.mean[j] = 0.0;
    fitted.scale[j] = 1.0;
  }
  return fitted;
}

}  // namespace gonogo::nn
