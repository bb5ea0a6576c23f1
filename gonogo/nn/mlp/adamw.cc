// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/adamw.h"

#include <array>
#include <cmath>
#include <utility>

#include "gonogo/base/check.h"

namespace gonogo::nn {

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

}  // namespace gonogo::nn
