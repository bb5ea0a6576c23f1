// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/pairs/channels.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "gonogo/audit/rules/calibrated/reference.h"
#include "gonogo/base/check.h"
#include "gonogo/stats/moments.h"

namespace gonogo::audit {
namespace {

/// value_bk less the mean of the other fits without the same cluster.
std::vector<std::array<double, 2>> Deviations(const PairChannel& channel,
                                              const PairDesign& design) {
  std::vector<double> fits(design.clusters, 0.0);
  std::vector<double> mean(design.clusters, 0.0);
  for (std::size_t b = 0; b < design.pair.size(); ++b) {
    for (std::size_t i = 0; i < 2; ++i) {
      fits[design.pair[b][i]] += 1.0;
      mean[design.pair[b][i]] += channel.value[b][i];
    }
  }
  for (std::size_t k = 0; k < design.clusters; ++k) {
    GONOGO_CHECK(fits[k] >= 2.0);
    mean[k] /= fits[k];
  }
  std::vector<std::array<double, 2>> deviation(design.pair.size());
  for (std::size_t b = 0; b < design.pair.size(); ++b) {
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t k = design.pair[b][i];
      deviation[b][i] = fits[k] / (fits[k] - 1.0) * (channel.value[b][i] - mean[k]);
    }
  }
  return deviation;
}

}  // namespace

double PairEstimate::se() const {
  return std::sqrt(testing + std::max(0.0, instability) + correction);
}

void PairEstimate::ExpectInstability() {
  if (!(instability_se > 0.0)) return;
  constexpr double kFarBelow = -30.0;  // where phi / Phi loses its digits and -x - 1/x is exact
  const double x = instability / instability_se;
  if (x < kFarBelow) {
    instability = -instability_se / x;
    return;
  }
  const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * M_PI);
  const double below = 0.5 * std::erfc(-x / M_SQRT2);
  instability += instability_se * density / below;
}

PairEstimate EstimatePairs(const PairChannel& channel, const PairDesign& design) {
  GONOGO_CHECK(channel.value.size() == design.pair.size() &&
               design.departs_more.size() == design.pair.size() &&
               channel.score.size() == design.clusters && design.clusters >= 4);
  PairEstimate estimate{.point = channel.point};
  const auto clusters = static_cast<double>(design.clusters);
  const double mean_score = stats::Mean(channel.score);
  for (const double score : channel.score) {
    const double own = score - mean_score;
    estimate.testing += own * own / (clusters * (clusters - 1.0));
  }

  const auto fits = static_cast<double>(design.pair.size());
  const std::vector<std::array<double, 2>> deviation = Deviations(channel, design);
  const double mean_x = stats::Mean(design.departs_more);
  double mean_y = 0.0;
  for (const auto& [first, second] : deviation) mean_y += 0.5 * (first + second) / fits;
  double xx = 0.0;
  double xy = 0.0;
  for (std::size_t b = 0; b < deviation.size(); ++b) {
    const double x = design.departs_more[b] - mean_x;
    xx += x * x;
    xy += x * (0.5 * (deviation[b][0] + deviation[b][1]) - mean_y);
  }
  // Fits that all act alike: nothing to explain, nothing to correct.
  estimate.slope = xx > 0.0 ? xy / xx : 0.0;
  estimate.shipped = estimate.point - estimate.slope * mean_x;
  double residuals = 0.0;
  std::vector<double> products;
  for (std::size_t b = 0; b < deviation.size(); ++b) {
    const double explained = estimate.slope * (design.departs_more[b] - mean_x);
    products.push_back((deviation[b][0] - explained) * (deviation[b][1] - explained));
    const double residual = 0.5 * (deviation[b][0] + deviation[b][1]) - mean_y - explained;
    residuals += residual * residual;
  }
  for (const double product : products) estimate.instability += product / fits;
  estimate.instability_se = stats::StandardDeviation(products) / std::sqrt(fits);
  if (xx > 0.0) estimate.correction = residuals / (fits - 2.0) * mean_x * mean_x / xx;
  return estimate;
}

