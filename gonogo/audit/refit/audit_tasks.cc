// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/refit/audit_tasks.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace gonogo::audit {
namespace {

/// Rounds of the leave-pair-out rule: more gave the same bounds in simulations, at more cost.
constexpr std::size_t kPairRounds = 12;

}  // namespace

std::vector<RefitTask> CrossFitTasks(std::size_t num_clusters, const RngStream& run) {
  std::vector<RefitTask> tasks;
  for (std::size_t k = 0; k < num_clusters; ++k) {
    tasks.push_back({stats::LeaveOneOut(num_clusters, k), run.Child("fold").Child(k)});
  }
  return tasks;
}

std::vector<RefitTask> BootstrapTasks(std::size_t num_clusters, std::size_t refits,
                                      const RngStream& run) {
  std::vector<RefitTask> tasks;
  for (std::size_t b = 0; b < refits; ++b) {
    const RngStream stream = run.Child("refit").Child(b);
    tasks.push_back({stats::BootstrapSplit(num_clusters, stream.Child("clusters")), stream});
  }
  return tasks;
}

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

RngStream ShippedStream(const Protocol& protocol) {
  return RngStream(protocol.bootstrap.seed).Child("shipped");
}

std::vector<RefitTask> AuditTasks(const Circumstances& circumstances, const Protocol& protocol) {
  const std::size_t num_clusters = circumstances.clusters;
  const BootstrapConfig& bootstrap = protocol.bootstrap;
  const RngStream run(bootstrap.seed);
  std::vector<RefitTask> tasks = CrossFitTasks(num_clusters, run);
  if (bootstrap.method == IntervalMethod::kFolds) return tasks;
  const auto append = [&](std::vector<RefitTask> part) {
    std::move(part.begin(), part.end(), std::back_inserter(tasks));
  };
  append(BootstrapTasks(num_clusters, bootstrap.refits, run));
  if (DecidingRule(protocol, circumstances) == DecisionRule::kLeavePairOut) {
    append(PairTasks(num_clusters, run));
  }
  return tasks;
}

std::vector<RefitTask> AuditTasks(const AskedProblem& asked, const Protocol& protocol) {
  const OutcomeTable& table = asked.table();
  return AuditTasks({.clusters = table.num_clusters(),
                     .of_log = asked.log().has_value(),
                     .of_values = table.of_rewards || table.prices_success},
                    protocol);
}

AuditFits SplitFits(std::vector<Refit> refits, std::size_t num_clusters, const Protocol& protocol) {
  const bool refitted = protocol.bootstrap.method == IntervalMethod::kRefit;
  const auto folds_end = refits.begin() + static_cast<std::ptrdiff_t>(num_clusters);
  const auto replicates_end =
      folds_end + static_cast<std::ptrdiff_t>(refitted ? protocol.bootstrap.refits : 0);
  const auto part = [](auto begin, auto end) {
    return std::vector<Refit>(std::make_move_iterator(begin), std::make_move_iterator(end));
  };
  return {.folds = part(refits.begin(), folds_end),
          .replicates = part(folds_end, replicates_end),
          .pairs = part(replicates_end, refits.end())};
}

Result<AuditFits> FitAudit(const AskedProblem& asked, const Protocol& protocol,
                           const RefitStore& store, const Execution& execution) {
  const std::size_t clusters = asked.table().num_clusters();
  std::vector<Refit> refits =
      GONOGO_TRY(RunRefits(asked.problem(), asked.learner(), GateOf(protocol),
                           AuditTasks(asked, protocol), store, execution));
  return SplitFits(std::move(refits), clusters, protocol);
}

}  // namespace gonogo::audit
