// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "gonogo/nn/mlp/loss.h"
#include "gonogo/nn/mlp/mlp.h"
#include "gonogo/nn/mlp/standardiser.h"

namespace gonogo::nn {

/// Networks of one shape trained for the same task, with the units of their inputs and outputs.
/// Immutable while shared by threads; every thread brings its own `Scratch`.
struct Ensemble {
  Standardiser input;
  Standardiser target;       ///< identity for outputs that are logits
  std::vector<Loss> losses;  ///< what each output was trained with
  std::vector<Mlp<float>> members;

  struct Scratch {
    std::vector<float> inputs;
    Mlp<float>::Scratch network;
  };

  [[nodiscard]] int inputs() const { return static_cast<int>(input.columns()); }
  [[nodiscard]] int outputs() const { return static_cast<int>(losses.size()); }

  /// What `member` predicts for `inputs` (raw units, one row each): outputs in raw units, and
  /// probabilities for outputs trained with cross-entropy. Writes rows x outputs into `out`.
  /// Allocates nothing once `scratch` has seen the largest batch.
  void Predict(int member, const Eigen::Ref<const Batch<float>>& inputs, std::span<float> out,
               Scratch& scratch) const;
};

/// Statistics of training targets, row i counted `multiplicity[i]` times. Outputs trained with
/// cross-entropy are left alone, as is everything unless `standardise`.
[[nodiscard]] Standardiser FitTargets(std::span<const Loss> losses, bool standardise,
                                      const Eigen::Ref<const Batch<float>>& targets,
                                      std::span<const int> multiplicity);

}  // namespace gonogo::nn
