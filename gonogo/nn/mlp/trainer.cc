// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/trainer.h"

#include <algorithm>

#include "gonogo/base/check.h"

namespace gonogo::nn {

template <typename Scalar>
Trainer<Scalar>::Trainer(const Config& config, const RngStream& stream, Mlp<Scalar>& network)
    : config_(config),
      rng_(stream.Generator()),
      network_(network),
      optimiser_(config.optimiser, network.parameters().size()),
      gradient_(network.parameters().size()) {
  GONOGO_CHECK(std::ssize(config_.losses) == network.shape().outputs());
}

template <typename Scalar>
void Trainer<Scalar>::Gather(const Samples<Scalar>& samples, std::span<const int> rows) {
  if (batch_.inputs.rows() < std::ssize(rows)) {
    batch_.inputs.resize(std::ssize(rows), samples.inputs.cols());
    batch_.targets.resize(std::ssize(rows), samples.targets.cols());
    output_gradient_.resize(batch_.targets.size());
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    batch_.inputs.row(i) = samples.inputs.row(rows[i]);
    batch_.targets.row(i) = samples.targets.row(rows[i]);
  }
}

template <typename Scalar>
double Trainer<Scalar>::Step(const Samples<Scalar>& samples, std::span<const int> rows) {
  Gather(samples, rows);
  const Eigen::Ref<const Batch<Scalar>> inputs = batch_.inputs.topRows(std::ssize(rows));
  const Eigen::Map<const Batch<Scalar>> outputs =
      config_.dropout > 0.0 ? network_.ForwardWithDropout(inputs, config_.dropout, rng_, scratch_)
                            : network_.Forward(inputs, scratch_);
  const std::span<Scalar> slope = std::span(output_gradient_).first(outputs.size());
  const double loss = EvaluateLoss<Scalar>(config_.losses, outputs,
                                           batch_.targets.topRows(std::ssize(rows)), slope);
  network_.Backward(inputs,
                    Eigen::Map<const Batch<Scalar>>(slope.data(), outputs.rows(), outputs.cols()),
                    scratch_, gradient_);
  optimiser_.Step(network_.parameters(), gradient_);
  return loss;
}

template <typename Scalar>
double Trainer<Scalar>::Evaluate(const Samples<Scalar>& samples, std::span<const int> rows) {
  constexpr std::size_t kChunk = 1024;
  double sum = 0.0;
  for (std::size_t first = 0; first < rows.size(); first += kChunk) {
    const std::span<const int> chunk = rows.subspan(first, std::min(kChunk, rows.size() - first));
    Gather(samples, chunk);
    sum += static_cast<double>(chunk.size()) *
           EvaluateLoss<Scalar>(
               config_.losses, network_.Forward(batch_.inputs.topRows(std::ssize(chunk)), scratch_),
               batch_.targets.topRows(std::ssize(chunk)), {});
  }
  return sum / static_cast<double>(rows.size());
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace gonogo::nn
