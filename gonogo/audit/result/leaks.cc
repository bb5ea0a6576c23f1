// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "gonogo/audit/result/doubts.h"
#include "gonogo/audit/result/feature_columns.h"
#include "gonogo/base/number_text.h"
#include "gonogo/stats/moments.h"

namespace gonogo::audit {
namespace {

constexpr double kDetermines = 0.97;  // `Determines` of a leak
constexpr double kLeftOpen = 0.2;     // of the variation that the best other feature leaves open
constexpr double kLevelGap = 0.03;    // between the actions whose cost a leak tells best and least
constexpr double kNamesBest = 0.98;   // of the queries at which it names the best action
constexpr std::size_t kMostQueries = 4096;  // that leaks are looked for in

/// Something a feature may give away, at some of the queries.
struct Target {
  std::string name;
  std::vector<double> values;
  bool is_level = false;  ///< a cost, which honest features of a query tell for all actions alike
};

/// First the costs of all actions, then those of all but the reference over it.
std::vector<Target> TargetsOf(const OutcomeTable& table, const std::vector<std::size_t>& queries) {
  std::vector<Target> targets;
  for (const bool is_level : {true, false}) {
    for (ActionIndex action = is_level ? 0 : 1; action < table.num_actions(); ++action) {
      Target target{.name = fmt::format("what “{}” costs{}", table.actions[action],
                                        is_level ? "" : " against the reference"),
                    .is_level = is_level};
      for (const std::size_t query : queries) {
        const double direct = table.cost[table.cell(query, kDirect)];
        const double own = table.cost[table.cell(query, action)];
        target.values.push_back(is_level || !(direct > 0.0) ? own : own / direct);
      }
      targets.push_back(std::move(target));
    }
  }
  return targets;
}

/// Whether a feature of a few values names the best action: each value stands for one action.
bool NamesTheBest(const std::vector<double>& feature, const std::vector<ActionIndex>& best,
                  std::size_t actions) {
  std::map<double, std::map<ActionIndex, std::size_t>> chosen;
  for (std::size_t i = 0; i < feature.size(); ++i) {
    ++chosen[feature[i]][best[i]];
    if (chosen.size() > actions) return false;
  }
  std::set<ActionIndex> named;
  std::size_t right = 0;
  for (const auto& [value, counts] : chosen) {
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](auto& a, auto& b) { return a.second < b.second; });
    named.insert(most->first);
    right += most->second;
  }
  return named.size() >= 2 && named.size() == chosen.size() &&
         static_cast<double>(right) >= kNamesBest * static_cast<double>(feature.size());
}

Doubt LeakDoubt(const std::string& feature, const std::string& what) {
  return {.kind = kDoubts[2],
          .what = fmt::format("the feature “{}” alone tells {}", feature, what),
          .check =
              "If it is known before the action is chosen, all is well. If it is recorded "
              "afterwards, every adapter looks good that cannot have it: take it out then"};
}

std::vector<std::size_t> OrderOf(const std::vector<double>& x) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  return order;
}

double DeterminesIn(const std::vector<std::size_t>& order, const std::vector<double>& y) {
  const double mean = stats::Mean(y);
  double steps = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    squares += (y[i] - mean) * (y[i] - mean);
    if (i + 1 < y.size()) steps += std::pow(y[order[i]] - y[order[i + 1]], 2);
  }
  return squares > 0.0 ? 1.0 - steps / (2.0 * squares) : 0.0;
}

}  // namespace

double Determines(const std::vector<double>& x, const std::vector<double>& y) {
  return DeterminesIn(OrderOf(x), y);
}

std::vector<Doubt> FindLeaks(const PotentialOutcomes& outcomes) {
  const OutcomeTable& table = *outcomes.table;
  const std::vector<TableFeature> columns = FeatureColumns(table);
  if (table.scored.has_value() || columns.size() < 2) return {};
  std::vector<std::size_t> queries;
  const std::size_t step = 1 + (table.num_queries() - 1) / kMostQueries;
  for (std::size_t query = 0; query < table.num_queries(); query += step) queries.push_back(query);
  const std::vector<Target> targets = TargetsOf(table, queries);
  std::vector<ActionIndex> best(queries.size());
  std::transform(queries.begin(), queries.end(), best.begin(),
                 [&](std::size_t query) { return outcomes.oracle[query]; });
  std::vector<Doubt> doubts;
  std::vector<std::vector<double>> found;  // by feature
  for (const TableFeature& column : columns) {
    std::vector<double> feature;
    for (const std::size_t query : queries) {
      const double value = column.at(query);
      feature.push_back(std::isnan(value) ? -HUGE_VAL : value);  // missing: a value of its own
    }
    const std::vector<std::size_t> order = OrderOf(feature);
    found.emplace_back();
    for (const Target& target : targets) {
      found.back().push_back(DeterminesIn(order, target.values));
    }
    if (NamesTheBest(feature, best, table.num_actions())) {
      doubts.push_back(LeakDoubt(column.name, "which action is the best"));
    }
  }
  const auto levels = static_cast<long>(table.num_actions());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (std::size_t t = 1; t < targets.size(); ++t) {
      const double own = found[j][t];
      if (own < kDetermines) continue;
      double others = 0.0;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (i != j) others = std::max(others, found[i][t]);
      }
      const double least = *std::min_element(found[j].begin(), found[j].begin() + levels);
      if (1.0 - own > kLeftOpen * (1.0 - others)) continue;
      if (targets[t].is_level && least > own - kLevelGap) continue;
      doubts.push_back(LeakDoubt(
          columns[j].name, fmt::format("{} ({} of its variation; no other feature more than {})",
                                       targets[t].name, Percent(own, 0), Percent(others, 0))));
      break;
    }
  }
  return doubts;
}

}  // namespace gonogo::audit
