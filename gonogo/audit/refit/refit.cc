// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/refit/refit.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <utility>

#include "gonogo/audit/refit/refit_log.h"
#include "gonogo/base/check.h"
#include "gonogo/base/parallel/parallel.h"

namespace gonogo::audit {
namespace {

constexpr std::size_t kQueriesAtOnce = 4096;  // bounds the memory of predictions

// The identity is exact; only rounding of long sums may show.
void CheckCovarianceIdentity(const OutcomeTotals& totals, const ChoiceTotals& choices) {
  const double tolerance = 1e-12 * std::max(1.0, totals.queries[choices.cluster] / 1000.0);
  GONOGO_CHECK(CovarianceResidual(totals, choices) <= tolerance);
}

double WorkError(const LearningProblem& problem, const MemberPredictions& predictions,
                 std::size_t first_query) {
  double sum = 0.0;
  for (std::size_t i = 0; i < predictions.queries; ++i) {
    for (std::size_t c = 0; c < predictions.candidates; ++c) {
      sum += std::abs(MeanWork(predictions, i, c) - problem.work_target(first_query + i, c));
    }
  }
  return sum;
}

/// The selector's choices in one cluster; `visit` sees the predictions of every block of queries.
template <typename Visit>
std::vector<ActionIndex> ChooseIn(const LearningProblem& problem, const FittedAdapter& adapter,
                                  std::size_t cluster, MemberPredictions& predictions,
                                  Visit&& visit) {
  const QueryRange range = problem.table().queries_of(cluster);
  std::vector<ActionIndex> choices(range.size());
  for (std::size_t begin = range.begin; begin < range.end; begin += kQueriesAtOnce) {
    const QueryRange block{begin, std::min(begin + kQueriesAtOnce, range.end)};
    adapter.learner->Predict(block, predictions);
    SelectActions(predictions, problem.time_limit(), adapter.selector,
                  std::span(choices).subspan(begin - range.begin, block.size()));
    visit(begin);
  }
  return choices;
}

ChoiceTotals ScoreCluster(const LearningProblem& problem, const FittedAdapter& adapter,
                          std::size_t cluster, MemberPredictions& predictions) {
  double work_error = 0.0;
  const std::vector<ActionIndex> choices =
      ChooseIn(problem, adapter, cluster, predictions,
               [&](std::size_t begin) { work_error += WorkError(problem, predictions, begin); });
  ChoiceTotals totals = SummariseChoices(*problem.outcomes, cluster, choices);
  totals.work_error = work_error;
  // Scores of both signs cancel in sums, and rounding with them may be all that is left.
  if (!problem.table().scored.has_value()) {
    CheckCovarianceIdentity(problem.outcomes->totals, totals);
  }
  return totals;
}

/// How often the selector departs from direct in a cluster.
std::uint32_t CountDepartures(const LearningProblem& problem, const FittedAdapter& adapter,
                              std::size_t cluster, MemberPredictions& predictions) {
  const std::vector<ActionIndex> choices =
      ChooseIn(problem, adapter, cluster, predictions, [](std::size_t /*begin*/) {});
  const auto stays = std::count(choices.begin(), choices.end(), kDirect);
  return static_cast<std::uint32_t>(choices.size() - static_cast<std::size_t>(stays));
}

/// Whether a refit from elsewhere is one of this task and of this table's actions.
bool Belongs(const Refit& refit, const RefitTask& task, std::size_t actions) {
  const std::vector<std::size_t> expected = stats::HeldOut(task.split);
  if (refit.split != task.split || refit.held_out.size() != expected.size()) return false;
  if (refit.departures.size() != (task.counts_departures ? task.split.num_clusters() : 0)) {
    return false;
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const ChoiceTotals& choices = refit.held_out[i];
    if (choices.cluster != expected[i] || choices.count.size() != actions ||
        choices.cost.size() != actions || choices.direct_cost.size() != actions) {
      return false;
    }
  }
  return true;
}

/// The refit of a task that the store kept, if it is one.
std::optional<Refit> Kept(const RefitStore& store, std::size_t i, const RefitTask& task,
                          std::size_t actions) {
  if (!store.load) return {};
  std::optional<Refit> kept = store.load(i);
  if (kept.has_value() && Belongs(*kept, task, actions)) return kept;
  return {};
}

/// The same on all ranks of a team. Refits travel as the bytes in which they are kept.
Result<std::vector<Refit>> ShareRefits(const LearningProblem& problem, const Learner& learner,
                                       const DeclaredGate& gate, std::span<const RefitTask> tasks,
                                       const RefitStore& store, const Execution& execution) {
  const std::size_t actions = problem.table().num_actions();
  TeamWork work{.what = "refits", .identity = store.identity, .count = tasks.size()};
  work.at_once = ResolveJobs(execution.jobs);
  work.kept = [&](std::size_t i) -> std::optional<std::string> {
    const std::optional<Refit> kept = Kept(store, i, tasks[i], actions);
    if (!kept.has_value()) return {};
    return EncodeRefit(*kept);
  };
  work.make = [&](std::size_t i, const std::stop_token& stop) -> Result<std::string> {
    const std::optional<Refit> refit = RunRefit(problem, learner, gate, tasks[i], stop);
    if (!refit.has_value()) return Error{ErrorKind::kInterrupted, "stopped"};
    return EncodeRefit(*refit);
  };
  work.keep = [&](std::size_t i, const std::string& bytes) {
    return store.save ? store.save(i, DecodeRefit(bytes).value()) : Status();
  };
  const std::vector<std::string> all = GONOGO_TRY(execution.team->Run(work, execution));
  std::vector<Refit> refits;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::optional<Refit> refit = DecodeRefit(all[i]);
    GONOGO_CHECK(refit.has_value() && Belongs(*refit, tasks[i], actions));
    refits.push_back(*std::move(refit));
  }
  return refits;
}

}  // namespace

