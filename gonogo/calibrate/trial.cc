// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/trial.h"

#include <ctime>

namespace gonogo::calibrate {
namespace {

double ThreadCpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Result<std::vector<audit::Refit>> Refits(const audit::LearningProblem& problem,
                                         const audit::Learner& learner,
                                         const std::vector<audit::RefitTask>& tasks) {
  return audit::RunRefits(problem, learner, {}, tasks, {}, {.jobs = 1});
}

Status Audit(const audit::OutcomeTable& table, const TrialOptions& options, const RngStream& stream,
             Trial& trial) {
  const audit::PotentialOutcomes outcomes = audit::DeriveOutcomes(table, 1.0);
  const Result<audit::LearningProblem> problem = audit::SelectFeatures(outcomes, {});
  if (!problem.ok()) return problem.error();
  const auto learner = options.learner(problem.value());
  if (!learner.ok()) return learner.error();
  const std::size_t clusters = table.num_clusters();
  const RngStream run = stream.Child("run");
  const auto folds = Refits(problem.value(), *learner.value(), audit::CrossFitTasks(clusters, run));
  if (!folds.ok()) return folds.error();
  const auto replicates = Refits(problem.value(), *learner.value(),
                                 audit::BootstrapTasks(clusters, options.refits, run));
  if (!replicates.ok()) return replicates.error();

  const RngStream halves = stream.Child("halves");
  const audit::OutcomeTotals& totals = outcomes.totals;
  audit::CalibratedOptions calibrated{.level = options.level, .halves = options.halves};
  const audit::CalibratedAudit usual = audit::AuditCalibrated(
      totals, folds.value(), replicates.value(), options.thresholds, calibrated, halves);
  calibrated.every_contender = true;
  const audit::CalibratedAudit contenders = audit::AuditCalibrated(
      totals, folds.value(), replicates.value(), options.thresholds, calibrated, halves);
  trial.outcome = {ApplyPaperRule(totals, replicates.value(), options.thresholds, options.level,
                                  options.halves, halves),
                   Summarise(usual), Summarise(contenders)};
  trial.modal_share = usual.reference.modal_share;
  return {};
}

}  // namespace

Result<Trial> RunTrial(const World& world, const FreshQueries& fresh, const TrialOptions& options,
                       const RngStream& stream) {
  const audit::OutcomeTable table = DrawTable(world, stream.Child("table"));
  Trial trial;
  const double begin = ThreadCpuSeconds();
  const Status audited = Audit(table, options, stream, trial);
  if (!audited.ok()) return audited.error();
  trial.audit_seconds = ThreadCpuSeconds() - begin;
  if (fresh.violation.empty()) return trial;
  const Result<Truth> truth = ShippedTruth(world, fresh, table, options.learner,
                                           options.thresholds.kappa, stream.Child("ship"));
  if (!truth.ok()) return truth.error();
  trial.truth = truth.value();
  return trial;
}

}  // namespace gonogo::calibrate
