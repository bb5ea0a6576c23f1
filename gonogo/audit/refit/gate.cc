// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/refit/gate.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace gonogo::audit {
namespace {

constexpr std::size_t kBudgetFolds = 3;
constexpr std::size_t kSteps = 12;
constexpr double kStep = 0.5;

/// Training clusters in random order.
std::vector<std::size_t> Shuffled(const stats::ClusterSplit& split, const RngStream& stream) {
  std::vector<std::size_t> trained;
  for (std::size_t k = 0; k < split.num_clusters(); ++k) {
    if (!split.is_held_out(k)) trained.push_back(k);
  }
  Rng rng = stream.Generator();
  rng.Shuffle(std::span(trained));
  return trained;
}

SelectorOptions Raised(SelectorOptions selector, std::size_t step) {
  selector.z += kStep * static_cast<double>(step);
  return selector;
}

/// Adds the violations of every step of z in a cluster to `broken`.
void CountViolations(const LearningProblem& problem, const FittedLearner& fitted,
                     const SelectorOptions& selector, std::size_t cluster, double times,
                     std::vector<double>& broken) {
  const QueryRange range = problem.table().queries_of(cluster);
  MemberPredictions predictions;
  fitted.Predict(range, predictions);
  std::vector<ActionIndex> choices(range.size());
  for (std::size_t step = 0; step < broken.size(); ++step) {
    SelectActions(predictions, problem.time_limit(), Raised(selector, step), choices);
    for (std::size_t i = 0; i < choices.size(); ++i) {
      broken[step] += times * problem.outcomes->violation(range.begin + i, choices[i]);
    }
  }
}

}  // namespace

DeclaredGate GateOf(const Protocol& protocol) {
  // The learner spends it there.
  if (protocol.question.constraint == Constraint::kMeanSuccess) {
    return {.selector = protocol.selector, .violation_budget = 0.0};
  }
  return {.selector = protocol.selector,
          .violation_budget = protocol.selector.violation_share * protocol.thresholds.kappa};
}

std::optional<SelectorOptions> SpendBudget(const LearningProblem& problem, const Learner& learner,
                                           const DeclaredGate& gate,
                                           const stats::ClusterSplit& split,
                                           const RngStream& stream, const std::stop_token& stop) {
  if (gate.violation_budget <= 0.0) return gate.selector;
  const std::vector<std::size_t> trained = Shuffled(split, stream.Child("order"));
  if (trained.size() < 2) return gate.selector;
  std::vector<double> broken(kSteps + 1, 0.0);
  double queries = 0.0;
  for (std::size_t fold = 0; fold < std::min(kBudgetFolds, trained.size()); ++fold) {
    stats::ClusterSplit inner = split;
    for (std::size_t i = fold; i < trained.size(); i += kBudgetFolds) {
      inner.multiplicity[trained[i]] = 0;
    }
    const std::unique_ptr<FittedLearner> fitted =
        learner.Fit(inner, stream.Child("fold").Child(fold), stop);
    if (fitted == nullptr) return {};
    for (std::size_t i = fold; i < trained.size(); i += kBudgetFolds) {
      const double times = split.multiplicity[trained[i]];
      CountViolations(problem, *fitted, gate.selector, trained[i], times, broken);
      queries += times * static_cast<double>(problem.table().queries_of(trained[i]).size());
    }
  }
  std::size_t step = 0;
  while (step <= kSteps && broken[step] > gate.violation_budget * queries) ++step;
  SelectorOptions selector = Raised(gate.selector, step);
  if (step > kSteps) selector.z = std::numeric_limits<double>::infinity();
  return selector;
}

}  // namespace gonogo::audit
