// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "gonogo/base/rng.h"
#include "gonogo/nn/mlp/mlp.h"

namespace gonogo::nn {

/// What one output of a network is trained with.
enum class Loss {
  kSquaredError,        ///< (output - target)²
  kSmoothL1,            ///< half the square where |output - target| < 1, beyond that minus one half
  kBinaryCrossEntropy,  ///< of a logit against a target in [0, 1]
};

/// Replaces the values of one output, row by row, by the derivatives of its loss.
template <typename Scalar>
void LossSlopes(Loss loss, std::span<Scalar> outputs, std::span<const Scalar> targets);

/// The sum over outputs of the mean over rows of each output's loss, in double. Writes its
/// derivative with respect to `outputs` (rows x losses) into `gradient` unless that is empty.
template <typename Scalar>
double EvaluateLoss(std::span<const Loss> losses, const Eigen::Ref<const Batch<Scalar>>& outputs,
                    const Eigen::Ref<const Batch<Scalar>>& targets, std::span<Scalar> gradient);

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

/// Samples to learn from, already standardised: one row each.
template <typename Scalar>
struct Samples {
  Batch<Scalar> inputs;
  Batch<Scalar> targets;
};

/// Supervised training of one network, batch by batch.
template <typename Scalar>
class Trainer {
 public:
  struct Config {
    std::vector<Loss> losses = {};  ///< one per output
    AdamWConfig optimiser = {.weight_decay = 1e-4};
    double dropout = 0.0;  ///< of hidden outputs, in [0, 1)
  };

  /// Trains `network` in place; it must outlive the trainer. `stream` feeds the dropout masks.
  Trainer(const Config& config, const RngStream& stream, Mlp<Scalar>& network);

  /// One optimiser step on the named rows (repetitions count) of `samples`. Returns the loss before
  /// the step.
  double Step(const Samples<Scalar>& samples, std::span<const int> rows);

  /// The loss on the named rows, without dropout.
  [[nodiscard]] double Evaluate(const Samples<Scalar>& samples, std::span<const int> rows);

 private:
  void Gather(const Samples<Scalar>& samples, std::span<const int> rows);

  Config config_;
  Rng rng_;
  Mlp<Scalar>& network_;
  AdamW<Scalar> optimiser_;
  Samples<Scalar> batch_;  // as large as the largest batch seen
  typename Mlp<Scalar>::Scratch scratch_;
  std::vector<Scalar> output_gradient_;
  std::vector<Scalar> gradient_;
};

extern template class Trainer<float>;
extern template class Trainer<double>;

}  // namespace gonogo::nn
