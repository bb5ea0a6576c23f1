// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "gonogo/audit/learners/learner.h"
#include "gonogo/audit/rules/verdict.h"
#include "gonogo/calibrate/worlds/world.h"

namespace gonogo::calibrate {

/// Makes the learner under test for a problem.
using LearnerFactory =
    std::function<Result<std::unique_ptr<audit::Learner>>(const audit::LearningProblem&)>;

/// What is true of the adapter that would be shipped: trained on all clusters of the data set, used
/// at fresh queries of fresh clusters.
struct Truth {
  double h_total = 0.0;
  double h_alloc = 0.0;
  double h_dep = 0.0;         ///< against the stable fixed action of these clusters
  double h_dep_argmin = 0.0;  ///< against their cheapest admissible action, as the paper selects it
  double h_dep_best = 0.0;    ///< against the best admissible fixed action of the world
  double q = 0.0;

  bool operator==(const Truth&) const = default;
};

/// Whether GO is the right answer, given which fixed action the adapter would replace.
[[nodiscard]] bool DeservesGo(const Truth& truth, double h_dep,
                              const audit::Thresholds& thresholds);

/// Gains and violation rate of choosing `choices` at the fresh queries, against fixed actions.
[[nodiscard]] Truth EvaluateChoices(const World& world, const FreshQueries& fresh,
                                    std::span<const audit::ActionIndex> choices,
                                    audit::ActionIndex stable, audit::ActionIndex argmin,
                                    double kappa);

/// Trains on all of `table` and evaluates at `fresh`.
[[nodiscard]] Result<Truth> ShippedTruth(const World& world, const FreshQueries& fresh,
                                         const audit::OutcomeTable& table,
                                         const LearnerFactory& factory, double kappa,
                                         const RngStream& stream);

}  // namespace gonogo::calibrate
