// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/refit/asked_problem.h"

#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/audit/learners/price_of_success.h"
#include "gonogo/audit/logged/score_log.h"
#include "gonogo/audit/table/asked_table.h"
#include "gonogo/audit/table/check_table.h"

namespace gonogo::audit {
namespace {

/// What a protocol from a file cannot get wrong but one made in code can, and what would end the
/// process further on.
Status CheckBootstrap(const Protocol& protocol) {
  const BootstrapConfig& bootstrap = protocol.bootstrap;
  if (bootstrap.method == IntervalMethod::kRefit && bootstrap.refits == 0) {
    return InputError("bootstrap.refits is 0, expected at least 1");
  }
  if (!(bootstrap.level > 0.0 && bootstrap.level < 1.0)) {
    return InputError("bootstrap.level is {}, expected more than 0 and less than 1",
                      bootstrap.level);
  }
  if (protocol.rule.looks == 0) return InputError("rule.looks is 0, expected at least 1");
  return {};
}

/// Gains of rewards are shares of what the reference action earns.
Status CheckRewards(const OutcomeTotals& totals, const OutcomeTable& table) {
  if (!totals.of_rewards) return {};
  const double earned = -totals.cost.col(kDirect).sum();
  if (earned > 0.0) return {};
  return InputError(
      "the reference action '{}' earns {:.6g} in all, and gains are shares of that, so it has to "
      "be above 0: name another protocol.reference, or declare the opposite as table.cost",
      table.actions[kDirect], earned);
}

}  // namespace

Result<LearningProblem> ProblemOf(const PotentialOutcomes& outcomes, const Protocol& protocol) {
  const OutcomeTable& table = *outcomes.table;
  const bool of_differences = table.scored.has_value() || table.of_rewards || table.prices_success;
  return MakeProblem(
      outcomes, of_differences ? GONOGO_TRY(LearnerOfScores(protocol.learner)) : protocol.learner);
}

Result<std::unique_ptr<Learner>> LearnerOf(const LearningProblem& problem,
                                           const Protocol& protocol) {
  if (!problem.table().prices_success) return MakeLearner(protocol.learner, problem);
  return MakeBudgetLearner(protocol.learner, problem, BudgetOf(protocol));
}

Result<std::unique_ptr<const AskedOutcomes>> AskedOutcomes::Open(const OutcomeTable& declared,
                                                                 const Protocol& protocol,
                                                                 const Execution& execution) {
  GONOGO_TRY(CheckBootstrap(protocol));
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
  GONOGO_TRY(CheckRewards(made->outcomes_->totals, made->table()));
  return std::unique_ptr<const AskedOutcomes>(std::move(made));
}

Result<std::unique_ptr<const AskedProblem>> AskedProblem::Open(const OutcomeTable& declared,
                                                               const Protocol& protocol,
                                                               const Execution& execution) {
  std::unique_ptr<AskedProblem> made(new AskedProblem);
  made->outcomes_ = GONOGO_TRY(AskedOutcomes::Open(declared, protocol, execution));
  made->problem_.emplace(GONOGO_TRY(ProblemOf(made->outcomes(), protocol)));
  made->learner_ = GONOGO_TRY(LearnerOf(*made->problem_, protocol));
  return std::unique_ptr<const AskedProblem>(std::move(made));
}

}  // namespace gonogo::audit
