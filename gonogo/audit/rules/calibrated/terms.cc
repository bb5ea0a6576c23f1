// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/calibrated/terms.h"

#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

/// The selector's actions in all held-out clusters of one replicate.
struct HeldOutCounts {
  std::vector<double> count;
  double queries = 0.0;
};

HeldOutCounts CountActions(const Refit& refit, const OutcomeTotals& totals) {
  HeldOutCounts pooled{std::vector<double>(static_cast<std::size_t>(totals.cost.cols()), 0.0)};
  for (const ChoiceTotals& choices : refit.held_out) {
    pooled.queries += totals.queries[choices.cluster];
    for (std::size_t a = 0; a < pooled.count.size(); ++a) pooled.count[a] += choices.count[a];
  }
  return pooled;
}

/// What a cluster's actions cost, less what their successes are worth.
Eigen::ArrayXd ValueOf(const OutcomeTotals& totals, std::size_t cluster) {
  const auto row = static_cast<Eigen::Index>(cluster);
  Eigen::ArrayXd value = totals.cost.row(row).transpose();
  if (totals.success_price > 0.0) {
    value -= totals.success_price * totals.successes.row(row).transpose();
  }
  return value;
}

/// Mean value of every action over all clusters.
Eigen::ArrayXd MeanCost(const OutcomeTotals& totals) {
  double queries = 0.0;
  for (const double n : totals.queries) queries += n;
  Eigen::ArrayXd sum = totals.cost.colwise().sum().transpose();
  if (totals.success_price > 0.0) {
    sum -= totals.success_price * totals.successes.colwise().sum().transpose();
  }
  return sum / queries;
}

struct MixtureCosts {
  double cost = 0.0;   // M_bk: frequencies of the other held-out clusters
  double score = 0.0;  // m_bk: how the mixture changes with this cluster's outcomes and choices
};

MixtureCosts MixtureFromOthers(const OutcomeTotals& totals, const ChoiceTotals& choices,
                               const HeldOutCounts& pooled, const Eigen::ArrayXd& mean_cost) {
  const double queries = totals.queries[choices.cluster];
  const double others = pooled.queries - queries;
  MixtureCosts mixture;
  const Eigen::ArrayXd value = ValueOf(totals, choices.cluster);
  for (std::size_t a = 0; a < choices.count.size(); ++a) {
    const auto action = static_cast<Eigen::Index>(a);
    const double cost = value[action];
    const double share = pooled.count[a] / pooled.queries;
    mixture.cost += (pooled.count[a] - choices.count[a]) / others * cost;
    mixture.score += share * cost + (choices.count[a] - share * queries) * mean_cost[action];
  }
  return mixture;
}

/// Cost saved inside the cluster by matching queries to actions, without the plug-in bias.
double WithinGain(const OutcomeTotals& totals, const ChoiceTotals& choices) {
  const double queries = totals.queries[choices.cluster];
  if (queries < 2.0) return 0.0;
  return queries / (queries - 1.0) * (MixtureValue(totals, choices) - PolicyCost(choices));
}

/// Terms of a gain on the scale of the totals (`Gain`).
class TermsOf {
 public:
  TermsOf(const OutcomeTotals& totals, std::size_t cluster)
      : of_rewards_(totals.of_rewards),
        earned_(-totals.cost(static_cast<Eigen::Index>(cluster), kDirect)) {}

  [[nodiscard]] GainTerm operator()(double chosen, double reference, double chosen_score,
                                    double reference_score) const {
    if (!of_rewards_) return {chosen, reference, chosen_score, reference_score};
    return {earned_ - (reference - chosen), earned_, earned_ - (reference_score - chosen_score),
            earned_};
  }

 private:
  bool of_rewards_;
  double earned_;  // by the reference action
};

}  // namespace

GainTerms FixedActionTerms(const OutcomeTotals& totals, std::span<const Refit> refits,
                           std::span<const ActionIndex> reference, double adapter_cost) {
  GONOGO_CHECK(reference.size() == refits.size());
  GainTerms gain{refits, std::vector<std::vector<GainTerm>>(refits.size())};
  for (std::size_t b = 0; b < refits.size(); ++b) {
    for (const ChoiceTotals& choices : refits[b].held_out) {
      const double chosen =
          PolicyCost(choices) + AdapterCharge(totals, choices.cluster, adapter_cost);
      const double fixed = totals.cost(choices.cluster, reference[b]);
      gain.terms[b].push_back(TermsOf(totals, choices.cluster)(chosen, fixed, chosen, fixed));
    }
  }
  return gain;
}

GainTerms ViolationTerms(const OutcomeTotals& totals, std::span<const Refit> refits) {
  GainTerms rate{refits, std::vector<std::vector<GainTerm>>(refits.size())};
  for (std::size_t b = 0; b < refits.size(); ++b) {
    for (const ChoiceTotals& choices : refits[b].held_out) {
      const double queries = totals.queries[choices.cluster];
      rate.terms[b].push_back({choices.violations, queries, choices.violations, queries});
    }
  }
  return rate;
}

std::vector<Refit> JoinFolds(std::span<const Refit> folds, std::size_t clusters) {
  Refit joined{.split = {std::vector<std::uint32_t>(clusters, 0)}};
  for (const Refit& fold : folds) {
    joined.held_out.insert(joined.held_out.end(), fold.held_out.begin(), fold.held_out.end());
  }
  return {joined};
}

AllocationTerms MixtureTerms(const OutcomeTotals& totals, std::span<const Refit> refits,
                             double adapter_cost) {
  const GainTerms none{refits, std::vector<std::vector<GainTerm>>(refits.size())};
  AllocationTerms terms{none, none, none};
  const Eigen::ArrayXd mean_cost = MeanCost(totals);
  for (std::size_t b = 0; b < refits.size(); ++b) {
    if (refits[b].held_out.size() < 2) continue;
    const HeldOutCounts pooled = CountActions(refits[b], totals);
    for (const ChoiceTotals& choices : refits[b].held_out) {
      MixtureCosts mixture = MixtureFromOthers(totals, choices, pooled, mean_cost);
      // What the selector's own successes are worth is asked of the mixture, as in `MixtureValue`.
      mixture.cost += totals.success_price * choices.successes;
      mixture.score += totals.success_price * choices.successes;
      const double charged = AdapterCharge(totals, choices.cluster, adapter_cost);
      const double policy = PolicyCost(choices) + charged;
      const double within = WithinGain(totals, choices) - charged;
      const TermsOf of(totals, choices.cluster);
      terms.total.terms[b].push_back(of(policy, mixture.cost, policy, mixture.score));
      terms.within.terms[b].push_back(
          of(mixture.cost - within, mixture.cost, mixture.score - within, mixture.score));
      terms.between.terms[b].push_back(
          of(policy + within, mixture.cost, policy + within, mixture.score));
    }
  }
  return terms;
}

}  // namespace gonogo::audit
