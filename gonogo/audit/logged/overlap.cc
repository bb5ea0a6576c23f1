// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/logged/overlap.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "gonogo/audit/learners/encoding.h"
#include "gonogo/audit/protocol/learner_config.h"
#include "gonogo/base/number_text.h"
#include "gonogo/stats/distributions.h"

namespace gonogo::audit {
namespace {

constexpr double kCertain = 1.0 - 1e-9;
constexpr double kFalseAlarm = 0.001;  // that right propensities are refused, over all actions
constexpr double kExact = 1e-6;        // for designs in which nothing varies over clusters
constexpr double kFewEffective = 0.1;  // of the queries
constexpr double kHeavyWeight = 0.05;  // of all weights, on one try

struct WeightSums {
  double sum = 0.0;
  double squares = 0.0;
  void Add(double weight) {
    sum += weight;
    squares += weight * weight;
  }
  [[nodiscard]] double effective() const { return squares > 0.0 ? sum * sum / squares : 0.0; }
};

/// Excess of the weights over the queries, in every cluster: zero on average.
void AddMeanWeight(const OutcomeTable& log, std::span<const double> propensity, ActionIndex action,
                   ActionOverlap& overlap) {
  const auto clusters = static_cast<double>(log.num_clusters());
  const auto queries = static_cast<double>(log.num_queries());
  std::vector<double> excess;
  double sum = 0.0;
  for (std::size_t k = 0; k < log.num_clusters(); ++k) {
    const QueryRange range = log.queries_of(k);
    double own = -static_cast<double>(range.size());
    for (std::size_t query = range.begin; query < range.end; ++query) {
      if (log.logged->action[query] == action) own += 1.0 / propensity[query];
    }
    excess.push_back(own);
    sum += own;
  }
  double squares = 0.0;
  for (const double own : excess) squares += (own - sum / clusters) * (own - sum / clusters);
  overlap.mean_weight = 1.0 + sum / queries;
  overlap.mean_weight_error = std::sqrt(clusters / (clusters - 1.0) * squares) / queries;
}

bool EachClusterHasOneAction(const OutcomeTable& log) {
  bool several = false;
  for (std::size_t k = 0; k < log.num_clusters(); ++k) {
    const QueryRange range = log.queries_of(k);
    several = several || range.size() > 1;
    const auto first = log.logged->action.begin() + static_cast<long>(range.begin);
    const auto end = log.logged->action.begin() + static_cast<long>(range.end);
    if (std::any_of(first, end, [&](ActionIndex action) { return action != *first; })) return false;
  }
  return several;
}

/// Fewest clusters in which the action was tried, over what is left when a fold is taken out.
std::size_t ClustersOutsideAFold(const OutcomeTable& log, ActionIndex action,
                                 std::span<const std::size_t> fold_of_cluster) {
  const std::size_t folds = 1 + *std::max_element(fold_of_cluster.begin(), fold_of_cluster.end());
  std::vector<std::size_t> tried_in(folds, 0);
  std::size_t all = 0;
  for (std::size_t k = 0; k < log.num_clusters(); ++k) {
    const QueryRange range = log.queries_of(k);
    const auto first = log.logged->action.begin() + static_cast<long>(range.begin);
    const auto end = log.logged->action.begin() + static_cast<long>(range.end);
    if (std::find(first, end, action) == end) continue;
    ++all;
    ++tried_in[fold_of_cluster[k]];
  }
  return all - *std::max_element(tried_in.begin(), tried_in.end());
}

Status CheckCertainty(const OutcomeTable& log, std::span<const double> propensity) {
  std::size_t certain = 0;
  for (const double p : propensity) certain += p >= kCertain ? 1 : 0;
  if (certain == 0) return {};
  return InputError(
      "{} of {} queries have a propensity of 1: what was tried there was certain, so nothing says "
      "what another action would have done. A deterministic log cannot be audited; draw actions at "
      "random, with every action possible at every query",
      certain, log.num_queries());
}

Status CheckFrequencies(const OutcomeTable& log, const LogOverlap& overlap) {
  const auto clusters = static_cast<double>(log.num_clusters());
  const double alpha = kFalseAlarm / 2.0 / static_cast<double>(log.num_actions());
  const double quantile = stats::StudentTQuantile(1.0 - alpha, clusters - 1.0);
  for (std::size_t action = 0; action < log.num_actions(); ++action) {
    const ActionOverlap& own = overlap.actions[action];
    const double off = std::abs(own.mean_weight - 1.0);
    if (off <= kExact + quantile * own.mean_weight_error) continue;
    return InputError(
        "the propensities contradict how often '{}' was tried: {} of {} queries, which should sum "
        "to about {} queries when each counts 1 / propensity, and sum to {} (standard error over "
        "clusters {}). Is the column the probability of the action in that row, at the time it was "
        "drawn? Was '{}' impossible at some of the queries?",
        log.actions[action], own.tries, log.num_queries(), log.num_queries(),
        Decimal(own.mean_weight * static_cast<double>(log.num_queries()), 1),
        Decimal(own.mean_weight_error * static_cast<double>(log.num_queries()), 1),
        log.actions[action]);
  }
  return {};
}

}  // namespace

LogOverlap MeasureOverlap(const OutcomeTable& log, std::span<const double> propensity) {
  LogOverlap overlap{.actions = std::vector<ActionOverlap>(log.num_actions())};
  std::vector<WeightSums> by_action(log.num_actions());
  std::vector<double> heaviest(log.num_actions(), 0.0);
  WeightSums whole;
  for (std::size_t k = 0; k < log.num_clusters(); ++k) {
    const QueryRange range = log.queries_of(k);
    WeightSums cluster;
    std::vector<bool> tried(log.num_actions(), false);
    for (std::size_t query = range.begin; query < range.end; ++query) {
      const ActionIndex action = log.logged->action[query];
      const double weight = 1.0 / propensity[query];
      cluster.Add(weight);
      whole.Add(weight);
      by_action[action].Add(weight);
      heaviest[action] = std::max(heaviest[action], weight);
      ActionOverlap& own = overlap.actions[action];
      ++own.tries;
      own.least_propensity = std::min(own.least_propensity, propensity[query]);
      if (!tried[action]) ++own.clusters;
      tried[action] = true;
    }
    overlap.cluster_effective.push_back(cluster.effective());
  }
  overlap.effective_queries = whole.effective();
  for (ActionIndex action = 0; action < log.num_actions(); ++action) {
    ActionOverlap& own = overlap.actions[action];
    own.effective_tries = by_action[action].effective();
    if (own.tries > 0) own.largest_weight = heaviest[action] / by_action[action].sum;
    AddMeanWeight(log, propensity, action, own);
  }
  return overlap;
}

Status CheckOverlap(const OutcomeTable& log, const Propensities& propensities,
                    const LogOverlap& overlap, std::span<const std::size_t> fold_of_cluster) {
  for (ActionIndex action = 0; action < log.num_actions(); ++action) {
    const std::string& name = log.actions[action];
    if (overlap.actions[action].tries == 0) {
      return InputError("action '{}' was never tried in this log: leave it out, or try it", name);
    }
    if (ClustersOutsideAFold(log, action, fold_of_cluster) >= 2) continue;
    return InputError(
        "action '{}' was tried in {} of {} clusters, too few to predict it in the others: expected "
        "tries in at least two clusters outside every fold of clusters",
        name, overlap.actions[action].clusters, log.num_clusters());
  }
  if (EachClusterHasOneAction(log)) {
    return InputError(
        "in every cluster a single action was tried: whole clusters were given one action each, so "
        "that nothing compares actions within a cluster. Draw the action for each query on its "
        "own, "
        "or make larger groups the clusters");
  }
  if (propensities.source == PropensitySource::kEstimated) return {};
  GONOGO_TRY(CheckCertainty(log, propensities.of_tried));
  return CheckFrequencies(log, overlap);
}

std::vector<std::string> OverlapRemarks(const OutcomeTable& log, const LogOverlap& overlap) {
  std::vector<std::string> remarks;
  const auto queries = static_cast<double>(log.num_queries());
  for (std::size_t action = 0; action < log.num_actions(); ++action) {
    const ActionOverlap& own = overlap.actions[action];
    const double fair = queries / static_cast<double>(log.num_actions());
    if (own.largest_weight > kHeavyWeight) {
      remarks.push_back(fmt::format(
          "weak overlap: one try of '{}' has {} of the weight of all of them (propensity {}): its "
          "cost rests on very few tries",
          log.actions[action], Percent(own.largest_weight), Decimal(own.least_propensity, 4)));
    } else if (own.effective_tries < kFewEffective * fair) {
      remarks.push_back(fmt::format(
          "weak overlap: '{}' was tried {} times, worth {} tries under equal probabilities, of {} "
          "queries",
          log.actions[action], own.tries, Decimal(own.effective_tries, 1), log.num_queries()));
    }
  }
  return remarks;
}

namespace {

constexpr double kFalseAlarmOfBalance = 0.001;

/// One feature of every query, minus its mean, over its standard deviation; empty where it never
/// varies.
std::vector<double> Standardised(const FeatureGroup& group, Eigen::Index column) {
  const auto queries = static_cast<double>(group.values.rows());
  double mean = 0.0;
  for (Eigen::Index i = 0; i < group.values.rows(); ++i) mean += group.values(i, column) / queries;
  double variance = 0.0;
  std::vector<double> values;
  for (Eigen::Index i = 0; i < group.values.rows(); ++i) {
    values.push_back(group.values(i, column) - mean);
    variance += values.back() * values.back() / queries;
  }
  if (!(variance > 0.0)) return {};
  for (double& value : values) value /= std::sqrt(variance);
  return values;
}

/// Fewer expected tries than this at the rarer of two values: counts of so few are not normal, and
/// where none was tried no cluster varies, so that a standard error would be next to nothing.
constexpr double kFewExpected = 30.0;

/// Log of the probability of `hits` among `draws` at `share` each.
double LogBinomial(double hits, double draws, double share) {
  int sign = 0;  // std::lgamma would write it to a variable that all threads share
  const double ways = lgamma_r(draws + 1.0, &sign) - lgamma_r(hits + 1.0, &sign) -
                      lgamma_r(draws - hits + 1.0, &sign);
  return ways + hits * std::log(share) + (draws - hits) * std::log1p(-share);
}

/// Two-sided, exact: twice the smaller tail.
double BinomialTest(std::size_t hits, std::size_t draws, double share) {
  double below = 0.0;
  double above = 0.0;
  for (std::size_t i = 0; i <= draws; ++i) {
    const double chance =
        std::exp(LogBinomial(static_cast<double>(i), static_cast<double>(draws), share));
    if (i <= hits) below += chance;
    if (i >= hits) above += chance;
  }
  return std::min(1.0, 2.0 * std::min(below, above));
}

/// How unusual the number of tries at the rarer value of a feature of two values is, where the
/// action was tried with the same probability everywhere and few tries were to be expected: in
/// standard errors of the t distribution that have the exact probability. Nothing elsewhere.
std::optional<double> ExactWhereRare(const OutcomeTable& log, std::span<const double> propensity,
                                     ActionIndex action, const std::vector<double>& feature) {
  const double low = *std::min_element(feature.begin(), feature.end());
  const double high = *std::max_element(feature.begin(), feature.end());
  const auto is_high = [&](double value) { return value == high; };
  const auto highs =
      static_cast<std::size_t>(std::count_if(feature.begin(), feature.end(), is_high));
  const bool rare_is_high = 2 * highs <= feature.size();
  const double rare = rare_is_high ? high : low;
  std::size_t draws = 0;
  std::size_t hits = 0;
  std::optional<double> share;
  for (std::size_t query = 0; query < feature.size(); ++query) {
    if (feature[query] != low && feature[query] != high) return std::nullopt;
    const bool tried = log.logged->action[query] == action;
    if (tried && share.value_or(propensity[query]) != propensity[query]) return std::nullopt;
    if (tried) share = propensity[query];
    if (feature[query] != rare) continue;
    ++draws;
    hits += tried ? 1 : 0;
  }
  if (!share || *share >= 1.0 || *share * static_cast<double>(draws) >= kFewExpected) {
    return std::nullopt;
  }
  const double p = std::max(BinomialTest(hits, draws, *share), 1e-15);
  if (p >= 1.0) return 0.0;
  const double degrees = static_cast<double>(log.num_clusters()) - 1.0;
  const double more = static_cast<double>(hits) > *share * static_cast<double>(draws) ? 1.0 : -1.0;
  return (rare_is_high ? more : -more) * stats::StudentTQuantile(1.0 - p / 2.0, degrees);
}

/// Of one action and one feature: the weighted sum over the tries is zero on average.
ActionBalance BalanceOf(const OutcomeTable& log, std::span<const double> propensity,
                        ActionIndex action, const std::vector<double>& feature) {
  const auto clusters = static_cast<double>(log.num_clusters());
  std::vector<double> own(log.num_clusters(), 0.0);
  double sum = 0.0;
  for (std::size_t k = 0; k < log.num_clusters(); ++k) {
    const QueryRange range = log.queries_of(k);
    for (std::size_t query = range.begin; query < range.end; ++query) {
      if (log.logged->action[query] == action) own[k] += feature[query] / propensity[query];
    }
    sum += own[k];
  }
  double squares = 0.0;
  for (const double one : own) squares += (one - sum / clusters) * (one - sum / clusters);
  const double error = std::sqrt(clusters / (clusters - 1.0) * squares);
  const std::optional<double> exact = ExactWhereRare(log, propensity, action, feature);
  return {.feature = {},
          .difference = sum / static_cast<double>(log.num_queries()),
          .standard_errors = exact.value_or(error > 0.0 ? sum / error : 0.0)};
}

}  // namespace

std::vector<ActionBalance> MeasureBalance(const OutcomeTable& log,
                                          std::span<const double> propensity) {
  std::vector<ActionBalance> balance(log.num_actions());
  for (const FeatureGroup& group : EncodedFeatures(log, LearnerConfig{}.levels)) {
    for (Eigen::Index j = 0; j < group.values.cols(); ++j) {
      const std::vector<double> feature = Standardised(group, j);
      if (feature.empty()) continue;
      for (ActionIndex action = 0; action < log.num_actions(); ++action) {
        ActionBalance own = BalanceOf(log, propensity, action, feature);
        ActionBalance& worst = balance[action];
        const bool further = std::abs(own.standard_errors) > std::abs(worst.standard_errors);
        if (!worst.feature.empty() && !further) continue;
        own.feature = group.columns[static_cast<std::size_t>(j)];
        worst = std::move(own);
      }
    }
  }
  return balance;
}

std::vector<std::string> BalanceRemarks(const OutcomeTable& log,
                                        std::span<const ActionBalance> balance) {
  std::size_t features = 0;
  for (const FeatureGroup& group : EncodedFeatures(log, LearnerConfig{}.levels)) {
    features += group.columns.size();
  }
  if (features == 0) return {};
  const double alpha = kFalseAlarmOfBalance / 2.0 / static_cast<double>(features * balance.size());
  const double quantile =
      stats::StudentTQuantile(1.0 - alpha, static_cast<double>(log.num_clusters()) - 1.0);
  std::vector<std::string> remarks;
  for (std::size_t action = 0; action < balance.size(); ++action) {
    const ActionBalance& own = balance[action];
    if (std::abs(own.standard_errors) <= quantile) continue;
    remarks.push_back(fmt::format(
        "out of balance: where '{}' was tried, counted by 1 / propensity, '{}' is {} standard "
        "deviations {} than over all queries, more than chance explains ({} standard errors): did "
        "it have a part in what was tried that the propensities leave out?",
        log.actions[action], own.feature, Decimal(std::abs(own.difference), 2),
        own.difference > 0.0 ? "higher" : "lower", Decimal(std::abs(own.standard_errors), 1)));
  }
  return remarks;
}

}  // namespace gonogo::audit
