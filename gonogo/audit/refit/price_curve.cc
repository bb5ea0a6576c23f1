// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/refit/price_curve.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gonogo/audit/learners/price_of_success.h"
#include "gonogo/base/parallel/parallel.h"
#include "gonogo/stats/distributions.h"

namespace gonogo::audit {
namespace {

/// Allowances in units of the declared κ.
constexpr std::array kAllowances = {0.0, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0};

/// What came of the choices in one held-out cluster.
struct HeldOutSums {
  double departures = 0.0;
  double lost = 0.0;
  double cost = 0.0;
  double price = 0.0;
};

/// One per allowance.
using ClusterSums = std::vector<HeldOutSums>;

HeldOutSums SumsOf(const PotentialOutcomes& outcomes, std::size_t cluster,
                   const std::vector<ActionIndex>& choices, double price) {
  const OutcomeTable& table = *outcomes.table;
  const std::size_t begin = table.queries_of(cluster).begin;
  HeldOutSums sums{.price = price};
  for (std::size_t i = 0; i < choices.size(); ++i) {
    sums.departures += choices[i] == kDirect ? 0.0 : 1.0;
    sums.lost += outcomes.violation(begin + i, choices[i]);
    sums.cost += table.cost[table.cell(begin + i, choices[i])];
  }
  return sums;
}

/// sum(part) / sum(whole) with the t interval that clusters give it.
CurveEstimate RatioOverClusters(const std::vector<double>& part, const std::vector<double>& whole,
                                double level) {
  double parts = 0.0;
  double wholes = 0.0;
  for (std::size_t k = 0; k < part.size(); ++k) {
    parts += part[k];
    wholes += whole[k];
  }
  const double ratio = parts / wholes;
  double squares = 0.0;
  for (std::size_t k = 0; k < part.size(); ++k) {
    const double off = part[k] - ratio * whole[k];
    squares += off * off;
  }
  const auto clusters = static_cast<double>(part.size());
  const double error = std::sqrt(clusters / (clusters - 1.0) * squares) / wholes;
  const double width = stats::StudentTQuantile((1.0 + level) / 2.0, clusters - 1.0) * error;
  return {ratio, {ratio - width, ratio + width}};
}

/// For a price of a success, what knowing all outcomes would save and lose.
CurveAction OracleAt(const PotentialOutcomes& outcomes, double price) {
  const OutcomeTable& table = *outcomes.table;
  double saved = 0.0;
  double lost = 0.0;
  double direct_cost = 0.0;
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    const std::size_t direct = table.cell(query, kDirect);
    ActionIndex best = kDirect;
    double least = 0.0;
    for (ActionIndex a = 1; a < table.num_actions(); ++a) {
      const double value =
          table.cost[direct + a] - table.cost[direct] + price * outcomes.violation(query, a);
      if (value < least) {
        least = value;
        best = a;
      }
    }
    direct_cost += table.cost[direct];
    saved += table.cost[direct] - table.cost[direct + best];
    lost += outcomes.violation(query, best);
  }
  return {"oracle", lost / static_cast<double>(table.num_queries()), saved / direct_cost};
}

std::vector<CurveAction> FixedActions(const PotentialOutcomes& outcomes) {
  const OutcomeTotals& totals = outcomes.totals;
  const auto queries = static_cast<double>(outcomes.table->num_queries());
  const double direct = totals.cost.col(kDirect).sum();
  std::vector<CurveAction> actions;
  for (Eigen::Index a = 0; a < totals.cost.cols(); ++a) {
    actions.push_back({outcomes.table->actions[static_cast<std::size_t>(a)],
                       totals.violations.col(a).sum() / queries,
                       1.0 - totals.cost.col(a).sum() / direct});
  }
  return actions;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

double SavedByMixture(const std::vector<CurveAction>& actions, double allowed) {
  double saved = 0.0;  // by always taking the reference
  for (const CurveAction& less : actions) {
    if (less.lost > allowed) continue;
    saved = std::max(saved, less.saved);
    for (const CurveAction& more : actions) {
      if (more.lost <= allowed) continue;
      const double share = (allowed - less.lost) / (more.lost - less.lost);
      saved = std::max(saved, (1.0 - share) * less.saved + share * more.saved);
    }
  }
  return saved;
}

Result<PriceCurve> DrawPriceCurve(const AskedProblem& asked, const Protocol& protocol,
                                  const Execution& execution) {
  const PotentialOutcomes& outcomes = asked.outcomes();
  const std::size_t clusters = asked.table().num_clusters();
  const std::unique_ptr<const PricedSuccess> priced =
      GONOGO_TRY(PricedSuccess::Make(protocol.learner, asked.problem()));
  std::vector<double> allowed;
  for (const double times : kAllowances) allowed.push_back(times * protocol.thresholds.kappa);
  const RngStream stream = RngStream(protocol.bootstrap.seed).Child("price curve");
  std::vector<ClusterSums> sums(clusters);
  ParallelFor(execution.jobs, clusters, [&](std::size_t k) {
    const stats::ClusterSplit split = stats::LeaveOneOut(clusters, k);
    const RngStream own = stream.Child(k);
    const auto tried = priced->Try(split, protocol.selector, own.Child("budget"), execution.stop);
    if (tried.empty()) return;
    const PricedSuccess::Pair pair = priced->Fit(split, own.Child("fit"), execution.stop);
    if (pair.failures == nullptr) return;
    std::vector<double> prices;
    for (const double loss : allowed) {
      prices.push_back(priced->prices()[PricedSuccess::Cheapest(tried, loss)]);
    }
    const auto choices = priced->ChoicesAt(pair, k, prices, protocol.selector);
    for (std::size_t i = 0; i < allowed.size(); ++i) {
      sums[k].push_back(SumsOf(outcomes, k, choices[i], prices[i]));
    }
  });
  if (execution.stop.stop_requested()) return Error{ErrorKind::kInterrupted, "stopped"};

  PriceCurve curve{.rate = outcomes.totals.success_price, .actions = FixedActions(outcomes)};
  std::vector<CurveAction> oracles = {OracleAt(outcomes, 1e6 * asked.problem().work_unit)};
  for (const double price : priced->prices()) oracles.push_back(OracleAt(outcomes, price));
  std::vector<double> direct(clusters);
  for (std::size_t k = 0; k < clusters; ++k) {
    direct[k] = outcomes.totals.cost(static_cast<Eigen::Index>(k), kDirect);
  }
  const std::vector<double>& queries = outcomes.totals.queries;
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    std::vector<double> departures(clusters);
    std::vector<double> lost(clusters);
    std::vector<double> saved(clusters);
    std::vector<double> prices(clusters);
    for (std::size_t k = 0; k < clusters; ++k) {
      departures[k] = sums[k][i].departures;
      lost[k] = sums[k][i].lost;
      saved[k] = direct[k] - sums[k][i].cost;
      prices[k] = sums[k][i].price;
    }
    const double level = protocol.bootstrap.level;
    CurvePoint point{.allowed = allowed[i],
                     .price = Median(prices),
                     .departs = RatioOverClusters(departures, queries, level).point,
                     .lost = RatioOverClusters(lost, queries, level),
                     .saved = RatioOverClusters(saved, direct, level)};
    // The others at what the adapter really loses, so that the three can be compared.
    const double at = std::max(point.lost.point, 0.0);
    point.random = SavedByMixture(curve.actions, at);
    point.oracle = SavedByMixture(oracles, at);
    curve.points.push_back(point);
  }
  return curve;
}

}  // namespace gonogo::audit
