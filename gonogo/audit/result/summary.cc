// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/summary.h"

#include <algorithm>
#include <array>

#include "gonogo/audit/estimands/fold_bootstrap.h"
#include "gonogo/audit/result/decided.h"
#include "gonogo/audit/table/cluster_remarks.h"
#include "gonogo/stats/moments.h"

namespace gonogo::audit {
namespace {

constexpr std::array kDeltas = {0.0, 0.0025, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.05};
constexpr std::array kKappas = {0.0, 0.01, 0.02, 0.03, 0.05, 0.075, 0.10};

/// The default grid with the declared value in it.
std::vector<double> GridWith(std::span<const double> grid, double declared) {
  std::vector<double> values(grid.begin(), grid.end());
  if (std::find(values.begin(), values.end(), declared) == values.end()) values.push_back(declared);
  std::sort(values.begin(), values.end());
  return values;
}

FoldResult SummariseFold(const OutcomeTotals& totals, const std::string& name,
                         const HeldOutCluster& held) {
  const double direct = held.choices->count[kDirect];
  return {.cluster = name,
          .reference = held.reference,
          .sums = SumCluster(totals, held),
          .activation = 1.0 - direct / totals.queries[held.choices->cluster]};
}

ActionSummary SummariseAction(const PotentialOutcomes& outcomes, const AuditResult& result,
                              ActionIndex action) {
  const OutcomeTotals& totals = outcomes.totals;
  const auto queries = static_cast<double>(outcomes.table->num_queries());
  const double direct = totals.cost.col(kDirect).sum();
  double count = 0.0;
  double cost = 0.0;
  double direct_cost = 0.0;
  for (const Refit& fold : result.cross_fit) {
    const ChoiceTotals& choices = fold.held_out.front();
    count += choices.count[action];
    cost += choices.cost[action];
    direct_cost += choices.direct_cost[action];
  }
  const auto oracle = std::count(outcomes.oracle.begin(), outcomes.oracle.end(), action);
  const auto folds = std::count_if(result.folds.begin(), result.folds.end(),
                                   [&](const FoldResult& f) { return f.reference == action; });
  return {.name = outcomes.table->actions[action],
          .chosen = count / queries,
          .oracle = static_cast<double>(oracle) / queries,
          .gain = Gain(cost, direct_cost, direct_cost, totals.of_rewards),
          .fixed_gain = Gain(totals.cost.col(action).sum(), direct, direct, totals.of_rewards),
          .fixed_violations = totals.violations.col(action).sum() / queries,
          .reference_folds = static_cast<std::size_t>(folds)};
}

FoldGains MeansOverFolds(const std::vector<FoldResult>& folds) {
  std::vector<ComparatorSums> sums;
  for (const FoldResult& fold : folds) sums.push_back(fold.sums);
  const std::vector<std::uint32_t> once(folds.size(), 1);
  return CombineFolds(sums, once, Aggregate::kMeanOfRatios);
}

std::vector<double> OverReplicates(const AuditResult& result, double Estimands::*quantity) {
  std::vector<double> values;
  for (const ReplicateResult& replicate : result.replicates) {
    values.push_back(replicate.estimands.*quantity);
  }
  return values;
}

/// A quantity that no rule decides by.
void AddInterval(const AuditResult& result, double Estimands::*quantity, Estimate& estimate) {
  const std::vector<double> values = OverReplicates(result, quantity);
  const auto percentiles = stats::PercentileInterval(values, result.protocol.bootstrap.level);
  estimate.interval = GainBounds(estimate.point, percentiles).interval;
  estimate.bootstrap_mean = stats::Mean(values);
}

/// A quantity whose interval is the paper's rule's.
void UseBounds(const AuditResult& result, double Estimands::*quantity, const ChannelBounds& bounds,
               Estimate& estimate) {
  estimate.interval = bounds.interval;
  estimate.bootstrap_mean = stats::Mean(OverReplicates(result, quantity));
}

}  // namespace

AuditResult StartResult(const OutcomeTable& table, const Protocol& protocol) {
  AuditResult result{.protocol = protocol, .fingerprint = Fingerprint(protocol)};
  result.clusters = table.clusters;
  result.look = table.earlier_looks.count + 1;
  result.warnings = table.notes;
  for (std::string& remark : ClusterRemarks(table)) result.warnings.push_back(std::move(remark));
  result.table.queries = table.num_queries();
  result.table.of_rewards = table.of_rewards;
  result.table.costs_only_shift = CostsOnlyShift(table);
  result.table.has_time = !table.time.empty();
  result.table.has_success = table.has_success();
  result.table.eligible_given = !table.eligible.empty();
  result.table.smallest_cluster = table.num_queries();
  for (std::size_t k = 0; k < table.num_clusters(); ++k) {
    const std::size_t size = table.queries_of(k).size();
    result.table.smallest_cluster = std::min(result.table.smallest_cluster, size);
    result.table.largest_cluster = std::max(result.table.largest_cluster, size);
  }
  return result;
}

void AddPointEstimates(const PotentialOutcomes& outcomes, AuditResult& result) {
  const double kappa = result.protocol.thresholds.kappa;
  std::vector<HeldOutCluster> held_out;
  for (const Refit& fold : result.cross_fit) {
    held_out.push_back(AssignReference(outcomes.totals, fold, kappa).front());
    const std::string& name = outcomes.table->clusters[held_out.back().choices->cluster];
    result.folds.push_back(SummariseFold(outcomes.totals, name, held_out.back()));
  }
  result.point = Evaluate(outcomes.totals, held_out, kappa, Mixture::kWithinCluster);
  if (result.protocol.bootstrap.aggregate == Aggregate::kMeanOfRatios) {
    const FoldGains means = MeansOverFolds(result.folds);
    result.point.h_total = means.h_total;
    result.point.h_alloc = means.h_alloc;
    result.point.h_dep = means.h_dep;
    result.point.q = means.q;
  }
  result.h_global.point = result.point.h_global;
  result.h_avail.point = result.point.h_avail;
  result.h_total.point = result.point.h_total;
  result.h_alloc.point = result.point.h_alloc;
  result.h_dep.point = result.point.h_dep;
  result.q.point = result.point.q;
  for (ActionIndex action = 0; action < outcomes.table->num_actions(); ++action) {
    result.actions.push_back(SummariseAction(outcomes, result, action));
  }
}

void AddReplicates(const PotentialOutcomes& outcomes, const RuleBounds& paper,
                   AuditResult& result) {
  const BootstrapConfig& bootstrap = result.protocol.bootstrap;
  const Thresholds& thresholds = result.protocol.thresholds;
  const std::vector<Estimands> estimands =
      EvaluateReplicates(outcomes.totals, result.bootstrap, thresholds.kappa, bootstrap.mixture);
  for (std::size_t b = 0; b < estimands.size(); ++b) {
    const std::vector<HeldOutCluster> held_out =
        AssignReference(outcomes.totals, result.bootstrap[b], thresholds.kappa);
    result.replicates.push_back({held_out.front().reference, estimands[b]});
  }
  AddInterval(result, &Estimands::h_global, result.h_global);
  AddInterval(result, &Estimands::h_avail, result.h_avail);
  UseBounds(result, &Estimands::h_total, paper.total, result.h_total);
  UseBounds(result, &Estimands::h_alloc, paper.allocation, result.h_alloc);
  UseBounds(result, &Estimands::h_dep, paper.deployment, result.h_dep);
  UseBounds(result, &Estimands::q, paper.violation, result.q);
}

void AddSensitivity(const std::function<RuleBounds(double kappa)>& bounds, AuditResult& result) {
  const Thresholds& thresholds = result.protocol.thresholds;
  result.sensitivity = ThresholdSensitivity(GridWith(kDeltas, thresholds.delta_dep),
                                            GridWith(kKappas, thresholds.kappa), bounds);
}

}  // namespace gonogo::audit
