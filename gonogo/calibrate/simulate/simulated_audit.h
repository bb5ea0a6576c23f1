// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "gonogo/audit/refit/audit_tasks.h"
#include "gonogo/calibrate/simulate/shipped.h"

namespace gonogo::calibrate {

/// What is simulated in every data set of a benchmark: audits under a protocol, taken step by step
/// as `audit::RunAudit` takes them.
struct SimulationOptions {
  /// Learner, gate, time budget, thresholds, level and everything else are as declared; the seed
  /// and what names parts of a table are those of each data set (`ProtocolFor`).
  audit::Protocol protocol = {.learner = {.kind = audit::LearnerKind::kRidge}};
  std::size_t halves = 20;  ///< for flip rates
  /// For the truth; 0: none is computed, nor what the oracle says. Fewer are off by up to 0.08
  /// points, which moves misses by one or two percent.
  std::size_t fresh_queries = 60'000;
  bool pairs = true;  ///< also make the fits that the leave-pair-out rule needs
};

/// What takes long about one simulated data set: the fits behind an audit and the truth about the
/// adapter that would ship. Every rule can be applied to it later.
struct SimulatedFits {
  Revealed revealed = {};
  double fit_seconds = 0.0;   ///< CPU time of all fits but those in `pairs`; varies between runs
  double pair_seconds = 0.0;  ///< CPU time of the fits without pairs
  bool decides = true;        ///< no obstacle keeps the audit from reading its intervals
  audit::OutcomeTotals totals = {};  ///< of what the rules read
  audit::AuditFits fits = {};
};

/// One simulated data set: truth and every rule's answer.
struct SimulatedAudit {
  Truth truth = {};
  std::array<RuleOutcome, kRules.size()> outcome = {};
  double modal_share = 0.0;   ///< of the fixed reference over replicates
  double fit_seconds = 0.0;   ///< as in its fits
  double pair_seconds = 0.0;  ///< as in its fits
  RuleOutcome oracle = {};    ///< tested on fresh clusters
};

/// Makes all fits of an audit; nothing is revealed.
[[nodiscard]] Result<SimulatedFits> FitSimulated(const audit::AskedProblem& asked,
                                                 const audit::Protocol& protocol);

/// Draws a data set from the world, makes all fits of an audit and, when `fresh` has queries, finds
/// out the truth.
[[nodiscard]] Result<SimulatedFits> Simulate(const SyntheticWorld& world, const FreshQueries& fresh,
                                             const SimulationOptions& options,
                                             const RngStream& data);

/// Applies a rule. Where nothing can be decided its verdict is ABSTAIN.
[[nodiscard]] audit::RuleAnswer Answer(RuleUnderTest rule, const SimulatedFits& fits,
                                       const audit::Protocol& protocol, std::size_t halves);

/// Applies every rule. `protocol` is that of the data set (`ProtocolFor`); its level, thresholds
/// and rule settings may differ from those the fits were made under, unless the gate spends a share
/// of kappa.
[[nodiscard]] SimulatedAudit Judge(const SimulatedFits& fits, const audit::Protocol& protocol,
                                   std::size_t halves);

/// The truth, the totals, and of every held-out cluster what the rules read: action counts, cost of
/// the choices (not split by action) and violations; of a fit without a pair also how often it
/// departs from direct. Splits follow from the seed and are left out.
[[nodiscard]] std::string EncodeFits(const SimulatedFits& fits);

/// Fits that `EncodeFits` kept; nothing when the bytes do not belong to the data set of the
/// protocol.
[[nodiscard]] std::optional<SimulatedFits> DecodeFits(std::string_view bytes,
                                                      const audit::Protocol& protocol);

}  // namespace gonogo::calibrate
