// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/nn/mlp/ensemble.h"
#include "gonogo/nn/mlp/trainer.h"

namespace gonogo::response {

/// Networks and training of the identified models; the defaults are those of f_phi.
struct FitConfig {
  std::vector<int> hidden{256, 256};
  double dropout = 0.1;
  nn::AdamWConfig optimiser{.learning_rate = 1e-3, .weight_decay = 1e-4};
  int batch = 1024;
  int epochs = 200;
  int members = 1;
};

void to_json(nlohmann::json& json, const FitConfig& config);

/// What to learn: samples are rows in raw units.
struct FitProblem {
  const nn::Batch<float>& inputs;
  const nn::Batch<float>& targets;
  std::vector<nn::Loss> losses;     ///< one per target
  std::span<const int> training;    ///< rows
  std::span<const int> validation;  ///< rows that choose each member's checkpoint
};

/// A trained ensemble and the course of its training.
struct Fit {
  nn::Ensemble ensemble;
  std::vector<std::vector<double>> validation_loss;  ///< [member][epoch], standardised units
  std::vector<int> best_epoch;                       ///< of each member
};

/// Standardises inputs and targets by the training rows and trains every member from its own random
/// start and order of samples, keeping the epoch with the lowest validation loss. The same numbers
/// for any number of jobs. An error only when stopped.
[[nodiscard]] Result<Fit> FitEnsemble(const FitProblem& problem, const FitConfig& config,
                                      const RngStream& stream, const Execution& execution);

/// Mean over the members of the predictions for the given rows: rows x outputs, raw units.
[[nodiscard]] nn::Batch<float> PredictRows(const nn::Ensemble& ensemble,
                                           const nn::Batch<float>& inputs,
                                           std::span<const int> rows);

}  // namespace gonogo::response
