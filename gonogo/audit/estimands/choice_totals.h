// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gonogo/audit/estimands/potential_outcomes.h"

namespace gonogo::audit {

/// What a selector's choices amount to in one held-out cluster. Together with `OutcomeTotals` this
/// is all that any estimand, mixture, threshold or decision rule needs of a refit, so it is what
/// a replicate stores.
struct ChoiceTotals {
  std::uint32_t cluster = 0;
  std::vector<std::uint32_t> count;  ///< queries at which each action was chosen
  std::vector<double> cost;          ///< summed W_x(pi(x)), by the action chosen
  std::vector<double> direct_cost;   ///< summed W_x(a0) of the same queries
  double violations = 0.0;           ///< queries with E_x(pi(x)) = 0
  double successes = 0.0;            ///< 0 when success was not recorded
  double oracle_agreements = 0.0;    ///< queries with pi(x) equal to the oracle's choice
  /// Sum over actions and queries of (1{pi(x) = a} - p_a)(W_x(a) - mean W(a)), centred term by
  /// term: the other side of the covariance identity (docs/concepts/audit.md, 6), on its own.
  double covariance = 0.0;
  double work_error = 0.0;  ///< summed |predicted - realised| work target of the candidates
  // Of a log only (ScoredOutcomes): the choices' cost by other estimators.
  double predicted_cost = 0.0;  ///< summed prediction of the cost models
  double weight = 0.0;          ///< summed 1 / propensity where the choice is what was tried
  double weighted_cost = 0.0;   ///< the same, times the cost that was seen

  bool operator==(const ChoiceTotals&) const = default;
};

/// `choices` holds one action per query of `cluster`, in table order.
[[nodiscard]] ChoiceTotals SummariseChoices(const PotentialOutcomes& outcomes, std::size_t cluster,
                                            std::span<const ActionIndex> choices);

/// W(pi) summed over the cluster.
[[nodiscard]] double PolicyCost(const ChoiceTotals& choices);

/// Expected cost over the cluster of drawing actions with the selector's frequencies in it,
/// independently of the query.
[[nodiscard]] double MixtureCost(const OutcomeTotals& totals, const ChoiceTotals& choices);
/// `MixtureCost` where a success counts as much as the totals say: with what the selector's own
/// successes are worth beyond those of the mixture added, so that comparing a cost with it compares
/// cost and success together.
[[nodiscard]] double MixtureValue(const OutcomeTotals& totals, const ChoiceTotals& choices);
[[nodiscard]] double MixtureViolations(const OutcomeTotals& totals, const ChoiceTotals& choices);

/// |mixture - policy + covariance| relative to the mixture: zero up to rounding (covariance
/// identity of the paper, Eq. 5).
[[nodiscard]] double CovarianceResidual(const OutcomeTotals& totals, const ChoiceTotals& choices);

}  // namespace gonogo::audit
