// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/ppo_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace gonogo::train {
namespace {

// The rows of the environments `group`, `group + groups`, …
template <typename Visit>
void VisitGroup(const Rollout& rollout, std::size_t group, std::size_t groups, const Visit& visit) {
  for (std::size_t e = group; e < rollout.environments; e += groups) {
    for (std::size_t t = 0; t < rollout.steps; ++t) visit(e * rollout.steps + t);
  }
}

// Unbiased standard deviation, as the reference implementation of PPO for legged robots does.
double Normalise(const Rollout& rollout, std::size_t group, std::size_t groups,
                 std::vector<float>& values) {
  double mean = 0.0;
  double count = 0.0;
  VisitGroup(rollout, group, groups, [&](std::size_t row) {
    mean += values[row];
    count += 1.0;
  });
  mean /= count;
  double squares = 0.0;
  VisitGroup(rollout, group, groups,
             [&](std::size_t row) { squares += (values[row] - mean) * (values[row] - mean); });
  const double deviation = std::sqrt(squares / std::max(count - 1.0, 1.0)) + 1e-8;
  VisitGroup(rollout, group, groups, [&](std::size_t row) {
    values[row] = static_cast<float>((values[row] - mean) / deviation);
  });
  return deviation;
}

// One ground on which half of the robots fall would else drown what all others could teach.
void NormaliseGroups(const Rollout& rollout, std::size_t groups, Advantages& result) {
  std::vector<double> precision(groups);
  double sum = 0.0;
  for (std::size_t g = 0; g < groups; ++g) {
    const double deviation = Normalise(rollout, g, groups, result.advantage);
    precision[g] = 1.0 / (deviation * deviation);
    sum += precision[g];
  }
  for (std::size_t g = 0; g < groups; ++g) {
    const auto weight = static_cast<float>(precision[g] * static_cast<double>(groups) / sum);
    VisitGroup(rollout, g, groups, [&](std::size_t row) { result.value_weight[row] = weight; });
  }
}

// Adds the surrogate of one row and its gradients.
void AddSurrogate(const PpoLossConfig& config, const PpoSamples& samples, Eigen::Index row,
                  const Eigen::Ref<const Batch>& means, std::span<const float> log_std,
                  double scale, PpoLoss& loss) {
  const std::size_t dim = log_std.size();
  const std::span<const float> action(samples.actions.row(row).data(), dim);
  const std::span<const float> mean(means.row(row).data(), dim);
  const double ratio =
      std::exp(LogProbability(action, mean, log_std) - samples.log_probability[row]);
  const double advantage = samples.advantage[row];
  const double clipped = std::clamp(ratio, 1.0 - config.clip, 1.0 + config.clip);
  loss.surrogate += scale * std::max(-advantage * ratio, -advantage * clipped);
  if (-advantage * ratio < -advantage * clipped) return;  // the clipped branch is flat
  const double weight = -scale * advantage * ratio;       // d loss / d log-probability
  for (std::size_t j = 0; j < dim; ++j) {
    const double inverse = std::exp(-log_std[j]);
    const double z = (action[j] - mean[j]) * inverse;
    loss.mean_gradient(row, static_cast<Eigen::Index>(j)) =
        static_cast<float>(weight * z * inverse);
    loss.log_std_gradient[j] += static_cast<float>(weight * (z * z - 1.0));
  }
}

void AddValue(const PpoLossConfig& config, const PpoSamples& samples, Eigen::Index row,
              double value, double mean_scale, PpoLoss& loss) {
  const double scale = mean_scale * samples.value_weight[row];
  const double old_value = samples.values[row];
  const double target = samples.returns[row];
  const double limit = config.clip_values ? config.clip : std::numeric_limits<double>::infinity();
  const double change = std::clamp(value - old_value, -limit, limit);
  const double plain = value - target;
  const double clipped = old_value + change - target;
  loss.value += scale * std::max(plain * plain, clipped * clipped);
  const bool follows = plain * plain >= clipped * clipped || change == value - old_value;
  loss.value_gradient(row, 0) =
      follows ? static_cast<float>(config.value_weight * scale * 2.0 * plain) : 0.0F;
}

}  // namespace

Advantages EstimateAdvantages(const Rollout& rollout, double gamma, double lambda,
                              std::size_t groups) {
  Advantages result{std::vector<float>(rollout.size()), std::vector<float>(rollout.size()),
                    std::vector<float>(rollout.size(), 1.0F)};
  for (std::size_t e = 0; e < rollout.environments; ++e) {
    double next_value = rollout.last_values[e];
    double advantage = 0.0;
    for (std::size_t t = rollout.steps; t-- > 0;) {
      const std::size_t row = e * rollout.steps + t;
      const StepOutcome& outcome = rollout.outcomes[row];
      const double value = rollout.values[row];
      const bool cut = outcome.timed_out || (outcome.task_ended && !outcome.terminated);
      const double go_on = outcome.terminated || cut ? 0.0 : 1.0;
      const double reward = outcome.reward + (cut ? gamma * value : 0.0);
      const double delta = reward + gamma * go_on * next_value - value;
      advantage = delta + gamma * lambda * go_on * advantage;
      result.advantage[row] = static_cast<float>(advantage);
      result.returns[row] = static_cast<float>(advantage + value);
      next_value = value;
    }
  }
  NormaliseGroups(rollout, std::min(groups, rollout.environments), result);
  return result;
}

PpoLoss EvaluatePpoLoss(const PpoLossConfig& config, const PpoSamples& samples,
                        const Eigen::Ref<const Batch>& means, std::span<const float> log_std,
                        const Eigen::Ref<const Batch>& values, std::size_t count) {
  const Eigen::Index rows = means.rows();
  const double scale = 1.0 / static_cast<double>(count);
  PpoLoss loss;
  loss.mean_gradient = Batch::Zero(rows, means.cols());
  loss.value_gradient = Batch::Zero(rows, 1);
  loss.log_std_gradient.assign(log_std.size(), 0.0F);
  for (Eigen::Index row = 0; row < rows; ++row) {
    AddSurrogate(config, samples, row, means, log_std, scale, loss);
    AddValue(config, samples, row, values(row, 0), scale, loss);
  }
  const double share = static_cast<double>(rows) * scale;
  for (std::size_t j = 0; j < log_std.size(); ++j) {
    loss.entropy += share * (log_std[j] + 0.5 * std::log(2.0 * std::numbers::pi * std::numbers::e));
    loss.log_std_gradient[j] -= static_cast<float>(config.entropy_weight * share);
  }
  return loss;
}

double MeanKl(const Eigen::Ref<const Batch>& old_means, std::span<const float> old_log_std,
              const Eigen::Ref<const Batch>& new_means, std::span<const float> new_log_std) {
  double sum = 0.0;
  for (Eigen::Index j = 0; j < old_means.cols(); ++j) {
    const double old_variance = std::exp(2.0 * old_log_std[j]);
    const double new_variance = std::exp(2.0 * new_log_std[j]);
    double squares = 0.0;
    for (Eigen::Index row = 0; row < old_means.rows(); ++row) {
      const double shift = old_means(row, j) - new_means(row, j);
      squares += shift * shift;
    }
    squares /= static_cast<double>(old_means.rows());
    sum += new_log_std[j] - old_log_std[j] + (old_variance + squares) / (2.0 * new_variance) - 0.5;
  }
  return sum;
}

}  // namespace gonogo::train
