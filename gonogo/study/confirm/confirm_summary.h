// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/audit/rules/verdict.h"
#include "gonogo/stats/interval.h"
#include "gonogo/study/confirm/confirm.h"

namespace gonogo::study {

/// Means over all starts of one contender.
struct ContenderSummary {
  std::string name;
  double cost = 0.0;
  double time_s = 0.0;
  double success = 0.0;
  /// Share of starts at which it breaks a constraint of the audit: fails where direct control
  /// succeeds, or needs more than the time budget allows beside it.
  double violations = 0.0;
  double departs = 0.0;  ///< share of decisions at which the command is not the direct one
};

/// A quantity with an interval over clusters.
struct ClusterEstimate {
  double point = 0.0;
  stats::Interval interval;
};

/// What the closed loop says, beside what the audit promised.
struct ConfirmSummary {
  std::array<ContenderSummary, kContenders> contenders;  ///< in the order of `Contender`
  ClusterEstimate total;       ///< share of the cost saved against direct control: H_total
  ClusterEstimate deployment;  ///< against the best fixed action: H_dep
  ClusterEstimate allocation;  ///< against its own actions at random: H_alloc
  ClusterEstimate violation;   ///< q
  /// How the declared thresholds read these intervals.
  audit::Decision reading;
  /// Whether the gain over the best fixed action survives, as a sentence.
  std::string answer;
};

[[nodiscard]] ConfirmSummary SummariseConfirmation(const Confirmation& run,
                                                   const ConfirmScene& where);

/// `confirm.json`: everything above, the drift of every input and where all of it comes from.
[[nodiscard]] nlohmann::json ConfirmationJson(const Confirmation& run,
                                              const ConfirmSummary& summary,
                                              const ConfirmScene& where);

/// `episodes.csv`: one row per start and contender.
[[nodiscard]] std::string ConfirmationCsv(const Confirmation& run, const ConfirmSummary& summary);

/// A confirmation with what it says.
struct ConfirmReport {
  Confirmation run;
  ConfirmSummary summary;
  nlohmann::json json;  ///< confirm.json
};

/// The whole of `gonogo confirm`: runs the episodes, sums them up and, where the options name a
/// folder, writes confirm.json and episodes.csv there.
[[nodiscard]] Result<ConfirmReport> Confirm(const ConfirmScene& where,
                                            const ConfirmOptions& options,
                                            const Execution& execution);

}  // namespace gonogo::study
