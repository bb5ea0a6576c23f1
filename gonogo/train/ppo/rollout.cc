// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/rollout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

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
template <typename Visit>
void VisitRows(Rollout& rollout, std::size_t first, std::size_t last, const Visit& visit) {
  const std::size_t row = first * rollout.steps;
  const std::size_t rows = (last - first) * rollout.steps;
  for (Batch* batch : {&rollout.observations, &rollout.actions, &rollout.means, &rollout.labels}) {
    visit(std::span(batch->row(row).data(), rows * batch->cols()));
  }
  visit(std::span(rollout.log_probability).subspan(row, rows));
  visit(std::span(rollout.values).subspan(row, rows));
  visit(std::span(rollout.last_values).subspan(first, last - first));
  visit(std::span(rollout.outcomes).subspan(row, rows));
}

}  // namespace

void Crew::ForEach(std::size_t count, const std::function<void(std::size_t)>& work,
                   const std::function<std::string(std::size_t)>& pack,
                   const std::function<void(std::size_t, std::string_view)>& unpack) const {
  if (ranks == nullptr) return ParallelFor(jobs, count, work);
  const auto size = static_cast<std::size_t>(ranks->size());
  const auto rank = static_cast<std::size_t>(ranks->rank());
  const std::size_t own = count > rank ? (count - rank - 1) / size + 1 : 0;
  ParallelFor(jobs, own, [&](std::size_t i) { work(i * size + rank); });
  std::string mine;
  for (std::size_t i = rank; i < count; i += size) {
    const std::string piece = pack(i);
    const std::uint64_t length = piece.size();
    PutBytes(mine, std::span(&length, 1));
    mine += piece;
  }
  const std::vector<std::string> all = ranks->All("training", mine);
  if (!ranks->status().ok()) return;
  for (std::size_t r = 0; r < size; ++r) {
    std::string_view rest = all[r];
    for (std::size_t i = r; i < count && r != rank; i += size) {
      std::uint64_t length = 0;
      TakeBytes(rest, std::span(&length, 1));
      unpack(i, rest.substr(0, length));
      rest.remove_prefix(std::min<std::size_t>(length, rest.size()));
    }
  }
}

std::string Crew::FromFirst(const std::string& what, std::string mine) const {
  return ranks != nullptr ? ranks->All(what, mine).front() : std::move(mine);
}

bool Crew::Any(bool mine) const {
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
             const Crew& crew, Environments& environments, Rollout& rollout) {
  GONOGO_CHECK(environments.size() == rollout.environments);
  const std::size_t groups = (environments.size() + kGroup - 1) / kGroup;
  const auto end = [&](std::size_t g) { return std::min(environments.size(), (g + 1) * kGroup); };
  const auto run = [&](std::size_t g) {
    Group(networks, stream, g * kGroup, end(g), environments, rollout).Run(behaviour);
  };
  const auto pack = [&](std::size_t g) {
    std::string bytes;
    VisitRows(rollout, g * kGroup, end(g),
              [&]<typename T>(std::span<T> rows) { PutBytes<T>(bytes, rows); });
    return bytes;
  };
  const auto unpack = [&](std::size_t g, std::string_view bytes) {
    VisitRows(rollout, g * kGroup, end(g),
              [&]<typename T>(std::span<T> rows) { TakeBytes<T>(bytes, rows); });
  };
  crew.ForEach(groups, run, pack, unpack);
}

}  // namespace gonogo::train
