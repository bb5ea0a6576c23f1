// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "gonogo/base/rng.h"
#include "gonogo/nn/mlp/adamw.h"
#include "gonogo/nn/mlp/loss.h"
#include "gonogo/nn/mlp/mlp.h"

namespace gonogo::nn {

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