namespace {

/// Means over the fits that left each cluster out.
template <typename ValueOf>
std::vector<double> MeansOverFits(const PairFits& fits, std::size_t clusters, ValueOf&& value_of) {
  std::vector<double> mean(clusters, 0.0);
  std::vector<double> count(clusters, 0.0);
  for (const Refit& fit : fits.pairs) {
    for (std::size_t i = 0; i < 2; ++i) {
      mean[fit.held_out[i].cluster] += value_of(fit, i);
      count[fit.held_out[i].cluster] += 1.0;
    }
  }
  for (std::size_t k = 0; k < clusters; ++k) mean[k] /= count[k];
  return mean;
}

double TotalOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// value[b][i] = factor * value_of(fit b, its held-out cluster i)
template <typename ValueOf>
std::vector<std::array<double, 2>> PairValues(const PairFits& fits, double factor,
                                              ValueOf&& value_of) {
  std::vector<std::array<double, 2>> values;
  for (const Refit& fit : fits.pairs) {
    values.push_back({factor * value_of(fit, 0), factor * value_of(fit, 1)});
  }
  return values;
}

/// s_k = K (chosen_k - ratio reference_k) / sum reference: how the ratio moves with cluster k,
/// counted as a gain.
std::vector<double> GainScores(const std::vector<double>& chosen,
                               const std::vector<double>& reference, double ratio, double sum) {
  std::vector<double> score(chosen.size());
  for (std::size_t k = 0; k < score.size(); ++k) {
    score[k] = -static_cast<double>(score.size()) * (chosen[k] - ratio * reference[k]) / sum;
  }
  return score;
}

/// Cost of the chosen actions and of the adapter itself.
auto ChosenCost(const OutcomeTotals& totals, double adapter_cost) {
  return [&totals, adapter_cost](const Refit& fit, std::size_t i) {
    const ChoiceTotals& choices = fit.held_out[i];
    return PolicyCost(choices) + AdapterCharge(totals, choices.cluster, adapter_cost);
  };
}

}  // namespace

PairFits SplitPairFits(std::span<const Refit> fits) {
  if (fits.size() < 2) return {};
  return {fits.first(fits.size() - 1), &fits.back()};
}

PairDesign DesignOf(const OutcomeTotals& totals, const PairFits& fits) {
  GONOGO_CHECK(!fits.empty());
  PairDesign design{.clusters = totals.queries.size()};
  for (const Refit& fit : fits.pairs) {
    GONOGO_CHECK(fit.held_out.size() == 2 && fit.departures.size() == design.clusters &&
                 fits.shipped->departures.size() == design.clusters);
    design.pair.push_back({fit.held_out[0].cluster, fit.held_out[1].cluster});
    double more = 0.0;
    double queries = 0.0;
    for (std::size_t k = 0; k < design.clusters; ++k) {
      if (fit.split.is_held_out(k)) continue;
      more +=
          static_cast<double>(fit.departures[k]) - static_cast<double>(fits.shipped->departures[k]);
      queries += totals.queries[k];
    }
    design.departs_more.push_back(more / queries);
  }
  return design;
}

PairChannel AgainstFixed(const OutcomeTotals& totals, const PairFits& fits, ActionIndex action,
                         double adapter_cost) {
  const std::size_t clusters = totals.queries.size();
  const auto chosen_cost = ChosenCost(totals, adapter_cost);
  const std::vector<double> chosen = MeansOverFits(fits, clusters, chosen_cost);
  std::vector<double> reference(clusters);
  for (std::size_t k = 0; k < clusters; ++k) {
    reference[k] = totals.cost(static_cast<Eigen::Index>(k), action);
  }
  const double sum = TotalOf(reference);
  const double ratio = TotalOf(chosen) / sum;
  return {.point = 1.0 - ratio,
          .score = GainScores(chosen, reference, ratio, sum),
          .value = PairValues(fits, -static_cast<double>(clusters) / sum, chosen_cost)};
}

