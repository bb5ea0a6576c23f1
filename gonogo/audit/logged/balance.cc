// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/logged/balance.h"

#include <cmath>

#include <fmt/format.h>

#include "gonogo/base/number_text.h"
#include "gonogo/stats/distributions.h"

namespace gonogo::audit {
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
  return {.feature = {},
          .difference = sum / static_cast<double>(log.num_queries()),
          .standard_errors = error > 0.0 ? sum / error : 0.0};
}

}  // namespace

std::vector<ActionBalance> MeasureBalance(const OutcomeTable& log,
                                          std::span<const double> propensity) {
  std::vector<ActionBalance> balance(log.num_actions());
  for (const FeatureGroup& group : log.features) {
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
  for (const FeatureGroup& group : log.features) features += group.columns.size();
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
