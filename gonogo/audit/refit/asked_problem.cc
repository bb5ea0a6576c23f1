// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/refit/asked_problem.h"

#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/audit/logged/score_log.h"
#include "gonogo/audit/table/asked_table.h"
#include "gonogo/audit/table/check_table.h"

namespace gonogo::audit {

Result<std::unique_ptr<const AskedOutcomes>> AskedOutcomes::Open(const OutcomeTable& declared,
                                                                 const Protocol& protocol,
                                                                 const Execution& execution) {
  GONOGO_TRY(CheckTable(declared));
  std::unique_ptr<AskedOutcomes> made(new AskedOutcomes);
  // Scores were made with the question in mind.
  if (!declared.scored.has_value()) {
    made->asked_ = GONOGO_TRY(AskedTable(declared, protocol));
  }
  if (declared.logged.has_value()) {
    ScoredLog scored =
        GONOGO_TRY(ScoreLog(made->asked_ ? *made->asked_ : declared, protocol, execution));
    made->asked_ = std::move(scored.table);
    made->log_ = std::move(scored.report);
  }
  made->outcomes_.emplace(DeriveOutcomes(made->asked_ ? *made->asked_ : declared,
                                         protocol.time_budget, protocol.time_tolerance));
  return std::unique_ptr<const AskedOutcomes>(std::move(made));
}

Result<std::unique_ptr<const AskedProblem>> AskedProblem::Open(const OutcomeTable& declared,
                                                               const Protocol& protocol,
                                                               const Execution& execution) {
  std::unique_ptr<AskedProblem> made(new AskedProblem);
  LearnerConfig learner = protocol.learner;
  if (declared.logged.has_value() || declared.scored.has_value()) {
    learner = GONOGO_TRY(LearnerOfScores(learner));
  }
  made->outcomes_ = GONOGO_TRY(AskedOutcomes::Open(declared, protocol, execution));
  made->problem_.emplace(GONOGO_TRY(MakeProblem(made->outcomes(), learner)));
  made->learner_ = GONOGO_TRY(MakeLearner(learner, *made->problem_));
  return std::unique_ptr<const AskedProblem>(std::move(made));
}

}  // namespace gonogo::audit
