// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "gonogo/audit/protocol/rule_config.h"
#include "gonogo/calibrate/trials/trial.h"

namespace gonogo::calibrate {

/// The rules that spend their error over looks.
inline constexpr std::array kPathRules = {Rule::kCalibrated, Rule::kLeavePairOut};

/// What is declared in every simulated series of looks.
struct PathOptions {
  audit::RuleConfig rule;  ///< `looks_at`, `spending` and `futility`
  TrialOptions trial;
  bool pairs_only = false;  ///< leave the calibrated rule out, which needs other fits
};

/// How one series of looks ended.
struct PathOutcome {
  audit::Verdict verdict = audit::Verdict::kAbstain;
  std::size_t look = 0;  ///< which one it was, from 0
  bool futile = false;   ///< nothing was decided, and no later look was likely to say GO
  Truth truth = {};      ///< of the adapter that would ship then; only where something was decided

  bool operator==(const PathOutcome&) const = default;
};

/// One simulated series of looks, by rule.
struct PathTrial {
  std::array<PathOutcome, kPathRules.size()> outcome = {};

  bool operator==(const PathTrial&) const = default;
};

/// Draws a data set of as many clusters as the last look has and audits the first of them at every
/// look, at the level that the look may spend, until GO, NO-GO, futility or the last look: each
/// rule on its own, as an audit that goes on until it can decide.
[[nodiscard]] Result<PathTrial> RunPath(const World& world, const FreshQueries& fresh,
                                        const PathOptions& options, const RngStream& stream);

}  // namespace gonogo::calibrate
