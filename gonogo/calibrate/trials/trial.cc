// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/trials/trial.h"

#include <ctime>

#include "gonogo/audit/refit/pair_tasks.h"
#include "gonogo/calibrate/trials/oracle.h"

namespace gonogo::calibrate {
namespace {

double ThreadCpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

TrialTasks TasksOf(const World& world, const TrialOptions& options, const RngStream& stream) {
  const RngStream run = stream.Child("run");
  TrialTasks tasks{audit::CrossFitTasks(world.clusters, run),
                   audit::BootstrapTasks(world.clusters, options.refits, run),
                   {}};
  if (options.pairs) tasks.pairs = audit::PairTasks(world.clusters, run);
  // The shipped adapter is the one whose truth is found out.
  if (!tasks.pairs.empty()) tasks.pairs.back().stream = stream.Child("ship");
  return tasks;
}

Result<std::vector<audit::Refit>> Refits(const audit::LearningProblem& problem,
                                         const audit::Learner& learner,
                                         const std::vector<audit::RefitTask>& tasks) {
  return audit::RunRefits(problem, learner, {}, tasks, {}, {.jobs = 1});
}

}  // namespace

Result<TrialFits> FitTrial(const World& world, const FreshQueries& fresh,
                           const TrialOptions& options, const RngStream& stream) {
  const audit::OutcomeTable table = DrawTable(world, stream.Child("table"));
  const double begin = ThreadCpuSeconds();
  const audit::PotentialOutcomes outcomes = audit::DeriveOutcomes(table, 1.0);
  const audit::LearningProblem problem = GONOGO_TRY(audit::SelectFeatures(outcomes, {}));
  const auto learner = GONOGO_TRY(options.learner(problem));
  const TrialTasks tasks = TasksOf(world, options, stream);
  auto folds = GONOGO_TRY(Refits(problem, *learner, tasks.folds));
  auto replicates = GONOGO_TRY(Refits(problem, *learner, tasks.replicates));
  TrialFits fits{.fit_seconds = ThreadCpuSeconds() - begin,
                 .folds = std::move(folds),
                 .replicates = std::move(replicates)};
  auto pairs = GONOGO_TRY(Refits(problem, *learner, tasks.pairs));
  fits.pairs = std::move(pairs);
  fits.pair_seconds = ThreadCpuSeconds() - begin - fits.fit_seconds;
  if (fresh.violation.empty()) return fits;
  fits.oracle =
      GONOGO_TRY(AskOracle(table, DrawTable(world, stream.Child("oracle")), options.learner,
                           options.thresholds, options.level, stream.Child("ship")));
  const Truth truth = GONOGO_TRY(ShippedTruth(world, fresh, table, options.learner,
                                              options.thresholds.kappa, stream.Child("ship")));
  fits.truth = truth;
  return fits;
}

std::optional<TrialFits> RestoreFits(std::string_view bytes, const World& world,
                                     const TrialOptions& options, const RngStream& stream) {
  return DecodeFits(bytes, TasksOf(world, options, stream), world.actions);
}

Trial JudgeTrial(const World& world, const TrialFits& fits, const TrialOptions& options,
                 const RngStream& stream) {
  const audit::OutcomeTable table = DrawTable(world, stream.Child("table"));
  const audit::PotentialOutcomes outcomes = audit::DeriveOutcomes(table, 1.0);
  const audit::RuleEvidence evidence{outcomes.totals, fits.folds, fits.replicates,
                                     audit::SplitPairFits(fits.pairs)};
  const RngStream halves = stream.Child("halves");
  Trial trial{.truth = fits.truth,
              .fit_seconds = fits.fit_seconds,
              .pair_seconds = fits.pair_seconds,
              .oracle = fits.oracle};
  for (const Rule rule : kRules) {
    if (rule == Rule::kLeavePairOut && evidence.pairs.empty()) continue;
    const audit::RuleOptions declared{.level = options.level,
                                      .every_contender = rule == Rule::kContenders,
                                      .halves = options.halves};
    const audit::RuleAnswer answer =
        audit::ApplyRule(KindOf(rule), evidence, options.thresholds, declared, halves);
    trial.outcome[static_cast<std::size_t>(rule)] = Summarise(answer);
    if (rule == Rule::kCalibrated) trial.modal_share = answer.calibrated->reference.modal_share;
  }
  return trial;
}

}  // namespace gonogo::calibrate
