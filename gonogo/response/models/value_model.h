// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/nn/mlp/ensemble.h"
#include "gonogo/response/data/metrics.h"
#include "gonogo/response/models/fit.h"
#include "gonogo/response/models/model_identity.h"
#include "gonogo/robot/command/target.h"

namespace gonogo::response {

/// What direct control is expected to need from a state to the end of the episode.
struct TaskValue {
  float work_j = 0.0F;
  float time_s = 0.0F;
  float success = 0.0F;  ///< probability
};

/// Predicts task values. Immutable and shared by threads; each thread brings a scratch it was given
/// by `MakeScratch`.
class ValuePredictor {
 public:
  /// Working memory of one thread.
  class Scratch {
   public:
    virtual ~Scratch() = default;
  };

  virtual ~ValuePredictor() = default;
  /// Large enough for that many rows.
  [[nodiscard]] virtual std::unique_ptr<Scratch> MakeScratch(std::size_t rows) const = 0;
  /// One value per row; the command in an observation is the direct one. Allocates nothing for
  /// as many rows as `scratch` was made for.
  virtual void Predict(std::span<const float> observations, std::span<const robot::Point2> goals_B,
                       std::span<TaskValue> values, Scratch& scratch) const = 0;
};

/// The task-value network: (observation, local target) to remaining work, time and success.
class ValueModel final : public ValuePredictor {
 public:
  /// The ensemble takes an observation followed by the goal's x and y.
  ValueModel(ModelIdentity identity, nn::Ensemble ensemble);

  [[nodiscard]] std::unique_ptr<Scratch> MakeScratch(std::size_t rows) const override;
  void Predict(std::span<const float> observations, std::span<const robot::Point2> goals_B,
               std::span<TaskValue> values, Scratch& scratch) const override;

  [[nodiscard]] const ModelIdentity& identity() const { return identity_; }
  [[nodiscard]] const nn::Ensemble& ensemble() const { return ensemble_; }

 private:
  ModelIdentity identity_;
  nn::Ensemble ensemble_;
};

/// States from which direct control went on to the end, with what it then needed.
struct ValueLog {
  int observation_size = 0;
  std::vector<float> observations;  ///< [samples x observation_size]
  std::vector<robot::Point2> goals_B;
  std::vector<TaskValue> remaining;  ///< success is 0 or 1
  std::vector<std::int32_t> episode;

  [[nodiscard]] std::size_t size() const { return remaining.size(); }
};

struct ValueOptions {
  FitConfig fit{.batch = 256};
  double validation_share = 0.15;  ///< of the episodes
  double test_share = 0.15;
};

struct IdentifiedValue {
  ValueModel model;
  RegressionScore work;  ///< on test episodes
  RegressionScore time;
  double success_auc = 0.0;
  std::size_t training_samples = 0;
  std::size_t test_samples = 0;
};

[[nodiscard]] Result<IdentifiedValue> IdentifyValue(const ValueLog& log, ModelIdentity identity,
                                                    const ValueOptions& options,
                                                    const RngStream& stream,
                                                    const Execution& execution);

}  // namespace gonogo::response
