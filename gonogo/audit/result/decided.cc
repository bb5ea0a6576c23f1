// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/decided.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/audit/estimands/potential_outcomes.h"
#include "gonogo/base/number_text.h"

namespace gonogo::audit {
namespace {

/// Share of what is cheaper that has to stay allowed.
constexpr double kMostStays = 0.5;

ComparatorSums OverFolds(const AuditResult& result) {
  ComparatorSums sums;
  for (const FoldResult& fold : result.folds) sums.Add(fold.sums);
  return sums;
}

}  // namespace

std::string ObjectiveInWords(const AuditResult& result) {
  const TableColumns& table = result.protocol.table;
  const bool has_objective = !table.objective.empty() || !table.unit.empty();
  if (!result.table.of_rewards && !has_objective) return "";
  const ComparatorSums sums = OverFolds(result);
  const double per_query = (result.table.of_rewards ? -1.0 : 1.0) / sums.queries;
  const std::string mean = fmt::format(
      "{:.4g} with the reference, {:.4g} with the best fixed action, {:.4g} with the adapter{}",
      per_query * sums.direct, per_query * sums.reference, per_query * sums.policy,
      table.unit.empty() ? "" : fmt::format(" ({} per query)", table.unit));
  if (result.table.of_rewards) {
    return fmt::format(
        "More is better: the reward is {}, and every gain is a share of what the reference earns "
        "(a lift). Mean reward: {}.",
        table.reward, mean);
  }
  const std::string& what = table.objective.empty() ? table.cost : table.objective;
  return fmt::format("Less is better: the cost is {}. Mean cost: {}.", what, mean);
}

ConstraintShares SharesOf(const OutcomeTable& table, const Protocol& protocol) {
  ConstraintShares shares;
  if (table.scored.has_value() || table.logged.has_value() || table.counts_net_success) {
    return shares;
  }
  const std::vector<std::uint8_t> eligible =
      ComputeEligibility(table, protocol.time_budget, protocol.time_tolerance);
  const bool given = !table.eligible.empty();
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    const std::size_t direct = table.cell(query, kDirect);
    bool cheaper = false;
    bool cheaper_free = false;
    for (std::size_t cell = direct + 1; cell < direct + table.num_actions(); ++cell) {
      if (eligible[cell] == 0) shares.forbidden += 1.0;
      if (!given && !table.success.empty() && table.success[cell] < table.success[direct]) {
        shares.by_success += 1.0;
      }
      if (!given && !table.time.empty() &&
          !(table.time[cell] <=
            protocol.time_budget * table.time[direct] + protocol.time_tolerance)) {
        shares.by_time += 1.0;
      }
      const bool saves = table.cost[cell] < table.cost[direct];
      cheaper = cheaper || saves;
      cheaper_free = cheaper_free || (saves && eligible[cell] != 0);
    }
    shares.cheaper += cheaper ? 1.0 : 0.0;
    shares.cheaper_free += cheaper_free ? 1.0 : 0.0;
  }
  const auto queries = static_cast<double>(table.num_queries());
  const double alternatives = queries * static_cast<double>(table.num_candidates());
  for (double* share : {&shares.by_success, &shares.by_time, &shares.forbidden}) {
    *share /= alternatives;
  }
  shares.cheaper /= queries;
  shares.cheaper_free /= queries;
  return shares;
}

std::string ConstraintsInWords(const OutcomeTable& table, const Protocol& protocol,
                               const ConstraintShares& shares) {
  if (shares.forbidden == 0.0) return "";
  if (!table.eligible.empty()) {
    return fmt::format("column '{}' forbids {} of the alternatives to the reference '{}'",
                       protocol.table.eligible, Percent(shares.forbidden, 1),
                       table.actions[kDirect]);
  }
  std::vector<std::string> parts;
  if (shares.by_time > 0.0) {
    parts.push_back(fmt::format("{} <= {} x {} forbids {}", protocol.table.time,
                                Decimal(protocol.time_budget, 2), table.actions[kDirect],
                                Percent(shares.by_time, 1)));
  }
  if (shares.by_success > 0.0) {
    parts.push_back(fmt::format("{} where {} succeeds forbids {}", protocol.table.success,
                                table.actions[kDirect], Percent(shares.by_success, 1)));
  }
  return fmt::format(
      "{} of the alternatives to the reference '{}'{}", fmt::join(parts, ", "),
      table.actions[kDirect],
      parts.size() > 1 ? fmt::format(", together {}", Percent(shares.forbidden, 1)) : "");
}

bool CostsOnlyShift(const OutcomeTable& table) {
  if (table.scored.has_value() || table.logged.has_value() || table.prices_success) return false;
  constexpr double kRounding = 1e-9;
  for (std::size_t query = 1; query < table.num_queries(); ++query) {
    for (ActionIndex a = 1; a < table.num_actions(); ++a) {
      const double here = table.cost[table.cell(query, a)] - table.cost[table.cell(query, kDirect)];
      const double first = table.cost[a] - table.cost[kDirect];
      if (std::abs(here - first) > kRounding * std::abs(table.cost[table.cell(query, kDirect)])) {
        return false;
      }
    }
  }
  return true;
}

bool ConstraintsDecide(const ConstraintShares& shares) {
  return shares.cheaper > 0.0 && shares.cheaper_free < kMostStays * shares.cheaper;
}

}  // namespace gonogo::audit
