// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/clone.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "gonogo/nn/mlp/trainer.h"

namespace gonogo::train {
namespace {

constexpr std::size_t kCloneShardRows = 128;  // fixed: the order of summation decides the bits

// Squared error of the actor on `rows` and its gradient, added up in shard order.
class Regression {
 public:
  Regression(nn::Mlp<float>& actor, const CloneConfig& config, const TrainingRanks& ranks)
      : actor_(actor),
        crew_(ranks),
        optimiser_({.learning_rate = config.learning_rate}, actor.parameters().size()),
        shards_((config.batch + kCloneShardRows - 1) / kCloneShardRows) {}

  double Step(const Batch& inputs, const Batch& labels, std::span<const std::size_t> rows) {
    const std::size_t count = (rows.size() + kCloneShardRows - 1) / kCloneShardRows;
    const auto differentiate = [&](std::size_t s) {
      const std::size_t begin = s * kCloneShardRows;
      shards_[s].Differentiate(actor_, inputs, labels,
                               rows.subspan(begin, std::min(kCloneShardRows, rows.size() - begin)),
                               1.0F / static_cast<float>(rows.size() * labels.cols()));
    };
    crew_.ForEach(count, differentiate, [&](std::size_t s) {
      shards_[s].gradient.resize(actor_.parameters().size());
      return Memory{std::as_writable_bytes(std::span(&shards_[s].loss, 1)),
                    std::as_writable_bytes(std::span(shards_[s].gradient))};
    });
    double loss = shards_[0].loss;
    for (std::size_t s = 1; s < count; ++s) {
      loss += shards_[s].loss;
      for (std::size_t i = 0; i < shards_[0].gradient.size(); ++i) {
        shards_[0].gradient[i] += shards_[s].gradient[i];
      }
    }
    optimiser_.Step(actor_.parameters(), shards_[0].gradient);
    return loss;
  }

 private:
  struct Shard {
    Batch inputs;
    Batch error;
    nn::Mlp<float>::Scratch scratch;
    std::vector<float> gradient;
    double loss = 0.0;

    void Differentiate(const nn::Mlp<float>& actor, const Batch& all_inputs, const Batch& labels,
                       std::span<const std::size_t> rows, float weight) {
      inputs.resize(rows.size(), all_inputs.cols());
      error.resize(rows.size(), labels.cols());
      for (std::size_t i = 0; i < rows.size(); ++i) inputs.row(i) = all_inputs.row(rows[i]);
      const auto outputs = actor.Forward(inputs, scratch);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        error.row(i) = outputs.row(i) - labels.row(rows[i]);
      }
      loss = weight * error.squaredNorm();
      error *= 2.0F * weight;
      gradient.resize(actor.parameters().size());
      actor.Backward(inputs, error, scratch, gradient);
    }
  };

  nn::Mlp<float>& actor_;
  const TrainingRanks& crew_;
  nn::AdamW<float> optimiser_;
  std::vector<Shard> shards_;
};

void Summarise(const Rollout& rollout, CloneReport& report) {
  report.tracking_error = 0.0;
  report.fall_rate = 0.0;
  for (const StepOutcome& outcome : rollout.outcomes) {
    report.tracking_error += outcome.tracking_error;
    report.fall_rate += outcome.terminated ? 1.0 : 0.0;
  }
  report.tracking_error /= static_cast<double>(rollout.size());
  report.fall_rate /= static_cast<double>(rollout.size());
}

}  // namespace

CloneReport CloneExpert(const CloneConfig& config, const RngStream& stream,
                        const TrainingRanks& ranks, Environments& environments,
                        ActorCritic& networks,
                        const std::function<bool(const CloneReport&)>& on_round) {
  Rollout rollout(environments.size(), config.steps, networks.observation_dim(),
                  networks.action_dim());
  Batch inputs(rollout.size() * config.rounds, networks.observation_dim());
  Batch labels(inputs.rows(), networks.action_dim());
  Regression regression(networks.actor, config, ranks);
  CloneReport report;
  for (int round = 0; round < config.rounds; ++round) {
    const RngStream round_stream = stream.Child(round);
    Collect(networks, round == 0 ? Behaviour::kExpert : Behaviour::kRelabel,
            round_stream.Child("noise"), ranks, environments, rollout);
    inputs.middleRows(round * rollout.size(), rollout.size()) = rollout.observations;
    labels.middleRows(round * rollout.size(), rollout.size()) = rollout.labels;
    std::vector<std::size_t> order((round + 1) * rollout.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Rng rng = round_stream.Child("order").Generator();
    for (int epoch = 0; epoch < config.epochs; ++epoch) {
      rng.Shuffle(std::span(order));
      report.loss = 0.0;
      int batches = 0;
      for (std::size_t b = 0; b + config.batch <= order.size(); b += config.batch, ++batches) {
        report.loss += regression.Step(inputs, labels, std::span(order).subspan(b, config.batch));
      }
      report.loss /= std::max(batches, 1);
    }
    report.round = round;
    Summarise(rollout, report);
    if (on_round && !on_round(report)) break;
  }
  return report;
}

}  // namespace gonogo::train
