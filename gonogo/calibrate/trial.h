// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "gonogo/calibrate/rules.h"
#include "gonogo/calibrate/truth.h"
#include "gonogo/calibrate/world.h"

namespace gonogo::calibrate {

/// What is declared in every trial.
struct TrialOptions {
  audit::Thresholds thresholds;
  double level = 0.95;
  std::size_t refits = 200;
  std::size_t halves = 20;            ///< for flip rates
  std::size_t fresh_queries = 16384;  ///< for the truth; 0: none is computed
  LearnerFactory learner;
};

/// One simulated data set: truth and every rule's answer. Plain data: a checkpoint stores its
/// bytes.
struct Trial {
  Truth truth;
  std::array<RuleOutcome, kRules.size()> outcome = {};
  double modal_share = 0.0;    ///< of the fixed reference over replicates
  double audit_seconds = 0.0;  ///< CPU time of the audit alone; varies from run to run
};

/// Draws a data set from the world, audits it and, when `fresh` has queries, finds out the truth.
[[nodiscard]] Result<Trial> RunTrial(const World& world, const FreshQueries& fresh,
                                     const TrialOptions& options, const RngStream& stream);

}  // namespace gonogo::calibrate
