// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gonogo/audit/estimands/choice_totals.h"
#include "gonogo/audit/estimands/potential_outcomes.h"
#include "gonogo/audit/protocol/protocol.h"

namespace gonogo::audit {

/// The best action to issue always: lowest summed cost over the clusters weighted by
/// `multiplicity` among the actions whose violation rate there is at most `kappa` (inclusive).
/// Direct is always admissible; ties go to the lowest index (docs/concepts/audit.md, 7).
[[nodiscard]] ActionIndex SelectFixedAction(const OutcomeTotals& totals,
                                            std::span<const std::uint32_t> multiplicity,
                                            double kappa);

/// A held-out cluster: what the selector did there, and the fixed action its training clusters
/// chose.
struct HeldOutCluster {
  const ChoiceTotals* choices;
  ActionIndex reference;
};

/// Costs and violations of every comparator over held-out queries (docs/concepts/audit.md, 2 to 8).
struct ComparatorSums {
  double queries = 0.0;
  double policy = 0.0;     ///< W(pi)
  double direct = 0.0;     ///< W(a0)
  double mixture = 0.0;    ///< W(mu_pi)
  double reference = 0.0;  ///< W(a^{g,-k})
  double violations = 0.0;
  double mixture_violations = 0.0;
  double reference_violations = 0.0;
  bool of_rewards = false;  ///< costs are rewards below zero

  /// Adds `weight` times `other`.
  void Add(const ComparatorSums& other, double weight = 1.0);

  [[nodiscard]] double h_total() const;
  [[nodiscard]] double h_alloc() const;
  [[nodiscard]] double h_dep() const;
  [[nodiscard]] double q() const { return violations / queries; }
  /// What `chosen` gains over a comparator (`Gain`).
  [[nodiscard]] double Over(double comparator, double chosen) const;
};

/// Sums of one cluster, with the mixture of that cluster.
[[nodiscard]] ComparatorSums SumCluster(const OutcomeTotals& totals, const HeldOutCluster& held);

/// Sums over several held-out clusters, with the mixture of each of them or of all together.
[[nodiscard]] ComparatorSums SumHeldOut(const OutcomeTotals& totals,
                                        std::span<const HeldOutCluster> held_out, Mixture mixture);

/// Every estimand over a set of held-out queries. Ratios are ratios of sums over all of them.
struct Estimands {
  double queries = 0.0;
  ActionIndex global_action = kDirect;  ///< a^g: best fixed action here with violations <= kappa
  ActionIndex global_action_unconstrained = kDirect;
  double h_global = 0.0;
  double h_global_unconstrained = 0.0;
  double h_avail = 0.0;
  double h_total = 0.0;
  double h_alloc = 0.0;
  double h_alloc_pooled = 0.0;
  double h_dep = 0.0;
  double q = 0.0;
  double q_mix = 0.0;             ///< violation rate of the matched mixture
  double q_ref = 0.0;             ///< violation rate of the fixed reference
  double mixture_total = 0.0;     ///< 1 - W(mixture) / W(a0): the gain frequencies alone explain
  double covariance_gain = 0.0;   ///< -sum Cov per query = (W(mixture) - W(pi)) / n
  double activation = 0.0;        ///< share of queries with a choice other than direct
  double oracle_agreement = 0.0;  ///< share of queries at which the oracle chose the same
  std::size_t folds_beating_mixture = 0;
  double work_mae = 0.0;  ///< mean |predicted - realised| work target; 0 without learner
  std::optional<double> success = {};  ///< of the selector; none if not recorded
  std::optional<double> success_direct = {};
  std::optional<double> success_oracle = {};
};

/// `held_out` must not be empty; one entry per cluster, in ascending order.
[[nodiscard]] Estimands Evaluate(const OutcomeTotals& totals,
                                 std::span<const HeldOutCluster> held_out, double kappa,
                                 Mixture mixture = Mixture::kWithinCluster);

/// 1 - chosen / reference. Nothing gained when both are zero.
[[nodiscard]] double RelativeGain(double chosen, double reference);

/// What `chosen` gains over a comparator, where `direct` is the reference action's cost: a share of
/// the comparator's cost; or, where costs are rewards below zero, of what the reference action
/// earns, so that gains over several comparators are on one scale (a lift).
[[nodiscard]] double Gain(double chosen, double comparator, double direct, bool of_rewards);

}  // namespace gonogo::audit
