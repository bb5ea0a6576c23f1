// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gonogo/audit/logged/log_report.h"
#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// A log turned into a table with something for every action (docs/concepts/logged.md).
struct ScoredLog {
  OutcomeTable table;
  LogReport report;
};

/// Scores a log to which the protocol's question was put (`AskedTable`). The models that fill in
/// what was not tried never saw the cluster they are used in. Refuses what `FindPropensities` and
/// `CheckOverlap` refuse. The same for any number of jobs.
[[nodiscard]] Result<ScoredLog> ScoreLog(const OutcomeTable& log, const Protocol& protocol,
                                         const Execution& execution);

/// Refuses, without fitting anything, what `ScoreLog` would refuse; what has to be estimated is not
/// looked at.
[[nodiscard]] Status CheckLog(const OutcomeTable& log, const Protocol& protocol);

/// One outcome of every try, in the order of the tries.
using TriedOutcome = std::vector<double>;

/// Doubly robust scores of one outcome at every query and action, and the models' part of them.
struct OutcomeScores {
  std::vector<double> score;      ///< query-major
  std::vector<double> predicted;  ///< query-major
};

/// Of any number of tries per query, at most one of every action: a log has one, a table of all
/// actions all of them.
[[nodiscard]] Result<OutcomeScores> ScoreOutcome(
    const OutcomeTable& contexts, std::span<const Try> tries, const TriedOutcome& outcome,
    std::span<const std::size_t> fold_of_cluster, const LearnerConfig& learner,
    const RngStream& stream, const Execution& execution);

/// The learner of an adapter for scores. They are compared by differences, since they may be zero
/// or below; refuses a declared ratio or logarithm.
[[nodiscard]] Result<LearnerConfig> LearnerOfScores(LearnerConfig learner);

}  // namespace gonogo::audit
