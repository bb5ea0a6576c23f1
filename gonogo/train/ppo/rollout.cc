// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/rollout.h"

#include <algorithm>
#include <cmath>

#include "gonogo/base/check.h"
#include "gonogo/base/parallel/parallel.h"

namespace gonogo::train {
namespace {

// Environments that share one network evaluation: large enough for matrix products, small enough
// to keep all cores busy.
constexpr std::size_t kGroup = 32;

// The environments [first, last) over all steps; writes only their rows.
class Group {
 public:
  Group(const ActorCritic& networks, const RngStream& stream, std::size_t first, std::size_t last,
        Environments& environments, Rollout& rollout)
      : networks_(networks),
        first_(first),
        environments_(environments),
        rollout_(rollout),
        inputs_(last - first, networks.observation_dim()) {
    for (std::size_t e = first; e < last; ++e) noise_.push_back(stream.Child(e).Generator());
  }

  void Run(Behaviour behaviour) {
    Observe();
    for (std::size_t t = 0; t < rollout_.steps; ++t) {
      const auto values = networks_.critic.Forward(inputs_, critic_scratch_);
      for (std::size_t i = 0; i < noise_.size(); ++i) rollout_.values[Row(i, t)] = values(i, 0);
      const auto means = networks_.actor.Forward(inputs_, actor_scratch_);
      for (std::size_t i = 0; i < noise_.size(); ++i) {
        rollout_.observations.row(Row(i, t)) = inputs_.row(i);
        rollout_.means.row(Row(i, t)) = means.row(i);
        Act(behaviour, i, Row(i, t));
      }
      Observe();
    }
    const auto values = networks_.critic.Forward(inputs_, critic_scratch_);
    for (std::size_t i = 0; i < noise_.size(); ++i) rollout_.last_values[first_ + i] = values(i, 0);
  }

 private:
  [[nodiscard]] std::size_t Row(std::size_t i, std::size_t t) const {
    return (first_ + i) * rollout_.steps + t;
  }

  void Observe() {
    const Eigen::Map<const Eigen::RowVectorXf> scale(networks_.input_scale.data(), inputs_.cols());
    const Eigen::Map<const Eigen::RowVectorXf> centre(networks_.input_centre.data(),
                                                      inputs_.cols());
    for (std::size_t i = 0; i < noise_.size(); ++i) {
      environments_[first_ + i]->Observe(
          {inputs_.row(i).data(), static_cast<std::size_t>(inputs_.cols())});
      inputs_.row(i) = (inputs_.row(i) - centre).cwiseProduct(scale);
    }
  }

  void Act(Behaviour behaviour, std::size_t i, std::size_t row) {
    const std::size_t dim = networks_.action_dim();
    const std::span<float> action(rollout_.actions.row(row).data(), dim);
    const std::span<const float> mean(rollout_.means.row(row).data(), dim);
    const std::span<float> label(rollout_.labels.row(row).data(), dim);
    if (behaviour != Behaviour::kExplore) environments_[first_ + i]->Expert(label);
    if (behaviour == Behaviour::kExpert) {
      std::copy(label.begin(), label.end(), action.begin());
    } else {
      for (std::size_t j = 0; j < dim; ++j) {
        action[j] =
            mean[j] + std::exp(networks_.log_std[j]) * static_cast<float>(noise_[i].Normal());
      }
    }
    rollout_.log_probability[row] =
        static_cast<float>(LogProbability(action, mean, networks_.log_std));
    rollout_.outcomes[row] = environments_[first_ + i]->Step(action);
  }

  const ActorCritic& networks_;
  std::size_t first_;
  Environments& environments_;
  Rollout& rollout_;
  Batch inputs_;
  std::vector<Rng> noise_;
  nn::Mlp<float>::Scratch actor_scratch_;
  nn::Mlp<float>::Scratch critic_scratch_;
};

// Everything that the environments [first, last) wrote, in a fixed order.
Memory RowsOf(Rollout& rollout, std::size_t first, std::size_t last) {
  static_assert(std::is_trivially_copyable_v<StepOutcome>);
  const std::size_t row = first * rollout.steps;
  const std::size_t rows = (last - first) * rollout.steps;
  Memory memory;
  for (Batch* batch : {&rollout.observations, &rollout.actions, &rollout.means, &rollout.labels}) {
    memory.push_back(
        std::as_writable_bytes(std::span(batch->row(row).data(), rows * batch->cols())));
  }
  for (std::vector<float>* values : {&rollout.log_probability, &rollout.values}) {
    memory.push_back(std::as_writable_bytes(std::span(*values).subspan(row, rows)));
  }
  memory.push_back(
      std::as_writable_bytes(std::span(rollout.last_values).subspan(first, last - first)));
  memory.push_back(std::as_writable_bytes(std::span(rollout.outcomes).subspan(row, rows)));
  return memory;
}

}  // namespace

void TrainingRanks::ForEach(std::size_t count, const std::function<void(std::size_t)>& work,
                            const std::function<Memory(std::size_t)>& memory) const {
  if (ranks == nullptr) return ParallelFor(jobs, count, work);
  const auto size = static_cast<std::size_t>(ranks->size());
  const auto rank = static_cast<std::size_t>(ranks->rank());
  const std::size_t own = count > rank ? (count - rank - 1) / size + 1 : 0;
  ParallelFor(jobs, own, [&](std::size_t i) { work(i * size + rank); });
  std::string mine;
  for (std::size_t i = rank; i < count; i += size) {
    for (const std::span<std::byte> part : memory(i)) {
      mine.append(reinterpret_cast<const char*>(part.data()), part.size());
    }
  }
  const std::vector<std::string> all = ranks->All("training", mine);
  if (!ranks->status().ok()) return;
  for (std::size_t r = 0; r < size; ++r) {
    std::string_view left = all[r];
    for (std::size_t i = r; i < count && r != rank; i += size) {
      for (const std::span<std::byte> part : memory(i)) {
        const std::size_t taken = left.copy(reinterpret_cast<char*>(part.data()), part.size());
        left.remove_prefix(taken);
      }
    }
  }
}

std::string TrainingRanks::FromFirst(const std::string& what, std::string mine) const {
  return ranks != nullptr ? ranks->All(what, mine).front() : std::move(mine);
}

bool TrainingRanks::Any(bool mine) const {
  if (ranks == nullptr) return mine;
  const std::vector<std::string> all = ranks->All("stop", mine ? "1" : "0");
  return std::find(all.begin(), all.end(), "1") != all.end();
}

Rollout::Rollout(std::size_t environment_count, std::size_t step_count, int observation_dim,
                 int action_dim)
    : environments(environment_count),
      steps(step_count),
      observations(size(), observation_dim),
      actions(size(), action_dim),
      means(size(), action_dim),
      labels(size(), action_dim),
      log_probability(size()),
      values(size()),
      last_values(environment_count),
      outcomes(size()) {}

void Collect(const ActorCritic& networks, Behaviour behaviour, const RngStream& stream,
             const TrainingRanks& ranks, Environments& environments, Rollout& rollout) {
  GONOGO_CHECK(environments.size() == rollout.environments);
  const std::size_t groups = (environments.size() + kGroup - 1) / kGroup;
  const auto end = [&](std::size_t g) { return std::min(environments.size(), (g + 1) * kGroup); };
  const auto run = [&](std::size_t g) {
    Group(networks, stream, g * kGroup, end(g), environments, rollout).Run(behaviour);
  };
  ranks.ForEach(groups, run, [&](std::size_t g) { return RowsOf(rollout, g * kGroup, end(g)); });
}

}  // namespace gonogo::train
