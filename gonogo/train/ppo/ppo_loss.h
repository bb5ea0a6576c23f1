// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gonogo/train/ppo/actor_critic.h"
#include "gonogo/train/ppo/rollout.h"

namespace gonogo::train {

/// What the update learns from: one entry per row of a rollout.
struct Advantages {
  std::vector<float> advantage;     ///< mean 0, standard deviation 1 over its group
  std::vector<float> returns;       ///< targets of the value function
  std::vector<float> value_weight;  ///< of their squared errors; 1 on average
};

/// Generalised advantage estimation with discount `gamma` and mixing `lambda`. A step that was cut
/// by the clock earns `gamma` times the value of the observation before it, as if that observation
/// went on. Environments whose numbers agree modulo `groups` are one group: a squared error of
/// their values weighs the less, the more their advantages vary.
[[nodiscard]] Advantages EstimateAdvantages(const Rollout& rollout, double gamma, double lambda,
                                            std::size_t groups = 1);

struct PpoLossConfig {
  double clip = 0.2;  ///< of the probability ratio and, if `clip_values`, of the value's change
  bool clip_values = true;
  double value_weight = 1.0;
  double entropy_weight = 0.005;
};

/// A part of a mini-batch, row by row.
struct PpoSamples {
  Batch observations;
  Batch actions;
  std::vector<float> log_probability;  ///< when the actions were drawn
  std::vector<float> values;           ///< when the actions were drawn
  std::vector<float> advantage;
  std::vector<float> returns;
  std::vector<float> value_weight;  ///< of the squared value errors
};

/// Loss and its gradients with respect to what the networks put out, both divided by `count`, the
/// size of the whole mini-batch.
struct PpoLoss {
  double surrogate = 0.0;
  double value = 0.0;
  double entropy = 0.0;  ///< not weighted
  Batch mean_gradient;
  std::vector<float> log_std_gradient;
  Batch value_gradient;

  [[nodiscard]] double Total(const PpoLossConfig& config) const {
    return surrogate + config.value_weight * value - config.entropy_weight * entropy;
  }
};

/// The clipped surrogate and the clipped squared value error:
/// mean(max(-A r, -A clamp(r))) + w_v mean(w max((V-R)^2, (V_clip-R)^2)) - w_e entropy.
[[nodiscard]] PpoLoss EvaluatePpoLoss(const PpoLossConfig& config, const PpoSamples& samples,
                                      const Eigen::Ref<const Batch>& means,
                                      std::span<const float> log_std,
                                      const Eigen::Ref<const Batch>& values, std::size_t count);

/// Mean over rows of KL(old || new) between diagonal Gaussians.
[[nodiscard]] double MeanKl(const Eigen::Ref<const Batch>& old_means,
                            std::span<const float> old_log_std,
                            const Eigen::Ref<const Batch>& new_means,
                            std::span<const float> new_log_std);

}  // namespace gonogo::train
