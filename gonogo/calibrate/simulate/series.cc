// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/trials/path_trial.h"

#include <algorithm>
#include <optional>

#include "gonogo/audit/refit/pair_tasks.h"
#include "gonogo/audit/rules/looks.h"
#include "gonogo/audit/rules/outlook.h"
#include "gonogo/audit/table/first_clusters.h"

namespace gonogo::calibrate {
namespace {

/// The fits of one look, for the rules that still go on.
struct LookFits {
  std::vector<audit::Refit> folds;
  std::vector<audit::Refit> replicates;
  std::vector<audit::Refit> pairs;
};

Result<LookFits> FitLook(const audit::PotentialOutcomes& outcomes, std::size_t clusters,
                         const std::array<bool, kPathRules.size()>& open,
                         const PathOptions& options, const RngStream& run) {
  const audit::LearningProblem problem = GONOGO_TRY(audit::SelectFeatures(outcomes, {}));
  const auto learner = GONOGO_TRY(options.trial.learner(problem));
  const auto fit = [&](const std::vector<audit::RefitTask>& tasks) {
    return audit::RunRefits(problem, *learner, {}, tasks, {}, {.jobs = 1});
  };
  LookFits fits;
  fits.folds = GONOGO_TRY(fit(audit::CrossFitTasks(clusters, run)));
  if (open[0]) {
    fits.replicates = GONOGO_TRY(fit(audit::BootstrapTasks(clusters, options.trial.refits, run)));
  }
  if (open[1]) fits.pairs = GONOGO_TRY(fit(audit::PairTasks(clusters, run)));
  return fits;
}

}  // namespace

Result<PathTrial> RunPath(const World& world, const FreshQueries& fresh, const PathOptions& options,
                          const RngStream& stream) {
  const std::vector<std::size_t>& looks = options.rule.looks_at;
  const TrialOptions& declared = options.trial;
  World whole = world;
  whole.clusters = looks.back();
  const audit::OutcomeTable all = DrawTable(whole, stream.Child("table"));
  PathTrial trial;
  std::array<bool, kPathRules.size()> open = {!options.pairs_only, true};
  for (std::size_t look = 0; look < looks.size(); ++look) {
    const std::size_t clusters = looks[look];
    const audit::OutcomeTable table = audit::FirstClusters(all, clusters);
    const audit::PotentialOutcomes outcomes = audit::DeriveOutcomes(table, 1.0);
    const RngStream run = stream.Child("run").Child(clusters);
    const LookFits fits = GONOGO_TRY(FitLook(outcomes, clusters, open, options, run));
    const audit::RuleEvidence evidence{outcomes.totals, fits.folds, fits.replicates,
                                       audit::SplitPairFits(fits.pairs)};
    const audit::RuleOptions spending{
        .level = audit::LookLevel(declared.level, options.rule, look + 1, clusters), .halves = 0};
    std::optional<Truth> truth;
    for (std::size_t r = 0; r < kPathRules.size(); ++r) {
      if (!open[r]) continue;
      const audit::RuleAnswer answer = audit::ApplyRule(
          KindOf(kPathRules[r]), evidence, declared.thresholds, spending, RngStream(0));
      PathOutcome& outcome = trial.outcome[r];
      outcome.verdict = answer.decision.verdict;
      outcome.look = look;
      if (outcome.verdict == audit::Verdict::kAbstain) {
        outcome.futile = audit::IsFutile(audit::LookAhead(answer.bounds, declared.thresholds,
                                                          options.rule, declared.level, clusters),
                                         options.rule);
        open[r] = !outcome.futile;
        continue;
      }
      open[r] = false;
      if (!truth) {
        truth = GONOGO_TRY(ShippedTruth(world, fresh, table, declared.learner,
                                        declared.thresholds.kappa, run.Child("shipped")));
      }
      outcome.truth = *truth;
    }
    if (std::none_of(open.begin(), open.end(), [](bool goes_on) { return goes_on; })) break;
  }
  return trial;
}

}  // namespace gonogo::calibrate
