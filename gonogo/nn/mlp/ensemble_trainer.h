// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/base/run_control.h"
#include "gonogo/nn/mlp/adamw.h"
#include "gonogo/nn/mlp/ensemble.h"

namespace gonogo::nn {

/// Rows to learn from, in raw units.
struct EnsembleData {
  Batch<float> inputs;
  Batch<float> targets;
  /// Which unit (episode, cluster, ...) each row belongs to, from 0 on without gaps; empty = every
  /// row is its own unit.
  std::vector<int> units = {};
  /// Units that are not trained on but decide which epoch's weights to keep; empty = keep the last.
  std::vector<int> held_out_units = {};
};

struct EnsembleConfig {
  std::vector<int> hidden = {64, 64};  ///< widths of the hidden layers
  Activation activation = Activation::kRelu;
  double dropout = 0.0;             ///< of hidden outputs while training, in [0, 1)
  std::vector<Loss> losses = {};    ///< one per target column
  bool standardise_targets = true;  ///< z-score the targets that are not probabilities
  int members = 5;
  bool bootstrap_units = false;  ///< each member draws its own training units with replacement
  int epochs = 200;
  int batch_rows = 256;  ///< the last, shorter batch of an epoch is kept; 0 = all rows
  AdamWConfig optimiser = {.weight_decay = 1e-4};
};

/// How the training of one member went.
struct MemberHistory {
  std::vector<double> training_loss;  ///< per epoch: mean over steps of the loss before the step
  std::vector<double> held_out_loss;  ///< per epoch, after it; empty without held-out units
  int kept_epoch = 0;                 ///< whose weights the member has, from 0 on
};

struct TrainedEnsemble {
  Ensemble ensemble;
  std::vector<MemberHistory> histories;  ///< one per member
};

/// Trains an ensemble on any shape of data. Inputs and targets are standardised by the training
/// rows; members share these statistics and differ by initial weights, order of rows, dropout and
/// (if asked for) bootstrapped units. Members are trained in parallel on `control.jobs` threads;
/// progress counts their epochs. The only error is `kInterrupted`.
[[nodiscard]] Result<TrainedEnsemble> TrainEnsemble(const EnsembleData& data,
                                                    const EnsembleConfig& config,
                                                    const RngStream& stream,
                                                    const RunControl& control = {});

/// Draws `fraction` of the units 0 .. count - 1 (rounded, at least one of either kind), ascending.
[[nodiscard]] std::vector<int> DrawHeldOutUnits(int count, double fraction,
                                                const RngStream& stream);

}  // namespace gonogo::nn
