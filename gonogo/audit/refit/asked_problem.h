// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "gonogo/audit/estimands/potential_outcomes.h"
#include "gonogo/audit/learners/learner.h"
#include "gonogo/audit/protocol/protocol.h"

namespace gonogo::audit {

/// A table as the protocol's question sees it (asked_table.h), with everything that fits need. The
/// parts point at each other, so it stays where it was made; `declared` has to outlive it.
class AskedProblem {
 public:
  /// Checks the table first.
  [[nodiscard]] static Result<std::unique_ptr<const AskedProblem>> Open(
      const OutcomeTable& declared, const Protocol& protocol);

  AskedProblem(const AskedProblem&) = delete;
  AskedProblem& operator=(const AskedProblem&) = delete;

  [[nodiscard]] const OutcomeTable& table() const { return *outcomes_->table; }
  [[nodiscard]] const PotentialOutcomes& outcomes() const { return *outcomes_; }
  [[nodiscard]] const LearningProblem& problem() const { return *problem_; }
  [[nodiscard]] const Learner& learner() const { return *learner_; }

 private:
  AskedProblem() = default;

  std::optional<OutcomeTable> asked_;
  std::optional<PotentialOutcomes> outcomes_;
  std::optional<LearningProblem> problem_;
  std::unique_ptr<Learner> learner_;
};

}  // namespace gonogo::audit
