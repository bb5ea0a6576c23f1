// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "gonogo/audit/refit/asked_problem.h"
#include "gonogo/audit/rules/verdict.h"
#include "gonogo/calibrate/simulate/data_set.h"
#include "gonogo/calibrate/simulate/tested_rules.h"

namespace gonogo::calibrate {

/// What is true of the adapter that would be shipped: trained on all clusters of the data set, used
/// at fresh queries of fresh clusters, or of the known ones.
struct Truth {
  double h_total = 0.0;
  double h_alloc = 0.0;
  double h_dep = 0.0;         ///< against the stable fixed action of these clusters
  double h_dep_argmin = 0.0;  ///< against their cheapest admissible action, as the paper selects it
  double h_dep_best = 0.0;    ///< against the best admissible fixed action of the world
  double q = 0.0;

  bool operator==(const Truth&) const = default;
  /// Adds `weight` times the other one: for means.
  void Add(const Truth& other, double weight);
};

/// The part of the truth that a quantity is; deployment is against the stable fixed action.
[[nodiscard]] double ValueOf(const Truth& truth, Quantity quantity);

/// Whether GO is the right answer, given which fixed action the adapter would replace.
[[nodiscard]] bool DeservesGo(const Truth& truth, double h_dep,
                              const audit::Thresholds& thresholds);

/// Gains and violation rate of choosing `choices` at the fresh queries, against fixed actions.
[[nodiscard]] Truth EvaluateChoices(const SyntheticWorld& world, const FreshQueries& fresh,
                                    std::span<const audit::ActionIndex> choices,
                                    audit::ActionIndex stable, audit::ActionIndex argmin,
                                    double kappa);

/// The truth about the adapter of an audit, at `fresh`.
[[nodiscard]] Result<Truth> ShippedTruth(const SyntheticWorld& world, const FreshQueries& fresh,
                                         const audit::OutcomeTable& audited,
                                         const audit::Protocol& protocol);

/// What no audit can find out.
struct Revealed {
  Truth truth;
  /// What the most that K clusters can say amounts to: an oracle tests the very adapter that ships
  /// on as many *fresh* clusters, which no audit has, with plain cluster t intervals of gains and
  /// the rules' own upper bound of q (a t bound of it would not hold). A rule's
  /// share of GO over the oracle's is its efficiency.
  RuleOutcome oracle;
};

/// The truth about the adapter of an audit of `data`, and what the oracle says of it. `audited` is
/// the table that was learned from: to which the question was put, and of a log the scores.
[[nodiscard]] Result<Revealed> Reveal(const SyntheticWorld& world, const FreshQueries& fresh,
                                      const DataSet& data, const audit::OutcomeTable& audited,
                                      const audit::Protocol& protocol);

}  // namespace gonogo::calibrate