std::vector<ActionIndex> FittedAdapter::ChooseIn(const LearningProblem& problem,
                                                 std::size_t cluster) const {
  MemberPredictions predictions;
  return audit::ChooseIn(problem, *this, cluster, predictions, [](std::size_t /*begin*/) {});
}

std::optional<FittedAdapter> FitAdapter(const LearningProblem& problem, const Learner& learner,
                                        const DeclaredGate& gate, const RefitTask& task,
                                        const std::stop_token& stop) {
  std::unique_ptr<FittedLearner> fitted =
      learner.Fit(task.split, task.stream.Child("learner"), stop);
  if (fitted == nullptr) return {};
  const std::optional<SelectorOptions> selector =
      SpendBudget(problem, learner, gate, task.split, task.stream.Child("budget"), stop);
  if (!selector.has_value()) return {};
  return FittedAdapter{std::move(fitted), *selector};
}

std::optional<Refit> RunRefit(const LearningProblem& problem, const Learner& learner,
                              const DeclaredGate& gate, const RefitTask& task,
                              const std::stop_token& stop) {
  const std::optional<FittedAdapter> adapter = FitAdapter(problem, learner, gate, task, stop);
  if (!adapter.has_value()) return {};
  Refit refit{.split = task.split};
  MemberPredictions predictions;
  for (const std::size_t cluster : stats::HeldOut(task.split)) {
    refit.held_out.push_back(ScoreCluster(problem, *adapter, cluster, predictions));
  }
  if (!task.counts_departures) return refit;
  for (std::size_t cluster = 0; cluster < task.split.num_clusters(); ++cluster) {
    refit.departures.push_back(CountDepartures(problem, *adapter, cluster, predictions));
  }
  return refit;
}

Result<std::vector<Refit>> RunRefits(const LearningProblem& problem, const Learner& learner,
                                     const DeclaredGate& gate, std::span<const RefitTask> tasks,
                                     const RefitStore& store, const Execution& execution) {
  if (execution.team != nullptr) {
    return ShareRefits(problem, learner, gate, tasks, store, execution);
  }
  std::vector<Refit> refits(tasks.size());
  std::atomic<std::size_t> done = 0;
  std::atomic<bool> failed = false;
  std::mutex failure_lock;
  Status failure;
  const auto finish = [&](std::size_t i, Refit refit, bool is_kept) {
    refits[i] = std::move(refit);
    const std::size_t finished = ++done;
    if (is_kept && finished < tasks.size()) return;
    if (execution.progress) execution.progress(finished, tasks.size());
  };
  ParallelFor(execution.jobs, tasks.size(), [&](std::size_t i) {
    if (execution.stop.stop_requested() || failed) return;
    std::optional<Refit> kept = Kept(store, i, tasks[i], problem.table().num_actions());
    if (kept.has_value()) return finish(i, *std::move(kept), true);
    std::optional<Refit> refit = RunRefit(problem, learner, gate, tasks[i], execution.stop);
    if (!refit.has_value()) return;
    const Status saved = store.save ? store.save(i, *refit) : Status();
    if (saved.ok()) return finish(i, *std::move(refit), false);
    const std::lock_guard lock(failure_lock);
    failure = saved;
    failed = true;
  });
  if (failed) return failure.error();
  if (done < tasks.size()) {
    return Error{ErrorKind::kInterrupted,
                 fmt::format("stopped after {} of {} refits", done.load(), tasks.size())};
  }
  return refits;
}

}  // namespace gonogo::audit
