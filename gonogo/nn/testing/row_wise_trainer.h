// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "gonogo/base/rng.h"
#include "gonogo/nn/mlp/ensemble.h"
#include "gonogo/nn/mlp/trainer.h"

namespace gonogo::nn::internal {

/// For tests and benchmarks: the plain way to train an ensemble, one row per (query, candidate) and
/// every row on its own, against which the shared trunk is compared.
struct RowWiseConfig {
  std::vector<int> hidden = {64, 64};
  std::vector<Loss> losses = {};  ///< one per target column
  int members = 1;
  int epochs = 200;
  int batch_rows = 256;  ///< the last, shorter batch of an epoch is kept; 0 = all rows
};

inline Ensemble TrainRowWise(const Samples<float>& rows, const RowWiseConfig& config,
                             const RngStream& stream) {
  const std::vector<int> once(static_cast<std::size_t>(rows.inputs.rows()), 1);
  Ensemble ensemble{Standardiser::Fit<float>(rows.inputs, once),
                    FitTargets(config.losses, true, rows.targets, once),
                    config.losses,
                    {}};
  const Samples<float> samples{ensemble.input.Apply<float>(rows.inputs),
                               ensemble.target.Apply<float>(rows.targets)};
  MlpShape shape{.sizes = {ensemble.inputs()}};
  shape.sizes.insert(shape.sizes.end(), config.hidden.begin(), config.hidden.end());
  shape.sizes.push_back(ensemble.outputs());
  ensemble.members.assign(static_cast<std::size_t>(config.members), Mlp<float>(shape));
  for (std::size_t m = 0; m < ensemble.members.size(); ++m) {
    const RngStream member = stream.Child("member").Child(m);
    Rng order = member.Child("order").Generator();
    Trainer<float> trainer({.losses = config.losses}, member.Child("dropout"), ensemble.members[m]);
    ensemble.members[m].Initialise(member.Child("init"));
    std::vector<int> drawn(once.size());
    std::iota(drawn.begin(), drawn.end(), 0);
    const std::size_t batch =
        config.batch_rows == 0 ? drawn.size() : static_cast<std::size_t>(config.batch_rows);
    for (int epoch = 0; epoch < config.epochs; ++epoch) {
      order.Shuffle(std::span(drawn));
      for (std::size_t first = 0; first < drawn.size(); first += batch) {
        const std::size_t size = std::min(batch, drawn.size() - first);
        (void)trainer.Step(samples, std::span<const int>(drawn).subspan(first, size));
      }
    }
  }
  return ensemble;
}

}  // namespace gonogo::nn::internal
