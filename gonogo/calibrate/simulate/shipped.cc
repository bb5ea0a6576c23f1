// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/simulate/shipped.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "gonogo/audit/estimands/estimands.h"
#include "gonogo/audit/refit/audit_tasks.h"
#include "gonogo/audit/rules/calibrated/gain.h"
#include "gonogo/audit/rules/calibrated/reference.h"
#include "gonogo/audit/rules/calibrated/terms.h"
#include "gonogo/audit/rules/rule.h"
#include "gonogo/audit/rules/verdict.h"
#include "gonogo/audit/rules/violations/rate.h"
#include "gonogo/audit/table/asked_table.h"
#include "gonogo/audit/table/columns.h"
#include "gonogo/base/check.h"

namespace gonogo::calibrate {
namespace {

using audit::ActionIndex;

/// What an adapter, and every fixed action, does at queries that were not audited.
struct FieldSums {
  explicit FieldSums(std::size_t actions)
      : fixed(Eigen::ArrayXd::Zero(static_cast<Eigen::Index>(actions))),
        broken(fixed),
        chosen(fixed) {}

  double queries = 0.0;
  double policy = 0.0;  ///< cost of the choices
  double violations = 0.0;
  Eigen::ArrayXd fixed;   ///< cost of every action, issued always
  Eigen::ArrayXd broken;  ///< violations of it
  Eigen::ArrayXd chosen;  ///< how often it was chosen
};

Truth TruthOf(const FieldSums& sums, ActionIndex stable, ActionIndex argmin, double kappa) {
  double best = sums.fixed[audit::kDirect];
  for (Eigen::Index a = 0; a < sums.fixed.size(); ++a) {
    if (sums.broken[a] / sums.queries <= kappa) best = std::min(best, sums.fixed[a]);
  }
  const auto against = [&](double reference) {
    return audit::RelativeGain(sums.policy, reference);
  };
  return {.h_total = against(sums.fixed[audit::kDirect]),
          .h_alloc = against((sums.chosen * sums.fixed).sum() / sums.queries),
          .h_dep = against(sums.fixed[static_cast<Eigen::Index>(stable)]),
          .h_dep_argmin = against(sums.fixed[static_cast<Eigen::Index>(argmin)]),
          .h_dep_best = against(best),
          .q = sums.violations / sums.queries};
}

/// Outcomes of every action behind the scores of a log.
void AppendToScores(const audit::OutcomeTable& fresh, audit::ScoredOutcomes& scores) {
  if (!scores.violation.empty()) {
    scores.violation.resize(scores.violation.size() + fresh.cost.size(), 0.0);
    std::transform(fresh.eligible.begin(), fresh.eligible.end(),
                   scores.violation.end() - static_cast<std::ptrdiff_t>(fresh.eligible.size()),
                   [](std::uint8_t eligible) { return 1.0 - eligible; });
  }
  scores.predicted.insert(scores.predicted.end(), fresh.cost.begin(), fresh.cost.end());
  scores.seen.insert(scores.seen.end(), fresh.cost.begin(), fresh.cost.end());
  scores.weight.resize(scores.seen.size(), 1.0);
}

/// The clusters of `fresh` behind those of `table`, so that a learner that is trained on the first
/// predicts at the others through its usual interface. Both come from the same world.
audit::OutcomeTable JoinTables(const audit::OutcomeTable& table, const audit::OutcomeTable& fresh) {
  audit::OutcomeTable both = table;
  const std::size_t before = table.num_queries();
  for (std::size_t k = 0; k < fresh.num_clusters(); ++k) {
    both.clusters.push_back("fresh " + fresh.clusters[k]);
    both.cluster_begin.push_back(before + fresh.cluster_begin[k + 1]);
  }
  both.queries.clear();  // names may be in both
  audit::ForEachColumnOfBoth(
      both, fresh, [&](const audit::ColumnInfo& info, auto& column, const auto& added) {
        using Column = std::remove_reference_t<decltype(column)>;
        if constexpr (audit::kIsFeatures<Column>) {
          column.values.conservativeResize(column.values.rows() + added.values.rows(),
                                           Eigen::NoChange);
          column.values.bottomRows(added.values.rows()) = added.values;
        } else if constexpr (audit::kIsValues<Column>) {
          // Of a log the scores stand for all outcomes but the cost.
          const bool scored = info.of == audit::ColumnOf::kOutcomes && both.scored.has_value();
          if (!scored || info.holds == audit::Holds::kCost) {
            column.insert(column.end(), added.begin(), added.end());
          }
        }
      });
  if (both.scored.has_value()) AppendToScores(fresh, *both.scored);
  return both;
}

/// Fresh queries as a cluster with the columns of `like`. Its outcomes, all one, enter neither
/// training nor truth.
audit::OutcomeTable AsTable(const FreshQueries& fresh, const audit::OutcomeTable& like) {
  const std::size_t cells = fresh.violation.size() * like.num_actions();
  audit::OutcomeTable table{.actions = like.actions, .clusters = {"queries"}};
  table.cluster_begin = {0, fresh.violation.size()};
  table.cost.assign(cells, 1.0);
  if (!like.time.empty()) table.time.assign(cells, 1.0);
  if (!like.success.empty()) table.success.assign(cells, 1);
  if (!like.eligible.empty()) table.eligible.assign(cells, 1);
  table.features.push_back({.name = "x", .columns = {}, .values = fresh.context});
  return table;
}

/// The table with the protocol's question put to it.
Result<audit::OutcomeTable> Asked(const audit::OutcomeTable& table,
                                  const audit::Protocol& protocol) {
  const std::optional<audit::OutcomeTable> asked = GONOGO_TRY(audit::AskedTable(table, protocol));
  return asked.value_or(table);
}

/// The adapter of an audit, trained on all of its clusters, where it was not audited.
class Shipped {
 public:
  static Result<std::unique_ptr<const Shipped>> Train(const audit::OutcomeTable& audited,
                                                      const audit::OutcomeTable& elsewhere,
                                                      const audit::Protocol& protocol) {
    std::unique_ptr<Shipped> made(new Shipped);
    made->joined_ = JoinTables(audited, elsewhere);
    audit::Protocol usual = protocol;
    usual.question = {};  // was put to both of them
    made->asked_ = GONOGO_TRY(audit::AskedProblem::Open(made->joined_, usual, {.jobs = 1}));
    made->trained_.assign(made->joined_.num_clusters(), 0);
    std::fill_n(made->trained_.begin(), audited.num_clusters(), 1U);
    made->audited_ = audited.num_clusters();
    made->adapter_ = *audit::FitAdapter(made->asked_->problem(), made->asked_->learner(),
                                        audit::GateOf(protocol),
                                        {{made->trained_}, audit::ShippedStream(protocol)});
    return std::unique_ptr<const Shipped>(std::move(made));
  }

