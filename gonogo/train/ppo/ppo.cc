// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/ppo.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "gonogo/base/check.h"

namespace gonogo::train {
namespace {

// Rows one worker differentiates at a time. Fixed, because the order of summation decides the bits.
constexpr std::size_t kGradientShardRows = 256;

nn::AdamWConfig Adam(double learning_rate) { return {.learning_rate = learning_rate}; }

void AddInto(std::span<const float> from, std::span<float> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

}  // namespace

// A slice of a mini-batch with everything one worker writes.
struct PpoLearner::Shard {
  std::vector<std::size_t> rows;  // of the rollout: originals, then those to be reflected
  PpoSamples samples;
  Batch old_means;
  Eigen::Index originals = 0;  // rows that were really visited; reflections follow them
  nn::Mlp<float>::Scratch actor_scratch;
  nn::Mlp<float>::Scratch critic_scratch;
  PpoLoss loss;
  double kl = 0.0;  // mean over the originals
  std::vector<float> actor_gradient;
  std::vector<float> critic_gradient;
};

PpoLearner::PpoLearner(PpoConfig config, ActorCritic networks, std::optional<Symmetry> symmetry)
    : config_(config),
      networks_(std::move(networks)),
      symmetry_(std::move(symmetry)),
      actor_optimiser_(Adam(config.learning_rate), networks_.actor.parameters().size()),
      std_optimiser_(Adam(config.learning_rate), networks_.log_std.size()),
      critic_optimiser_(Adam(config.critic_learning_rate), networks_.critic.parameters().size()),
      learning_rate_(config.learning_rate) {}

void PpoLearner::Configure(const PpoConfig& config) {
  config_ = config;
  critic_optimiser_.set_learning_rate(config.critic_learning_rate);
  learning_rate_ = std::min(learning_rate_, config.max_learning_rate);
  BoundExploration();
}

void PpoLearner::BoundExploration() {
  const float low = static_cast<float>(std::log(config_.min_std));
  const float high = static_cast<float>(std::log(config_.max_std));
  for (float& value : networks_.log_std) value = std::clamp(value, low, high);
}

PpoLearner::State PpoLearner::Save() const {
  const auto copy = [](std::span<const float> values) {
    return std::vector<float>(values.begin(), values.end());
  };
  return {.actor = copy(networks_.actor.parameters()),
          .critic = copy(networks_.critic.parameters()),
          .log_std = networks_.log_std,
          .actor_optimiser = actor_optimiser_.state(),
          .std_optimiser = std_optimiser_.state(),
          .critic_optimiser = critic_optimiser_.state(),
          .learning_rate = learning_rate_,
          .average = average_,
          .input_scale = networks_.input_scale,
          .input_centre = networks_.input_centre};
}

ActorCritic PpoLearner::Shipped() const {
  ActorCritic shipped = networks_;
  if (!average_.empty()) {
    std::copy(average_.begin(), average_.end(), shipped.actor.parameters().begin());
  }
  return shipped;
}

void PpoLearner::Average() {
  const std::span<const float> now = networks_.actor.parameters();
  if (config_.average <= 0.0) {
    average_.clear();
  } else if (average_.empty()) {
    average_.assign(now.begin(), now.end());
  } else {
    const auto share = static_cast<float>(1.0 / std::max(config_.average, 1.0));
    for (std::size_t i = 0; i < now.size(); ++i) average_[i] += share * (now[i] - average_[i]);
  }
}

void PpoLearner::ReadInputsOf(const State& state) {
  ActorCritic from = networks_;
  from.input_scale = state.input_scale;
  from.input_centre = state.input_centre;
  ChangeInputs(from, networks_, networks_.actor);
  ChangeInputs(from, networks_, networks_.critic);
  if (average_.empty()) return;
  std::copy(average_.begin(), average_.end(), from.actor.parameters().begin());
  ChangeInputs(from, networks_, from.actor);
  const std::span<const float> changed = from.actor.parameters();
  average_.assign(changed.begin(), changed.end());
}

bool PpoLearner::Restore(const State& state) {
  const auto fits = [](const nn::AdamW<float>::State& moments, std::size_t size) {
    return moments.first_moment.size() == size && moments.second_moment.size() == size;
  };
  const std::span<float> actor = networks_.actor.parameters();
  const std::span<float> critic = networks_.critic.parameters();
  if (state.actor.size() != actor.size() || state.critic.size() != critic.size() ||
      state.log_std.size() != networks_.log_std.size() ||
      (!state.average.empty() && state.average.size() != actor.size()) ||
      !fits(state.actor_optimiser, actor.size()) || !fits(state.critic_optimiser, critic.size()) ||
      !fits(state.std_optimiser, state.log_std.size()) ||
      state.input_scale.size() != networks_.input_scale.size() ||
      state.input_centre.size() != networks_.input_centre.size()) {
    return false;
  }
  std::copy(state.actor.begin(), state.actor.end(), actor.begin());
  std::copy(state.critic.begin(), state.critic.end(), critic.begin());
  networks_.log_std = state.log_std;
  std_optimiser_.Restore(state.std_optimiser);
  learning_rate_ = state.learning_rate;
  average_ = state.average;
  if (state.input_scale == networks_.input_scale && state.input_centre == networks_.input_centre) {
    actor_optimiser_.Restore(state.actor_optimiser);
    critic_optimiser_.Restore(state.critic_optimiser);
  } else {
    ReadInputsOf(state);
  }
  return true;
}

void PpoLearner::Reflect(const Rollout& rollout, std::size_t row, std::span<float> observation,
                         std::span<float> action) const {
  symmetry_->observation.Apply({rollout.observations.row(row).data(), observation.size()},
                               observation);
  symmetry_->action.Apply({rollout.actions.row(row).data(), action.size()}, action);
}

std::vector<float> PpoLearner::ReflectedLogProbability(const Rollout& rollout,
                                                       const TrainingRanks& ranks) const {
  if (!symmetry_ || !config_.reflections_on_policy) return rollout.log_probability;
  std::vector<float> result(rollout.size());
  const auto part = [&](std::size_t s) {
    const std::size_t begin = s * kGradientShardRows;
    return std::span(result).subspan(begin, std::min(kGradientShardRows, result.size() - begin));
  };
  const auto work = [&](std::size_t s) {
    const std::span<float> own = part(s);
    const std::size_t inputs = networks_.observation_dim();
    const std::size_t outputs = networks_.action_dim();
    Batch observations(own.size(), inputs);
    Batch actions(own.size(), outputs);
    for (std::size_t i = 0; i < own.size(); ++i) {
      Reflect(rollout, s * kGradientShardRows + i, {observations.row(i).data(), inputs},
              {actions.row(i).data(), outputs});
    }
    nn::Mlp<float>::Scratch scratch;
    const auto means = networks_.actor.Forward(observations, scratch);
    for (std::size_t i = 0; i < own.size(); ++i) {
      own[i] = static_cast<float>(LogProbability(
          {actions.row(i).data(), outputs}, {means.row(i).data(), outputs}, networks_.log_std));
    }
  };
  ranks.ForEach((result.size() + kGradientShardRows - 1) / kGradientShardRows, work,
                [&](std::size_t s) { return Memory{std::as_writable_bytes(part(s))}; });
  return result;
}

void PpoLearner::Gather(const Rollout& rollout, const Advantages& advantages,
                        std::span<const float> reflected_log_probability,
                        std::span<const std::size_t> rows, int epoch, Shard& shard) const {
  const bool alternate = symmetry_ && config_.alternate_reflections;
  const auto turn = [epoch](std::size_t i) { return (i + static_cast<std::size_t>(epoch)) % 2; };
  shard.rows.clear();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!alternate || turn(i) == 0) shard.rows.push_back(rows[i]);
  }
  const std::size_t originals = shard.rows.size();
  for (std::size_t i = 0; symmetry_ && i < rows.size(); ++i) {
    if (!alternate || turn(i) == 1) shard.rows.push_back(rows[i]);
  }
  const std::size_t total = shard.rows.size();
  const std::size_t inputs = networks_.observation_dim();
  const std::size_t outputs = networks_.action_dim();
  PpoSamples& samples = shard.samples;
  shard.originals = static_cast<Eigen::Index>(originals);
  shard.old_means.resize(shard.originals, rollout.means.cols());
  samples.observations.resize(total, rollout.observations.cols());
  samples.actions.resize(total, rollout.actions.cols());
  samples.log_probability.resize(total);
  samples.values.resize(total);
  samples.advantage.resize(total);
  samples.returns.resize(total);
  samples.value_weight.resize(total);
  for (std::size_t i = 0; i < total; ++i) {
    const std::size_t row = shard.rows[i];
    if (i < originals) {
      samples.observations.row(i) = rollout.observations.row(row);
      samples.actions.row(i) = rollout.actions.row(row);
      shard.old_means.row(i) = rollout.means.row(row);
    } else {
      Reflect(rollout, row, {samples.observations.row(i).data(), inputs},
              {samples.actions.row(i).data(), outputs});
    }
    samples.log_probability[i] =
        i < originals ? rollout.log_probability[row] : reflected_log_probability[row];
    samples.values[i] = rollout.values[row];
    samples.advantage[i] = advantages.advantage[row];
    samples.returns[i] = advantages.returns[row];
    samples.value_weight[i] = advantages.value_weight[row];
  }
}

