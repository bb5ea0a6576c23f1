// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/estimands/estimands.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gonogo/base/check.h"

namespace gonogo::audit {

ActionIndex SelectFixedAction(const OutcomeTotals& totals,
                              std::span<const std::uint32_t> multiplicity, double kappa) {
  GONOGO_CHECK(multiplicity.size() == totals.queries.size());
  double queries = 0.0;
  Eigen::ArrayXd cost = Eigen::ArrayXd::Zero(totals.cost.cols());
  Eigen::ArrayXd violations = Eigen::ArrayXd::Zero(totals.cost.cols());
  for (std::size_t k = 0; k < multiplicity.size(); ++k) {
    if (multiplicity[k] == 0) continue;
    const auto row = static_cast<Eigen::Index>(k);
    queries += multiplicity[k] * totals.queries[k];
    cost += multiplicity[k] * totals.cost.row(row).transpose();
    violations += multiplicity[k] * totals.violations.row(row).transpose();
  }
  GONOGO_CHECK(queries > 0.0);
  ActionIndex best = kDirect;
  for (ActionIndex action = 1; action < cost.size(); ++action) {
    if (violations[action] / queries <= kappa && cost[action] < cost[best]) best = action;
  }
  return best;
}

namespace {

// Rounding of p_a * sum(W) must not be counted as a fold won.
constexpr double kRounding = 1e-12;

/// The held-out clusters merged into one, so that the mixture of "the cluster" is the pooled one.
struct Pool {
  OutcomeTotals totals;
  ChoiceTotals choices;
};

Pool Merge(const OutcomeTotals& totals, std::span<const HeldOutCluster> held_out) {
  const Eigen::Index actions = totals.cost.cols();
  Pool pool;
  pool.totals.queries.assign(1, 0.0);
  pool.totals.cost = ClusterActionTotals::Zero(1, actions);
  pool.totals.violations = ClusterActionTotals::Zero(1, actions);
  pool.totals.success_price = totals.success_price;
  if (totals.success_price > 0.0) pool.totals.successes = pool.totals.cost;
  pool.choices.count.assign(static_cast<std::size_t>(actions), 0);
  for (const HeldOutCluster& held : held_out) {
    const ChoiceTotals& choices = *held.choices;
    pool.totals.queries[0] += totals.queries[choices.cluster];
    pool.totals.cost.row(0) += totals.cost.row(choices.cluster);
    pool.totals.violations.row(0) += totals.violations.row(choices.cluster);
    if (totals.success_price > 0.0) {
      pool.totals.successes.row(0) += totals.successes.row(choices.cluster);
      pool.choices.successes += choices.successes;
    }
    for (std::size_t a = 0; a < choices.count.size(); ++a) {
      pool.choices.count[a] += choices.count[a];
    }
  }
  return pool;
}

bool BeatsMixture(double policy, double mixture) {
  return policy < mixture - kRounding * std::abs(mixture);
}

void AddOpportunity(const OutcomeTotals& totals, std::span<const HeldOutCluster> held_out,
                    const Pool& pool, double kappa, Estimands& result) {
  const auto whole = std::vector<std::uint32_t>{1};
  const ClusterActionTotals& cost = pool.totals.cost;
  result.global_action = SelectFixedAction(pool.totals, whole, kappa);
  result.global_action_unconstrained = SelectFixedAction(pool.totals, whole, 1.0);
  const double direct = cost(0, kDirect);
  const auto over_direct = [&](double chosen) {
    return Gain(chosen, direct, direct, totals.of_rewards);
  };
  result.h_global = over_direct(cost(0, result.global_action));
  result.h_global_unconstrained = over_direct(cost(0, result.global_action_unconstrained));
  double oracle = 0.0;
  for (const HeldOutCluster& held : held_out) oracle += totals.oracle_cost[held.choices->cluster];
  result.h_avail = over_direct(oracle);
}

void AddShares(const OutcomeTotals& totals, std::span<const HeldOutCluster> held_out,
               const Pool& pool, Estimands& result) {
  const double queries = pool.totals.queries[0];
  double agreements = 0.0;
  double error = 0.0;
  double successes = 0.0;
  double direct_successes = 0.0;
  double oracle_successes = 0.0;
  const bool has_success = totals.successes.rows() > 0;
  for (const HeldOutCluster& held : held_out) {
    agreements += held.choices->oracle_agreements;
    error += held.choices->work_error;
    if (!has_success) continue;
    successes += held.choices->successes;
    direct_successes += totals.successes(held.choices->cluster, kDirect);
    oracle_successes += totals.oracle_successes[held.choices->cluster];
  }
  result.queries = queries;
  result.activation = 1.0 - pool.choices.count[kDirect] / queries;
  result.oracle_agreement = agreements / queries;
  const auto candidates = static_cast<double>(pool.choices.count.size() - 1);
  result.work_mae = error / (queries * candidates);
  if (!has_success) return;
  result.success = successes / queries;
  result.success_direct = direct_successes / queries;
  result.success_oracle = oracle_successes / queries;
}

}  // namespace

double RelativeGain(double chosen, double reference) {
  if (reference == 0.0) return chosen == 0.0 ? 0.0 : -std::numeric_limits<double>::infinity();
  return 1.0 - chosen / reference;
}

double Gain(double chosen, double comparator, double direct, bool of_rewards) {
  return of_rewards ? RelativeGain(-direct - (comparator - chosen), -direct)
                    : RelativeGain(chosen, comparator);
}

void ComparatorSums::Add(const ComparatorSums& other, double weight) {
  queries += weight * other.queries;
  policy += weight * other.policy;
  direct += weight * other.direct;
  mixture += weight * other.mixture;
  reference += weight * other.reference;
  violations += weight * other.violations;
  mixture_violations += weight * other.mixture_violations;
  reference_violations += weight * other.reference_violations;
  of_rewards = of_rewards || other.of_rewards;
}

double ComparatorSums::Over(double comparator, double chosen) const {
  return Gain(chosen, comparator, direct, of_rewards);
}
double ComparatorSums::h_total() const { return Over(direct, policy); }
double ComparatorSums::h_alloc() const { return Over(mixture, policy); }
double ComparatorSums::h_dep() const { return Over(reference, policy); }

ComparatorSums SumCluster(const OutcomeTotals& totals, const HeldOutCluster& held) {
  const ChoiceTotals& choices = *held.choices;
  return {.queries = totals.queries[choices.cluster],
          .policy = PolicyCost(choices),
          .direct = totals.cost(choices.cluster, kDirect),
          .mixture = MixtureValue(totals, choices),
          .reference = totals.cost(choices.cluster, held.reference),
          .violations = choices.violations,
          .mixture_violations = MixtureViolations(totals, choices),
          .reference_violations = totals.violations(choices.cluster, held.reference),
          .of_rewards = totals.of_rewards};
}

ComparatorSums SumHeldOut(const OutcomeTotals& totals, std::span<const HeldOutCluster> held_out,
                          Mixture mixture) {
  ComparatorSums sums;
  for (const HeldOutCluster& held : held_out) sums.Add(SumCluster(totals, held));
  if (mixture == Mixture::kPooled) {
    const Pool pool = Merge(totals, held_out);
    sums.mixture = MixtureValue(pool.totals, pool.choices);
    sums.mixture_violations = MixtureViolations(pool.totals, pool.choices);
  }
  return sums;
}

Estimands Evaluate(const OutcomeTotals& totals, std::span<const HeldOutCluster> held_out,
                   double kappa, Mixture mixture) {
  GONOGO_CHECK(!held_out.empty());
  Estimands result;
  const ComparatorSums sums = SumHeldOut(totals, held_out, mixture);
  if (mixture == Mixture::kPooled) {
    result.folds_beating_mixture = BeatsMixture(sums.policy, sums.mixture) ? 1 : 0;
  } else {
    for (const HeldOutCluster& held : held_out) {
      const ComparatorSums cluster = SumCluster(totals, held);
      if (BeatsMixture(cluster.policy, cluster.mixture)) ++result.folds_beating_mixture;
    }
  }
  const Pool pool = Merge(totals, held_out);
  const double pooled_mixture = MixtureValue(pool.totals, pool.choices);
  AddOpportunity(totals, held_out, pool, kappa, result);
  AddShares(totals, held_out, pool, result);
  result.h_total = sums.h_total();
  result.h_alloc = sums.h_alloc();
  result.h_alloc_pooled = sums.Over(pooled_mixture, sums.policy);
  result.h_dep = sums.h_dep();
  result.q = sums.q();
  result.q_mix = sums.mixture_violations / sums.queries;
  result.q_ref = sums.reference_violations / sums.queries;
  result.mixture_total = sums.Over(sums.direct, sums.mixture);
  result.covariance_gain = (sums.mixture - sums.policy) / sums.queries;
  return result;
}

}  // namespace gonogo::audit
