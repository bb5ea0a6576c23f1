// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gonogo::nn {

/// AdamW (decoupled weight decay, bias correction) with PyTorch's defaults and arithmetic; with
/// `weight_decay = 0` it is Adam.
struct AdamWConfig {
  double learning_rate = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.0;  ///< applied to every parameter, biases included
};

/// Optimiser state for one flat parameter vector.
template <typename Scalar>
class AdamW {
 public:
  AdamW(const AdamWConfig& config, std::size_t parameter_count);

  /// One update of `parameters` by `gradient`; both as long as promised at construction.
  void Step(std::span<Scalar> parameters, std::span<const Scalar> gradient);

  /// For schedules; takes effect at the next step.
  void set_learning_rate(double learning_rate) { config_.learning_rate = learning_rate; }
  [[nodiscard]] const AdamWConfig& config() const { return config_; }

  /// Everything that decides the next step besides the configuration, for checkpoints.
  struct State {
    std::vector<Scalar> first_moment;
    std::vector<Scalar> second_moment;
    double beta1_power = 1.0;  ///< beta1^steps
    double beta2_power = 1.0;
  };
  [[nodiscard]] const State& state() const { return state_; }
  /// `state` must come from an optimiser of as many parameters.
  void Restore(State state);

 private:
  AdamWConfig config_;
  State state_;
};

/// Euclidean norm, accumulated in double.
template <typename Scalar>
[[nodiscard]] double Norm(std::span<const Scalar> vector);

/// Scales `gradient` down so that its Euclidean norm is at most about `max_norm` (PyTorch's rule:
/// factor min(1, max_norm / (norm + 1e-6))). Returns the norm before scaling.
template <typename Scalar>
double ClipGradientNorm(std::span<Scalar> gradient, double max_norm);

extern template class AdamW<float>;
extern template class AdamW<double>;

}  // namespace gonogo::nn
