// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "gonogo/calibrate/trials/rules.h"
#include "gonogo/calibrate/trials/trial_fits.h"
#include "gonogo/calibrate/worlds/truth.h"
#include "gonogo/calibrate/worlds/world.h"

namespace gonogo::calibrate {

/// What is declared in every trial.
struct TrialOptions {
  audit::Thresholds thresholds;
  double level = 0.95;
  std::size_t refits = 200;
  std::size_t halves = 20;  ///< for flip rates
  /// For the truth; 0: none is computed, nor what the oracle says. Fewer are off by up to 0.08
  /// points, which moves misses by one or two percent.
  std::size_t fresh_queries = 60'000;
  /// Ask about further queries of the clusters drawn, dealt into so many blocks; 0: about new
  /// clusters.
  std::size_t known_blocks = 0;
  bool pairs = true;  ///< also make the fits that the leave-pair-out rule needs
  LearnerFactory learner;
  /// Of outcomes that were not tried, where the world shows a log (thin.h).
  audit::LearnerConfig models = {.kind = audit::LearnerKind::kRidge};
};

/// One simulated data set: truth and every rule's answer.
struct Trial {
  Truth truth;
  std::array<RuleOutcome, kRules.size()> outcome = {};
  double modal_share = 0.0;   ///< of the fixed reference over replicates
  double fit_seconds = 0.0;   ///< CPU time of folds and replicates; varies from run to run
  double pair_seconds = 0.0;  ///< CPU time of the fits without pairs
  RuleOutcome oracle = {};    ///< tested on fresh clusters
};

/// Draws a data set from the world, makes all fits of an audit and, when `fresh` has queries, finds
/// out the truth. The slow part of a trial.
[[nodiscard]] Result<TrialFits> FitTrial(const World& world, const FreshQueries& fresh,
                                         const TrialOptions& options, const RngStream& stream);

/// Fits that `EncodeFits` kept, for the data set that `stream` names.
[[nodiscard]] std::optional<TrialFits> RestoreFits(std::string_view bytes, const World& world,
                                                   const TrialOptions& options,
                                                   const RngStream& stream);

/// Applies every rule. Draws the same data set again instead of keeping it.
[[nodiscard]] Trial JudgeTrial(const World& world, const TrialFits& fits,
                               const TrialOptions& options, const RngStream& stream);

}  // namespace gonogo::calibrate
