// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/run/choices.h"

#include <atomic>

#include "gonogo/audit/refit/asked_problem.h"
#include "gonogo/audit/refit/audit_tasks.h"
#include "gonogo/base/check.h"
#include "gonogo/base/parallel/parallel.h"

namespace gonogo::audit {
namespace {

/// The choices in one held-out cluster, in their places.
void ChooseInCluster(const LearningProblem& problem, const FittedLearner& fitted,
                     const adapter::Gate& gate, std::size_t cluster, QueryChoices& out) {
  const QueryRange range = problem.table().queries_of(cluster);
  const std::size_t candidates = problem.table().num_candidates();
  MemberPredictions predictions;
  fitted.Predict(range, predictions);
  for (std::size_t i = 0; i < range.size(); ++i) {
    const adapter::EffectView<double> effects = EffectsAt(predictions, i);
    const std::size_t query = range.begin + i;
    out.choice[query] = static_cast<ActionIndex>(adapter::SelectAction(effects, gate));
    for (std::size_t c = 0; c < candidates; ++c) {
      out.expected[query * candidates + c] = adapter::BoundsOf(effects, gate, c);
    }
  }
}

}  // namespace

Result<QueryChoices> ChooseEverywhere(const PotentialOutcomes& outcomes, const AuditResult& result,
                                      const Execution& execution) {
  const OutcomeTable& table = *outcomes.table;
  if (result.source == "choices") return QueryChoices{.choice = table.choice};
  const Protocol& protocol = result.protocol;
  const LearningProblem problem = GONOGO_TRY(ProblemOf(outcomes, protocol));
  const std::unique_ptr<Learner> learner = GONOGO_TRY(LearnerOf(problem, protocol));
  const std::vector<RefitTask> tasks =
      CrossFitTasks(table.num_clusters(), RngStream(protocol.bootstrap.seed));
  QueryChoices out{
      .choice = std::vector<ActionIndex>(table.num_queries()),
      .expected = std::vector<adapter::EffectBounds>(table.num_queries() * table.num_candidates())};
  std::atomic<std::size_t> done = 0;
  ParallelFor(execution.jobs, tasks.size(), [&](std::size_t k) {
    const std::unique_ptr<FittedLearner> fitted =
        learner->Fit(tasks[k].split, tasks[k].stream.Child("learner"), execution.stop);
    const std::optional<SelectorOptions> selector =
        SpendBudget(problem, *learner, GateOf(protocol), tasks[k].split,
                    tasks[k].stream.Child("budget"), execution.stop);
    if (fitted == nullptr || !selector.has_value()) return;
    ChooseInCluster(problem, *fitted, GateOf(*selector, problem.time_limit()), k, out);
    const std::size_t finished = ++done;
    if (execution.progress) execution.progress(finished, tasks.size());
  });
  if (done < tasks.size()) {
    return Error{ErrorKind::kInterrupted, "stopped before all choices were made"};
  }
  // They are the choices behind the estimates or they are nothing.
  for (const Refit& fold : result.cross_fit) {
    const ChoiceTotals& held_out = fold.held_out.front();
    const QueryRange range = table.queries_of(held_out.cluster);
    const auto begin = out.choice.begin() + static_cast<std::ptrdiff_t>(range.begin);
    const ChoiceTotals again =
        SummariseChoices(outcomes, held_out.cluster, std::span(begin, range.size()));
    GONOGO_CHECK(again.count == held_out.count);
  }
  return out;
}

}  // namespace gonogo::audit