void PpoLearner::Differentiate(std::span<const float> old_log_std, std::size_t count,
                               bool critic_only, Shard& shard) const {
  const Batch& inputs = shard.samples.observations;
  const auto means = networks_.actor.Forward(inputs, shard.actor_scratch);
  const auto values = networks_.critic.Forward(inputs, shard.critic_scratch);
  shard.loss =
      EvaluatePpoLoss(config_.loss, shard.samples, means, networks_.log_std, values, count);
  shard.kl =
      MeanKl(shard.old_means, old_log_std, means.topRows(shard.originals), networks_.log_std);
  shard.actor_gradient.resize(networks_.actor.parameters().size());
  shard.critic_gradient.resize(networks_.critic.parameters().size());
  if (!critic_only) {
    networks_.actor.Backward(inputs, shard.loss.mean_gradient, shard.actor_scratch,
                             shard.actor_gradient);
  }
  networks_.critic.Backward(inputs, shard.loss.value_gradient, shard.critic_scratch,
                            shard.critic_gradient);
}

PpoReport PpoLearner::Update(const Rollout& rollout, bool critic_only, const RngStream& stream,
                             const TrainingRanks& ranks) {
  const Advantages advantages =
      EstimateAdvantages(rollout, config_.gamma, config_.lambda, config_.groups);
  const std::vector<float> reflected_log_probability = ReflectedLogProbability(rollout, ranks);
  const std::vector<float> old_log_std = networks_.log_std;
  std::vector<std::size_t> order(rollout.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Rng rng = stream.Generator();
  rng.Shuffle(std::span(order));

  const std::size_t rows = order.size() / config_.mini_batches;
  GONOGO_CHECK(rows > 0);
  const std::size_t copies = symmetry_ && !config_.alternate_reflections ? 2 : 1;
  std::vector<Shard> shards((rows + kGradientShardRows - 1) / kGradientShardRows);
  PpoReport report;
  const double weight = 1.0 / (config_.epochs * config_.mini_batches);
  for (int pass = 0; pass < config_.epochs * config_.mini_batches; ++pass) {
    const std::size_t first = (pass % config_.mini_batches) * rows;
    const auto differentiate = [&](std::size_t s) {
      const std::size_t begin = s * kGradientShardRows;
      const std::size_t length = std::min(kGradientShardRows, rows - begin);
      Gather(rollout, advantages, reflected_log_probability,
             std::span(order).subspan(first + begin, length), pass / config_.mini_batches,
             shards[s]);
      Differentiate(old_log_std, rows * copies, critic_only, shards[s]);
    };
    ranks.ForEach(shards.size(), differentiate, [&](std::size_t s) { return SumsOf(shards[s]); });
    double kl = 0.0;
    double originals = 0.0;
    for (const Shard& shard : shards) {
      kl += shard.kl * static_cast<double>(shard.originals);
      originals += static_cast<double>(shard.originals);
      report.surrogate += weight * shard.loss.surrogate;
      report.value_loss += weight * shard.loss.value;
    }
    kl /= originals;
    report.kl += weight * kl;
    Step(critic_only, shards, kl);
  }
  if (!critic_only) Average();
  return report;
}

Memory PpoLearner::SumsOf(Shard& shard) const {
  shard.actor_gradient.resize(networks_.actor.parameters().size());
  shard.critic_gradient.resize(networks_.critic.parameters().size());
  shard.loss.log_std_gradient.resize(networks_.log_std.size());
  Memory memory{std::as_writable_bytes(std::span(&shard.originals, 1))};
  for (double* value : {&shard.loss.surrogate, &shard.loss.value, &shard.kl}) {
    memory.push_back(std::as_writable_bytes(std::span(value, 1)));
  }
  for (std::vector<float>* values :
       {&shard.actor_gradient, &shard.critic_gradient, &shard.loss.log_std_gradient}) {
    memory.push_back(std::as_writable_bytes(std::span(*values)));
  }
  return memory;
}

void PpoLearner::Step(bool critic_only, std::span<Shard> shards, double kl) {
  Shard& sum = shards.front();
  for (const Shard& shard : shards.subspan(1)) {
    AddInto(shard.actor_gradient, sum.actor_gradient);
    AddInto(shard.critic_gradient, sum.critic_gradient);
    AddInto(shard.loss.log_std_gradient, sum.loss.log_std_gradient);
  }
  nn::ClipGradientNorm<float>(sum.critic_gradient, config_.max_gradient_norm);
  critic_optimiser_.Step(networks_.critic.parameters(), sum.critic_gradient);
  if (critic_only) return;
  if (kl > 2.0 * config_.desired_kl) {
    learning_rate_ = std::max(config_.min_learning_rate, learning_rate_ / 1.5);
  } else if (kl > 0.0 && kl < 0.5 * config_.desired_kl) {
    learning_rate_ = std::min(config_.max_learning_rate, learning_rate_ * 1.5);
  }
  actor_optimiser_.set_learning_rate(learning_rate_);
  std_optimiser_.set_learning_rate(learning_rate_);
  nn::ClipGradientNorm<float>(sum.actor_gradient, config_.max_gradient_norm);
  actor_optimiser_.Step(networks_.actor.parameters(), sum.actor_gradient);
  std_optimiser_.Step(networks_.log_std, sum.loss.log_std_gradient);
  BoundExploration();
}

}  // namespace gonogo::train
