// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/refit/pair_tasks.h"

#include <algorithm>
#include <numeric>

namespace gonogo::audit {

std::vector<ClusterPair> RoundRobinPairs(std::size_t num_clusters, std::size_t rounds,
                                         const RngStream& stream) {
  std::vector<std::size_t> order(num_clusters);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Rng rng = stream.Generator();
  rng.Shuffle(std::span(order));
  if (num_clusters % 2 == 1) order.push_back(num_clusters);  // whoever meets this one sits out
  const std::size_t seats = order.size();
  if (seats < 2) return {};
  std::vector<ClusterPair> pairs;
  for (std::size_t round = 0; round < std::min(rounds, seats - 1); ++round) {
    for (std::size_t i = 0; i < seats / 2; ++i) {
      const auto [low, high] = std::minmax(order[i], order[seats - 1 - i]);
      if (high < num_clusters) pairs.push_back({low, high});
    }
    // The first seat stays, everybody else moves on by one.
    std::rotate(order.begin() + 1, order.end() - 1, order.end());
  }
  return pairs;
}

std::vector<RefitTask> PairTasks(std::size_t num_clusters, const RngStream& run) {
  if (num_clusters < 4) return {};
  const std::vector<std::uint32_t> once(num_clusters, 1);
  std::vector<RefitTask> tasks;
  for (const ClusterPair& pair :
       RoundRobinPairs(num_clusters, kPairRounds, run.Child("pairs").Child("order"))) {
    RefitTask task{{once}, run.Child("pairs").Child(tasks.size()), true};
    for (const std::size_t cluster : pair) task.split.multiplicity[cluster] = 0;
    tasks.push_back(std::move(task));
  }
  tasks.push_back({{once}, run.Child("shipped"), true});
  return tasks;
}

}  // namespace gonogo::audit
