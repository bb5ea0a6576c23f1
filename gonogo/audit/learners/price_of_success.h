// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "gonogo/audit/learners/learner.h"
#include "gonogo/audit/protocol/learner_config.h"
#include "gonogo/audit/protocol/protocol.h"

namespace gonogo::audit {

/// "As cheap as possible with at most so much less success on average": choices that save the most
/// where a success is worth λ lose less the higher λ is. λ is found inside the training clusters,
/// and then one learner is fitted to cost + λ failures.

/// Where and how λ is sought.
struct SuccessBudget {
  double loss = 0.0;              ///< share of the queries that may be lost, net, on average
  SelectorOptions selector = {};  ///< how choices are made from predictions
};

/// The budget of a protocol whose constraint is "mean success": `selector.violation_share` of κ,
/// and half of it where nothing is declared, so that the upper bound of q can stay below κ.
[[nodiscard]] SuccessBudget BudgetOf(const Protocol& protocol);

/// Learners of the cost and of the failures of every action, which give the choices for any λ.
class PricedSuccess {
 public:
  /// The problem has to be one of differences, and its table one with successes.
  [[nodiscard]] static Result<std::unique_ptr<const PricedSuccess>> Make(
      const LearnerConfig& config, const LearningProblem& problem);

  /// The prices of a success that are tried, ascending, in units of the cost.
  [[nodiscard]] const std::vector<double>& prices() const { return prices_; }

  /// What would be saved and lost inside the training clusters at each of the prices: a fifth of
  /// the clusters is left out in turn. Empty when asked to stop.
  struct Outcome {
    double cost = 0.0;  ///< of the choices, over the queries left out
    double lost = 0.0;  ///< net share of those queries
  };
  [[nodiscard]] std::vector<Outcome> Try(const stats::ClusterSplit& split,
                                         const SelectorOptions& selector, const RngStream& stream,
                                         const std::stop_token& stop) const;

  /// What saves most within the budget; the highest price where none keeps it.
  [[nodiscard]] static std::size_t Cheapest(const std::vector<Outcome>& outcomes, double loss);

  /// What the two learners predict for a cluster, fitted to the split; null when asked to stop.
  struct Pair {
    std::unique_ptr<FittedLearner> cost;
    std::unique_ptr<FittedLearner> failures;
  };
  [[nodiscard]] Pair Fit(const stats::ClusterSplit& split, const RngStream& stream,
                         const std::stop_token& stop) const;

  /// The choices at a cluster for each of `prices`, one list of actions a price.
  [[nodiscard]] std::vector<std::vector<ActionIndex>> ChoicesAt(
      const Pair& pair, std::size_t cluster, std::span<const double> prices,
      const SelectorOptions& selector) const;

 private:
  PricedSuccess() = default;

  LearningProblem cost_problem_{};
  LearningProblem failure_problem_{};
  std::unique_ptr<Learner> cost_;
  std::unique_ptr<Learner> failures_;
  std::vector<double> prices_;
};

/// The learner of a "mean success" audit: finds λ, then fits the declared learner to cost and λ
/// failures. Every choice, refit, export and interval sees it as any other learner.
[[nodiscard]] Result<std::unique_ptr<Learner>> MakeBudgetLearner(const LearnerConfig& config,
                                                                 const LearningProblem& problem,
                                                                 const SuccessBudget& budget);

}  // namespace gonogo::audit
