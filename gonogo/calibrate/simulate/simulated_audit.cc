// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/trials/trial.h"

#include <ctime>

#include "gonogo/audit/refit/pair_tasks.h"
#include "gonogo/base/check.h"
#include "gonogo/calibrate/trials/known_clusters.h"
#include "gonogo/calibrate/trials/oracle.h"
#include "gonogo/calibrate/trials/thin.h"

namespace gonogo::calibrate {
namespace {

double ThreadCpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

TrialTasks TasksOf(const World& world, const TrialOptions& options, const RngStream& stream) {
  const RngStream run = stream.Child("run");
  const std::size_t units = options.known_blocks > 0 ? options.known_blocks : world.clusters;
  TrialTasks tasks{
      audit::CrossFitTasks(units, run), audit::BootstrapTasks(units, options.refits, run), {}};
  tasks.of_scores = world.logging != Logging::kFull;
  if (options.pairs) tasks.pairs = audit::PairTasks(units, run);
  // The shipped adapter is the one whose truth is found out.
  if (!tasks.pairs.empty()) tasks.pairs.back().stream = stream.Child("ship");
  return tasks;
}

Result<std::vector<audit::Refit>> Refits(const audit::LearningProblem& problem,
                                         const audit::Learner& learner,
                                         const std::vector<audit::RefitTask>& tasks) {
  return audit::RunRefits(problem, learner, {}, tasks, {}, {.jobs = 1});
}

/// What an oracle would say of the adapter that would ship, and what is true of it.
Status FindTruth(const World& world, const FreshQueries& fresh, const audit::OutcomeTable& table,
                 const TrialOptions& options, const RngStream& stream, TrialFits& fits) {
  const RngStream ship = stream.Child("ship");
  fits.oracle = GONOGO_TRY(AskOracle(table, DrawTable(world, stream.Child("oracle")),
                                     options.learner, options.thresholds, options.level, ship));
  fits.truth = GONOGO_TRY(
      ShippedTruth(world, fresh, table, options.learner, options.thresholds.kappa, ship));
  return {};
}

Status FindTruth(const KnownClusters& known, const TrialOptions& options, const RngStream& stream,
                 TrialFits& fits) {
  const RngStream ship = stream.Child("ship");
  fits.oracle = GONOGO_TRY(AskOracle(known.table, known.oracle, options.learner, options.thresholds,
                                     options.level, ship));
  fits.truth = GONOGO_TRY(KnownTruth(known, options.learner, options.thresholds.kappa, ship));
  return {};
}

/// The data set a stream names.
Result<KnownClusters> DrawData(const World& world, const TrialOptions& options,
                               const RngStream& stream) {
  if (options.known_blocks > 0) {
    if (world.logging != Logging::kFull) {
      return InputError("logs are simulated for new clusters only: without --known-blocks");
    }
    return DrawKnownClusters(world, options.known_blocks, stream.Child("table"));
  }
  audit::OutcomeTable table = GONOGO_TRY(
      Observe(world, DrawTable(world, stream.Child("table")), options.models, stream.Child("log")));
  return KnownClusters{.table = std::move(table), .oracle = {}, .rest = {}};
}

audit::OutcomeTotals TotalsOf(const World& world, const TrialOptions& options,
                              const RngStream& stream) {
  const Result<KnownClusters> data = DrawData(world, options, stream);
  GONOGO_CHECK(data.ok());  // it was drawn before
  return audit::DeriveOutcomes(data.value().table, 1.0).totals;
}

}  // namespace

Result<TrialFits> FitTrial(const World& world, const FreshQueries& fresh,
                           const TrialOptions& options, const RngStream& stream) {
  const KnownClusters data = GONOGO_TRY(DrawData(world, options, stream));
  const audit::OutcomeTable& table = data.table;
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
  if (tasks.of_scores) fits.totals = outcomes.totals;
  if (fresh.violation.empty()) return fits;
  GONOGO_TRY(options.known_blocks > 0 ? FindTruth(data, options, stream, fits)
                                      : FindTruth(world, fresh, table, options, stream, fits));
  return fits;
}

std::optional<TrialFits> RestoreFits(std::string_view bytes, const World& world,
                                     const TrialOptions& options, const RngStream& stream) {
  return DecodeFits(bytes, TasksOf(world, options, stream), world.actions);
}

Trial JudgeTrial(const World& world, const TrialFits& fits, const TrialOptions& options,
                 const RngStream& stream) {
  const audit::OutcomeTotals totals =
      fits.totals.has_value() ? *fits.totals : TotalsOf(world, options, stream);
  const audit::RuleEvidence evidence{totals, fits.folds, fits.replicates,
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
