// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "gonogo/audit/estimands/potential_outcomes.h"
#include "gonogo/audit/learners/learner.h"
#include "gonogo/audit/logged/log_report.h"
#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/base/parallel/execution.h"

namespace gonogo::audit {

/// The outcomes of a table as the protocol's question sees them (asked_table.h); a log is scored
/// (score_log.h). The parts point at each other, so it stays where it was made; `declared` has to
/// outlive it.
class AskedOutcomes {
 public:
  /// Checks the protocol's numbers and the table first. A log is refused where `ScoreLog` refuses
  /// it.
  [[nodiscard]] static Result<std::unique_ptr<const AskedOutcomes>> Open(
      const OutcomeTable& declared, const Protocol& protocol, const Execution& execution);

  AskedOutcomes(const AskedOutcomes&) = delete;
  AskedOutcomes& operator=(const AskedOutcomes&) = delete;

  [[nodiscard]] const OutcomeTable& table() const { return *outcomes_->table; }
  [[nodiscard]] const PotentialOutcomes& outcomes() const { return *outcomes_; }
  /// What a log says of itself; nothing for a table of all actions.
  [[nodiscard]] const std::optional<LogReport>& log() const { return log_; }

 private:
  AskedOutcomes() = default;

  std::optional<OutcomeTable> asked_;
  std::optional<PotentialOutcomes> outcomes_;
  std::optional<LogReport> log_;
};

/// What the protocol's learner learns of outcomes that its question was put to: differences where
/// costs may be zero or below, or successes have a price.
[[nodiscard]] Result<LearningProblem> ProblemOf(const PotentialOutcomes& outcomes,
                                                const Protocol& protocol);
/// And who learns it.
[[nodiscard]] Result<std::unique_ptr<Learner>> LearnerOf(const LearningProblem& problem,
                                                         const Protocol& protocol);

/// The same with everything that fits need: the first step of an audit.
class AskedProblem {
 public:
  [[nodiscard]] static Result<std::unique_ptr<const AskedProblem>> Open(
      const OutcomeTable& declared, const Protocol& protocol, const Execution& execution);

  AskedProblem(const AskedProblem&) = delete;
  AskedProblem& operator=(const AskedProblem&) = delete;

  [[nodiscard]] const OutcomeTable& table() const { return outcomes_->table(); }
  [[nodiscard]] const PotentialOutcomes& outcomes() const { return outcomes_->outcomes(); }
  [[nodiscard]] const std::optional<LogReport>& log() const { return outcomes_->log(); }
  [[nodiscard]] const LearningProblem& problem() const { return *problem_; }
  [[nodiscard]] const Learner& learner() const { return *learner_; }

 private:
  AskedProblem() = default;

  std::unique_ptr<const AskedOutcomes> outcomes_;
  std::optional<LearningProblem> problem_;
  std::unique_ptr<Learner> learner_;
};

}  // namespace gonogo::audit
