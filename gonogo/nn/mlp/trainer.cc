// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/trainer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "gonogo/base/check.h"

namespace gonogo::nn {
namespace {

template <typename Scalar>
Scalar Slope(Loss loss, Scalar output, Scalar target) {
  const Scalar residual = output - target;
  switch (loss) {
    case Loss::kSquaredError:
      return Scalar(2) * residual;
    case Loss::kSmoothL1:
      return std::clamp(residual, Scalar(-1), Scalar(1));
    case Loss::kBinaryCrossEntropy:
      return Sigmoid(output) - target;
  }
  GONOGO_CHECK(false);
}

double Value(Loss loss, double output, double target) {
  const double residual = output - target;
  switch (loss) {
    case Loss::kSquaredError:
      return residual * residual;
    case Loss::kSmoothL1:
      return std::abs(residual) < 1.0 ? 0.5 * residual * residual : std::abs(residual) - 0.5;
    case Loss::kBinaryCrossEntropy:
      // log(1 + exp(output)) - output * target, without overflow.
      return std::max(output, 0.0) - output * target + std::log1p(std::exp(-std::abs(output)));
  }
  GONOGO_CHECK(false);
}

}  // namespace

template <typename Scalar>
void LossSlopes(Loss loss, std::span<Scalar> outputs, std::span<const Scalar> targets) {
  const auto replace = [&](auto kind) {  // one loop per kind, so that each vectorises
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      outputs[i] = Slope<Scalar>(kind, outputs[i], targets[i]);
    }
  };
  switch (loss) {
    case Loss::kSquaredError:
      return replace(std::integral_constant<Loss, Loss::kSquaredError>{});
    case Loss::kSmoothL1:
      return replace(std::integral_constant<Loss, Loss::kSmoothL1>{});
    case Loss::kBinaryCrossEntropy:
      return replace(std::integral_constant<Loss, Loss::kBinaryCrossEntropy>{});
  }
}

template <typename Scalar>
double EvaluateLoss(std::span<const Loss> losses, const Eigen::Ref<const Batch<Scalar>>& outputs,
                    const Eigen::Ref<const Batch<Scalar>>& targets, std::span<Scalar> gradient) {
  GONOGO_CHECK(outputs.cols() == std::ssize(losses));
  GONOGO_CHECK(targets.rows() == outputs.rows() && targets.cols() == outputs.cols());
  GONOGO_CHECK(gradient.empty() || std::ssize(gradient) == outputs.size());
  const auto rows = static_cast<Scalar>(outputs.rows());
  double total = 0.0;
  for (Eigen::Index i = 0; i < outputs.rows(); ++i) {
    for (Eigen::Index j = 0; j < outputs.cols(); ++j) {
      total += Value(losses[j], outputs(i, j), targets(i, j));
      if (!gradient.empty()) {
        gradient[i * outputs.cols() + j] =
            Slope<Scalar>(losses[j], outputs(i, j), targets(i, j)) / rows;
      }
    }
  }
  return total / static_cast<double>(outputs.rows());
}

template void LossSlopes(Loss, std::span<float>, std::span<const float>);
template void LossSlopes(Loss, std::span<double>, std::span<const double>);
template double EvaluateLoss(std::span<const Loss>, const Eigen::Ref<const Batch<float>>&,
                             const Eigen::Ref<const Batch<float>>&, std::span<float>);
template double EvaluateLoss(std::span<const Loss>, const Eigen::Ref<const Batch<double>>&,
                             const Eigen::Ref<const Batch<double>>&, std::span<double>);

template <typename Scalar>
AdamW<Scalar>::AdamW(const AdamWConfig& config, std::size_t parameter_count)
    : config_(config),
      state_{std::vector<Scalar>(parameter_count), std::vector<Scalar>(parameter_count)} {}

template <typename Scalar>
void AdamW<Scalar>::Restore(State state) {
  GONOGO_CHECK(state.first_moment.size() == state_.first_moment.size());
  GONOGO_CHECK(state.second_moment.size() == state_.second_moment.size());
  state_ = std::move(state);
}

template <typename Scalar>
void AdamW<Scalar>::Step(std::span<Scalar> parameters, std::span<const Scalar> gradient) {
  GONOGO_CHECK(parameters.size() == state_.first_moment.size());
  GONOGO_CHECK(gradient.size() == state_.first_moment.size());
  state_.beta1_power *= config_.beta1;
  state_.beta2_power *= config_.beta2;
  const auto beta1 = static_cast<Scalar>(config_.beta1);
  const auto beta2 = static_cast<Scalar>(config_.beta2);
  const auto one_minus_beta1 = static_cast<Scalar>(1.0 - config_.beta1);
  const auto one_minus_beta2 = static_cast<Scalar>(1.0 - config_.beta2);
  const auto epsilon = static_cast<Scalar>(config_.epsilon);
  const auto keep = static_cast<Scalar>(1.0 - config_.learning_rate * config_.weight_decay);
  const auto step_size = static_cast<Scalar>(config_.learning_rate / (1.0 - state_.beta1_power));
  const auto second_scale = static_cast<Scalar>(std::sqrt(1.0 / (1.0 - state_.beta2_power)));
  Scalar* __restrict p = parameters.data();
  Scalar* __restrict m = state_.first_moment.data();
  Scalar* __restrict v = state_.second_moment.data();
  const Scalar* __restrict g = gradient.data();
  const std::size_t n = parameters.size();
  for (std::size_t i = 0; i < n; ++i) {
    m[i] = beta1 * m[i] + one_minus_beta1 * g[i];
    v[i] = beta2 * v[i] + one_minus_beta2 * g[i] * g[i];
    p[i] = keep * p[i] - step_size * m[i] / (std::sqrt(v[i]) * second_scale + epsilon);
  }
}

template <typename Scalar>
double Norm(std::span<const Scalar> vector) {
  std::array<double, 8> lanes{};  // a fixed order that still vectorises
  const std::size_t whole = vector.size() / 8 * 8;
  for (std::size_t i = 0; i < whole; i += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane) {
      const auto value = static_cast<double>(vector[i + lane]);
      lanes[lane] += value * value;
    }
  }
  double sum = 0.0;
  for (const double lane : lanes) sum += lane;
  for (const Scalar value : vector.subspan(whole)) {
    sum += static_cast<double>(value) * static_cast<double>(value);
  }
  return std::sqrt(sum);
}

template <typename Scalar>
double ClipGradientNorm(std::span<Scalar> gradient, double max_norm) {
  const double norm = Norm<Scalar>(gradient);
  const double factor = max_norm / (norm + 1e-6);
  if (factor < 1.0) {
    const auto scale = static_cast<Scalar>(factor);
    for (Scalar& g : gradient) g *= scale;
  }
  return norm;
}

template class AdamW<float>;
template class AdamW<double>;
template double Norm(std::span<const float>);
template double Norm(std::span<const double>);
template double ClipGradientNorm(std::span<float>, double);
template double ClipGradientNorm(std::span<double>, double);

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