  /// Its choices in a cluster of `elsewhere`.
  [[nodiscard]] std::vector<ActionIndex> ChooseIn(std::size_t cluster) const {
    return adapter_.ChooseIn(asked_->problem(), audited_ + cluster);
  }

  /// What they come to there.
  [[nodiscard]] audit::ChoiceTotals TotalsIn(std::size_t cluster) const {
    audit::ChoiceTotals totals =
        audit::SummariseChoices(asked_->outcomes(), audited_ + cluster, ChooseIn(cluster));
    totals.cluster = static_cast<std::uint32_t>(cluster);
    return totals;
  }

  /// The fixed actions that the audited clusters choose.
  [[nodiscard]] ActionIndex Stable(double kappa) const {
    return audit::SelectStableAction(asked_->outcomes().totals, trained_, kappa);
  }
  [[nodiscard]] ActionIndex Argmin(double kappa) const {
    return audit::SelectFixedAction(asked_->outcomes().totals, trained_, kappa);
  }

 private:
  Shipped() = default;

  audit::OutcomeTable joined_;
  std::unique_ptr<const audit::AskedProblem> asked_;
  std::vector<std::uint32_t> trained_;
  std::size_t audited_ = 0;
  audit::FittedAdapter adapter_;
};

/// Choices that were given, not fitted: one replicate that was trained on nothing, which leaves the
/// plain cluster standard error.
audit::ChannelBounds Plain(const audit::GainTerms& terms, const audit::BoundWidths& widths) {
  const std::vector<std::size_t> once = {0};
  const auto gain = audit::EstimateGain(terms, once);
  if (!gain.has_value()) return {};
  const double reach = widths.go * gain->shipped_se;
  return {.point = gain->point,
          .interval = {gain->point - reach, gain->point + reach},
          .refuting = gain->point + widths.refute * gain->shipped_se};
}

/// Tests the adapter on clusters that nobody else has; they are the first ones it is shipped to.
/// Gains have plain cluster t intervals, q the upper bound that the rules use.
RuleOutcome AskOracle(const Shipped& shipped, const audit::OutcomeTable& fresh,
                      const audit::Protocol& protocol) {
  const audit::OutcomeTotals totals =
      audit::DeriveOutcomes(fresh, protocol.time_budget, protocol.time_tolerance).totals;
  audit::Refit given{.split = {std::vector<std::uint32_t>(fresh.num_clusters(), 0)}};
  for (std::size_t k = 0; k < fresh.num_clusters(); ++k) {
    given.held_out.push_back(shipped.TotalsIn(k));
  }
  const std::vector<audit::Refit> evidence = {given};
  const audit::BoundWidths widths =
      audit::StudentWidths(fresh.num_clusters(), protocol.bootstrap.level);
  const auto against = [&](ActionIndex action) {
    const std::vector<ActionIndex> fixed = {action};
    return Plain(audit::FixedActionTerms(totals, evidence, fixed, 0.0), widths);
  };
  audit::RuleAnswer answer;
  answer.bounds = {.deployment = against(shipped.Stable(protocol.thresholds.kappa)),
                   .allocation = Plain(audit::MixtureTerms(totals, evidence, 0.0).total, widths),
                   .violation = {},
                   .total = against(audit::kDirect),
                   .total_must_gain = true};
  // The terms of a rate are violations over queries: one minus a gain.
  const audit::ChannelBounds kept = Plain(audit::ViolationTerms(totals, evidence), widths);
  answer.bounds.violation = {.point = 1.0 - kept.point,
                             .interval = {1.0 - kept.interval.upper, 1.0 - kept.interval.lower},
                             .refuting = 1.0 - kept.refuting};
  if (!totals.counts_net_success) {
    // A plain t bound misses q in up to a fifth of the data sets: no yardstick for one that holds.
    std::vector<audit::ClusterEvents> events;
    for (const audit::ChoiceTotals& choices : given.held_out) {
      events.push_back({totals.queries[choices.cluster], choices.violations});
    }
    const audit::UpperRate upper =
        audit::BoundRate(events, audit::SatisfyingAlpha(protocol.bootstrap.level),
                         {protocol.rule.icc, protocol.rule.least_icc});
    answer.bounds.violation.interval.upper = upper.bound;
  }
  answer.decision = audit::Decide(answer.bounds, protocol.thresholds);
  return OutcomeOf(answer);
}

/// The truth at one cluster that is made of fresh queries.
Truth TruthAt(const SyntheticWorld& world, const FreshQueries& fresh, const Shipped& shipped,
              std::size_t cluster, const audit::Protocol& protocol) {
  const double kappa = protocol.thresholds.kappa;
  FreshQueries judged;
  const bool is_free = protocol.question.constraint == audit::Constraint::kNone;
  if (is_free) judged = {.cost = fresh.cost, .violation = std::vector(fresh.violation.size(), 0.0)};
  return EvaluateChoices(world, is_free ? judged : fresh, shipped.ChooseIn(cluster),
                         shipped.Stable(kappa), shipped.Argmin(kappa), kappa);
}

/// The truth at clusters of outcomes, from number `first` on.
Truth TruthAt(const audit::OutcomeTable& rest, const Shipped& shipped, std::size_t first,
              const audit::Protocol& protocol) {
  const audit::OutcomeTotals totals =
      audit::DeriveOutcomes(rest, protocol.time_budget, protocol.time_tolerance).totals;
  FieldSums sums(rest.num_actions());
  for (std::size_t k = 0; k < rest.num_clusters(); ++k) {
    const audit::ChoiceTotals choices = shipped.TotalsIn(first + k);
    const auto row = static_cast<Eigen::Index>(k);
    sums.policy += audit::PolicyCost(choices);
    sums.violations += choices.violations;
    sums.queries += totals.queries[k];
    sums.fixed += totals.cost.row(row).transpose();
    sums.broken += totals.violations.row(row).transpose();
    for (std::size_t a = 0; a < choices.count.size(); ++a) {
      sums.chosen[static_cast<Eigen::Index>(a)] += choices.count[a];
    }
  }
  const double kappa = protocol.thresholds.kappa;
  return TruthOf(sums, shipped.Stable(kappa), shipped.Argmin(kappa), kappa);
}

}  // namespace

void Truth::Add(const Truth& other, double weight) {
  for (double Truth::*part : {&Truth::h_total, &Truth::h_alloc, &Truth::h_dep, &Truth::h_dep_argmin,
                              &Truth::h_dep_best, &Truth::q}) {
    this->*part += weight * other.*part;
  }
}

double ValueOf(const Truth& truth, Quantity quantity) {
  constexpr std::array<double Truth::*, kQuantities.size()> kMembers = {
      &Truth::h_dep, &Truth::h_alloc, &Truth::q, &Truth::h_total};
  return truth.*kMembers.at(static_cast<std::size_t>(quantity));
}

bool DeservesGo(const Truth& truth, double h_dep, const audit::Thresholds& thresholds) {
  return h_dep > thresholds.delta_dep && truth.h_alloc > thresholds.delta_alloc &&
         truth.q <= thresholds.kappa && truth.h_total > 0.0;
}

Truth EvaluateChoices(const SyntheticWorld& world, const FreshQueries& fresh,
                      std::span<const ActionIndex> choices, ActionIndex stable, ActionIndex argmin,
                      double kappa) {
  GONOGO_CHECK(choices.size() == fresh.violation.size());
  FieldSums sums(world.actions);
  sums.queries = static_cast<double>(choices.size());
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const double* cost = &fresh.cost[i * world.actions];
    for (std::size_t a = 0; a < world.actions; ++a) {
      const auto action = static_cast<Eigen::Index>(a);
      sums.fixed[action] += cost[a];
      if (action != audit::kDirect) sums.broken[action] += fresh.violation[i];
    }
    sums.chosen[static_cast<Eigen::Index>(choices[i])] += 1.0;
    sums.policy += cost[choices[i]];
    if (choices[i] != audit::kDirect) sums.violations += fresh.violation[i];
  }
  return TruthOf(sums, stable, argmin, kappa);
}