PairChannel AgainstMixture(const OutcomeTotals& totals, const PairFits& fits, double adapter_cost) {
  const std::size_t clusters = totals.queries.size();
  const auto actions = static_cast<std::size_t>(totals.cost.cols());
  const double queries = TotalOf(totals.queries);
  const Eigen::ArrayXd mean_cost = totals.cost.colwise().sum().transpose() / queries;
  const auto chosen_cost = ChosenCost(totals, adapter_cost);
  const std::vector<double> chosen = MeansOverFits(fits, clusters, chosen_cost);
  const std::vector<double> mixture =
      MeansOverFits(fits, clusters, [&](const Refit& fit, std::size_t i) {
        const ChoiceTotals& own = fit.held_out[i];
        const ChoiceTotals& other = fit.held_out[1 - i];
        double cost = 0.0;
        for (std::size_t a = 0; a < actions; ++a) {
          cost += other.count[a] / totals.queries[other.cluster] *
                  totals.cost(own.cluster, static_cast<Eigen::Index>(a));
        }
        return cost;
      });
  const double sum = TotalOf(mixture);
  const double ratio = TotalOf(chosen) / sum;
  // The mixture moves with the outcomes of a cluster and with the frequencies it contributes.
  std::vector<double> reference(clusters, 0.0);
  for (std::size_t a = 0; a < actions; ++a) {
    const auto action = static_cast<Eigen::Index>(a);
    const std::vector<double> count =
        MeansOverFits(fits, clusters, [a](const Refit& fit, std::size_t i) {
          return static_cast<double>(fit.held_out[i].count[a]);
        });
    const double share = TotalOf(count) / queries;
    for (std::size_t k = 0; k < clusters; ++k) {
      reference[k] += share * totals.cost(static_cast<Eigen::Index>(k), action) +
                      (count[k] - share * totals.queries[k]) * mean_cost[action];
    }
  }
  const auto value = [&](const Refit& fit, std::size_t i) {
    double at_mean_cost = 0.0;
    for (std::size_t a = 0; a < actions; ++a) {
      at_mean_cost += fit.held_out[i].count[a] * mean_cost[static_cast<Eigen::Index>(a)];
    }
    return chosen_cost(fit, i) - ratio * at_mean_cost;
  };
  return {.point = 1.0 - ratio,
          .score = GainScores(chosen, reference, ratio, sum),
          .value = PairValues(fits, -static_cast<double>(clusters) / sum, value)};
}

PairChannel Violations(const OutcomeTotals& totals, const PairFits& fits) {
  const std::size_t clusters = totals.queries.size();
  const auto count = static_cast<double>(clusters);
  const auto violations = [](const Refit& fit, std::size_t i) {
    return fit.held_out[i].violations;
  };
  const std::vector<double> events = MeansOverFits(fits, clusters, violations);
  const double queries = TotalOf(totals.queries);
  PairChannel channel{.point = TotalOf(events) / queries,
                      .value = PairValues(fits, count / queries, violations)};
  for (std::size_t k = 0; k < clusters; ++k) {
    channel.score.push_back(count * (events[k] - channel.point * totals.queries[k]) / queries);
  }
  return channel;
}

PairChannel AgainstChosen(const OutcomeTotals& totals, const PairFits& fits, double kappa,
                          double adapter_cost) {
  const std::size_t clusters = totals.queries.size();
  std::map<const Refit*, ActionIndex> fixed;
  for (const Refit& fit : fits.pairs) {
    fixed[&fit] = SelectStableAction(totals, fit.split.multiplicity, kappa);
  }
  const auto chosen_cost = ChosenCost(totals, adapter_cost);
  const auto reference_cost = [&](const Refit& fit, std::size_t i) {
    return totals.cost(fit.held_out[i].cluster, fixed.at(&fit));
  };
  const std::vector<double> chosen = MeansOverFits(fits, clusters, chosen_cost);
  const std::vector<double> reference = MeansOverFits(fits, clusters, reference_cost);
  const double sum = TotalOf(reference);
  const double ratio = TotalOf(chosen) / sum;
  const double factor = -static_cast<double>(clusters) / sum;
  PairChannel channel{.point = 1.0 - ratio,
                      .value = PairValues(fits, factor, [&](const Refit& fit, std::size_t i) {
                        return chosen_cost(fit, i) - ratio * reference_cost(fit, i);
                      })};
  for (std::size_t k = 0; k < clusters; ++k) {
    channel.score.push_back(factor * (chosen[k] - ratio * reference[k]));
  }
  return channel;
}

}  // namespace gonogo::audit
