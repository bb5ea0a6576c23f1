// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gonogo/audit/protocol/learner_config.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"

namespace gonogo::audit {

/// For every cluster the part it is dealt to, at random and evenly; at most as many as clusters.
[[nodiscard]] std::vector<std::size_t> DealClusters(std::size_t clusters, std::size_t folds,
                                                    const RngStream& stream);

/// The learner that predicts outcomes beside the adapter's: the same, except that a policy tree,
/// which predicts nothing, is replaced by ridge.
[[nodiscard]] LearnerConfig ModelLearner(LearnerConfig learner);

/// Predicts `outcome`, one number per query, from the features of `contexts` (whose outcomes are
/// not looked at). A query of fold f is predicted by a model of the queries of other folds at which
/// `seen` is 1: never by one that saw its cluster. Every other fold needs at least two clusters
/// with such a query.
[[nodiscard]] Result<std::vector<double>> CrossFitPredictions(
    const OutcomeTable& contexts, std::span<const std::uint8_t> seen,
    std::span<const double> outcome, std::span<const std::size_t> fold_of_cluster,
    const LearnerConfig& learner, const RngStream& stream, const Execution& execution);

}  // namespace gonogo::audit
