// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/nn/mlp/adamw.h"
#include "gonogo/nn/mlp/ensemble.h"

namespace gonogo::nn {

/// Outcomes of the same candidate actions at every query. Row (query, candidate) has index
/// query * candidates + candidate.
struct TreatmentData {
  int candidates = 1;
  Batch<float> features;         ///< queries x d: what is known of the query
  Batch<float> action_features;  ///< rows x p: what is known of the action there; p may be 0
  Batch<float> targets;          ///< rows x outputs

  [[nodiscard]] int queries() const { return static_cast<int>(features.rows()); }
};

/// The treatment-effect learner of the audit (docs/concepts/audit.md).
struct TreatmentConfig {
  std::vector<int> hidden = {64, 64};  ///< widths of the ReLU layers, at least one
  std::vector<Loss> losses = {};       ///< one per target column
  bool standardise_targets = true;     ///< z-score the targets that are not probabilities
  int epochs = 200;
  /// Rows per step, rounded to whole queries: all candidates of a query are in the same batch. The
  /// last, shorter batch of an epoch is kept. 0 = all rows in one batch.
  int batch_rows = 256;
  AdamWConfig optimiser = {.weight_decay = 1e-4};
};

/// Trains one member for every entry of `draws`, on one thread. `draws[m][q]` says how often query
/// q is in the sample of member m; a query drawn twice is trained on twice per epoch.
/// `multiplicity[q]` says the same of the training set as a whole, whose rows give the means and
/// deviations all members share. Queries with multiplicity 0 are never looked at. Inputs are the
/// query's features, the action features and the action as one-hot code. Members differ by their
/// draws, initial weights and order of batches. The only error is `kInterrupted`.
[[nodiscard]] Result<Ensemble> TrainTreatmentEnsemble(const TreatmentData& data,
                                                      std::span<const int> multiplicity,
                                                      std::span<const std::vector<int>> draws,
                                                      const TreatmentConfig& config,
                                                      const RngStream& stream,
                                                      const std::stop_token& stop = {});

/// Network inputs of all candidates of `count` queries from `first` on, in raw units.
[[nodiscard]] Batch<float> EncodeTreatments(const TreatmentData& data, int first, int count);

/// Predictions of every member for all candidates of `count` queries from `first` on: entry
/// ((member * count + query) * candidates + candidate) * outputs + output.
[[nodiscard]] std::vector<float> PredictTreatments(const Ensemble& ensemble,
                                                   const TreatmentData& data, int first, int count);

}  // namespace gonogo::nn
