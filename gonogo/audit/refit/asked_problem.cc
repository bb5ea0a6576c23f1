// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/refit/asked_problem.h"

#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/audit/table/asked_table.h"
#include "gonogo/audit/table/check_table.h"

namespace gonogo::audit {

Result<std::unique_ptr<const AskedProblem>> AskedProblem::Open(const OutcomeTable& declared,
                                                               const Protocol& protocol) {
  GONOGO_TRY(CheckTable(declared));
  std::unique_ptr<AskedProblem> made(new AskedProblem);
  made->asked_ = GONOGO_TRY(AskedTable(declared, protocol));
  made->outcomes_.emplace(DeriveOutcomes(made->asked_ ? *made->asked_ : declared,
                                         protocol.time_budget, protocol.time_tolerance));
  made->problem_.emplace(GONOGO_TRY(MakeProblem(*made->outcomes_, protocol.learner)));
  made->learner_ = GONOGO_TRY(MakeLearner(protocol.learner, *made->problem_));
  return std::unique_ptr<const AskedProblem>(std::move(made));
}

}  // namespace gonogo::audit
