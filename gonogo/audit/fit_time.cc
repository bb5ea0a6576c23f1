// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/fit_time.h"

#include <algorithm>
#include <array>
#include <thread>

#include "gonogo/audit/learners/learner_factory.h"
#include "gonogo/audit/refit/audit_tasks.h"

namespace gonogo::audit {
namespace {

constexpr std::array<std::size_t, 2> kPasses{1, 3};

}  // namespace

Result<std::chrono::duration<double>> EstimateMlpTime(const OutcomeTable& table, Protocol protocol,
                                                      int jobs) {
  using Clock = std::chrono::steady_clock;
  if (table.logged.has_value()) return InputError("a log has to be scored before it is fitted");
  protocol.learner.kind = LearnerKind::kMlp;
  const MlpOptions asked = protocol.learner.mlp;
  protocol.learner.mlp.members = 1;
  const PotentialOutcomes outcomes =
      DeriveOutcomes(table, protocol.time_budget, protocol.time_tolerance);
  const LearningProblem problem = GONOGO_TRY(SelectFeatures(outcomes, protocol.learner.features));
  const std::vector<RefitTask> folds =
      CrossFitTasks(table.num_clusters(), RngStream(protocol.bootstrap.seed));
  // The difference leaves out what a fit costs besides its passes.
  std::array<std::chrono::duration<double>, 2> spent{};
  for (std::size_t i = 0; i < spent.size(); ++i) {
    protocol.learner.mlp.epochs = kPasses[i];
    const std::unique_ptr<Learner> learner = GONOGO_TRY(MakeLearner(protocol.learner, problem));
    const Clock::time_point begin = Clock::now();
    const std::unique_ptr<FittedLearner> fitted =
        learner->Fit(folds.front().split, folds.front().stream.Child("learner"), {});
    spent[i] = Clock::now() - begin;
  }
  const std::chrono::duration<double> once =
      std::max(spent[1] - spent[0], {}) / static_cast<double>(kPasses[1] - kPasses[0]);
  const double fits =
      static_cast<double>(AuditTasks({.clusters = table.num_clusters()}, protocol).size()) *
      static_cast<double>(asked.members) * static_cast<double>(asked.epochs);
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return once * fits / (jobs > 0 ? static_cast<double>(jobs) : static_cast<double>(cores));
}

}  // namespace gonogo::audit