Result<Truth> ShippedTruth(const SyntheticWorld& world, const FreshQueries& fresh,
                           const audit::OutcomeTable& audited, const audit::Protocol& protocol) {
  const auto shipped = GONOGO_TRY(Shipped::Train(audited, AsTable(fresh, audited), protocol));
  return TruthAt(world, fresh, *shipped, 0, protocol);
}

Result<Revealed> Reveal(const SyntheticWorld& world, const FreshQueries& fresh, const DataSet& data,
                        const audit::OutcomeTable& audited, const audit::Protocol& protocol) {
  const audit::OutcomeTable oracle = GONOGO_TRY(Asked(data.oracle, protocol));
  const bool known = protocol.question.deploy == audit::Deployment::kKnownClusters;
  const audit::OutcomeTable rest =
      GONOGO_TRY(known ? Asked(data.rest, protocol) : AsTable(fresh, oracle));
  const auto shipped = GONOGO_TRY(Shipped::Train(audited, JoinTables(oracle, rest), protocol));
  const std::size_t behind = oracle.num_clusters();
  return Revealed{.truth = known ? TruthAt(rest, *shipped, behind, protocol)
                                 : TruthAt(world, fresh, *shipped, behind, protocol),
                  .oracle = AskOracle(*shipped, oracle, protocol)};
}

}  // namespace gonogo::calibrate
