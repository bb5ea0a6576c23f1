// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/calibrated/gain.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gonogo/audit/estimands/estimands.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

constexpr double kLargestCorrection = 0.75;  // of the raw variance; the rest is kept as a floor

// Share of the variance of the linear influence that the estimate does not have in common with the
// shipped adapter (docs/concepts/intervals.md, "Two standard errors").
constexpr double kUnshared = 0.5;
// What is not linear is of second order in the error of training: its variance falls with the
// square of the number of distinct training clusters, of which a replicate has a share 1 - 1/e.
constexpr double kSecondOrder = 0.4;

/// Means over the replicates that held each cluster out.
struct ClusterMeans {
  std::vector<double> held_out;  // n_k, replicates that held cluster k out
  std::vector<GainTerm> mean;
};

void Accumulate(const GainTerm& term, GainTerm& sum) {
  sum.chosen += term.chosen;
  sum.reference += term.reference;
  sum.chosen_score += term.chosen_score;
  sum.reference_score += term.reference_score;
}

ClusterMeans SmoothOverReplicates(const GainTerms& gain, std::span<const std::size_t> subset) {
  const std::size_t clusters = gain.refits.front().split.num_clusters();
  ClusterMeans means{std::vector<double>(clusters, 0.0), std::vector<GainTerm>(clusters)};
  for (const std::size_t b : subset) {
    for (std::size_t i = 0; i < gain.terms[b].size(); ++i) {
      const std::size_t k = gain.refits[b].held_out[i].cluster;
      means.held_out[k] += 1.0;
      Accumulate(gain.terms[b][i], means.mean[k]);
    }
  }
  for (std::size_t k = 0; k < clusters; ++k) {
    if (means.held_out[k] == 0.0) continue;
    means.mean[k].chosen /= means.held_out[k];
    means.mean[k].reference /= means.held_out[k];
    means.mean[k].chosen_score /= means.held_out[k];
    means.mean[k].reference_score /= means.held_out[k];
  }
  return means;
}

GainTerm Sum(const ClusterMeans& means) {
  GainTerm sum;
  for (const GainTerm& mean : means.mean) Accumulate(mean, sum);
  return sum;
}

stats::Interval DropOne(const ClusterMeans& means, const GainTerm& sum) {
  stats::Interval range{1.0, -1.0};
  bool first = true;
  for (const GainTerm& mean : means.mean) {
    const double left = RelativeGain(sum.chosen - mean.chosen, sum.reference - mean.reference);
    range.lower = first ? left : std::min(range.lower, left);
    range.upper = first ? left : std::max(range.upper, left);
    first = false;
  }
  return range;
}

/// The part of D_k that comes from the learner's dependence on its training clusters, with the
/// variance that a finite number of replicates adds to the sum of its squares, and how much the
/// replicates' selectors differ in what they achieve.
struct LearnerPart {
  std::vector<double> influence;
  double monte_carlo = 0.0;
  double between_selectors = 0.0;
};

LearnerPart LearnerInfluence(const GainTerms& gain, std::span<const std::size_t> subset,
                             const std::vector<double>& score_mean, double rho, double scale) {
  const std::size_t clusters = score_mean.size();
  LearnerPart part{std::vector<double>(clusters, 0.0)};
  std::vector<double> g;
  std::vector<std::size_t> used;
  double g_mean = 0.0;
  double products = 0.0;
  double pairs = 0.0;
  for (const std::size_t b : subset) {
    if (gain.terms[b].empty()) continue;
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < gain.terms[b].size(); ++i) {
      const GainTerm& term = gain.terms[b][i];
      const double z = scale * (term.chosen_score - rho * term.reference_score);
      const double deviation = z - score_mean[gain.refits[b].held_out[i].cluster];
      sum += deviation;
      squares += deviation * deviation;
    }
    const auto held_out = static_cast<double>(gain.terms[b].size());
    products += sum * sum - squares;
    pairs += held_out * (held_out - 1.0);
    g.push_back(sum / static_cast<double>(clusters));
    g_mean += g.back();
    used.push_back(b);
  }
  const auto replicates = static_cast<double>(used.size());
  if (used.size() < 2) return part;
  if (pairs > 0.0) part.between_selectors = products / pairs;
  g_mean /= replicates;
  double g_variance = 0.0;
  double count_variance = 0.0;
  const double inverse_f = 1.0 / HeldOutProbability(clusters);
  for (std::size_t i = 0; i < used.size(); ++i) {
    const double deviation = g[i] - g_mean;
    g_variance += deviation * deviation;
    const std::vector<std::uint32_t>& count = gain.refits[used[i]].split.multiplicity;
    for (std::size_t k = 0; k < clusters; ++k) {
      const double excess = static_cast<double>(count[k]) - 1.0;  // E N_k = 1
      part.influence[k] += inverse_f * excess * deviation / (replicates - 1.0);
      count_variance += excess * excess;
    }
  }
  g_variance /= replicates - 1.0;
  count_variance /= replicates;  // summed over clusters, about K - 1
  part.monte_carlo = inverse_f * inverse_f * count_variance * g_variance / replicates;
  return part;
}

}  // namespace

double HeldOutProbability(std::size_t clusters) {
  GONOGO_CHECK(clusters >= 2);
  const auto k = static_cast<double>(clusters);
  int sign = 0;  // std::lgamma would write it to a variable that all threads share
  const double all_trained = std::exp(lgamma_r(k + 1.0, &sign) - k * std::log(k));  // K! / K^K
  return std::pow(1.0 - 1.0 / k, k) / (1.0 - all_trained);
}

std::optional<SmoothedGain> EstimateGain(const GainTerms& gain,
                                         std::span<const std::size_t> subset) {
  if (gain.refits.empty() || gain.refits.front().split.num_clusters() < 2) return std::nullopt;
  const ClusterMeans means = SmoothOverReplicates(gain, subset);
  for (const double held_out : means.held_out) {
    if (held_out == 0.0) return std::nullopt;
  }
  const GainTerm sum = Sum(means);
  if (!(sum.reference > 0.0)) return std::nullopt;
  const std::size_t clusters = means.mean.size();
  const auto k_count = static_cast<double>(clusters);
  const double rho = sum.chosen / sum.reference;
  const double scale = k_count / sum.reference;
  std::vector<double> score(clusters);
  double score_mean = 0.0;
  for (std::size_t k = 0; k < clusters; ++k) {
    score[k] = scale * (means.mean[k].chosen_score - rho * means.mean[k].reference_score);
    score_mean += score[k] / k_count;
  }
  const LearnerPart learner = LearnerInfluence(gain, subset, score, rho, scale);
  double raw = 0.0;
  double test = 0.0;
  double linear = 0.0;
  for (std::size_t k = 0; k < clusters; ++k) {
    const double own = (score[k] - score_mean) / k_count;
    raw += (own + learner.influence[k]) * (own + learner.influence[k]);
    test += own * own;
    linear += learner.influence[k] * learner.influence[k];
  }
  const double variance = raw - std::min(learner.monte_carlo, kLargestCorrection * raw);
  const double few = k_count / (k_count - 1.0);
  linear = std::max(0.0, linear - learner.monte_carlo);
  const double unstable = std::max(0.0, learner.between_selectors - linear);
  return SmoothedGain{
      .point = 1.0 - rho,
      .se = std::sqrt(variance * few),
      .shipped_se = std::sqrt(test * few + kUnshared * linear + kSecondOrder * unstable),
      .testing_se = std::sqrt(test * few),
      .widest_se = std::sqrt(
          std::max(variance * few, test * few + std::max(0.0, learner.between_selectors))),
      .drop_one = DropOne(means, sum),
      .scores = score};
}

double CertainAdvantage(const SmoothedGain& smoothed, const SmoothedGain& cross_fit) {
  const auto clusters = static_cast<double>(smoothed.scores.size());
  GONOGO_CHECK(cross_fit.scores.size() == smoothed.scores.size() && clusters >= 2.0);
  double mean = 0.0;
  for (std::size_t k = 0; k < smoothed.scores.size(); ++k) {
    mean += (smoothed.scores[k] - cross_fit.scores[k]) / clusters;
  }
  double squares = 0.0;
  for (std::size_t k = 0; k < smoothed.scores.size(); ++k) {
    const double deviation = smoothed.scores[k] - cross_fit.scores[k] - mean;
    squares += deviation * deviation;
  }
  const double se = std::sqrt(squares / (clusters * (clusters - 1.0)));
  return std::max(0.0, cross_fit.point - smoothed.point - se);
}

std::vector<std::vector<std::size_t>> RandomHalves(std::size_t count, std::size_t halves,
                                                   const RngStream& stream) {
  std::vector<std::vector<std::size_t>> drawn;
  for (std::size_t h = 0; h < halves; ++h) {
    Rng rng = stream.Child(h).Generator();
    std::vector<std::size_t> order = AllOf(count);
    rng.Shuffle(std::span(order));
    order.resize(std::max<std::size_t>(count / 2, 1));
    std::sort(order.begin(), order.end());
    drawn.push_back(std::move(order));
  }
  return drawn;
}

std::vector<std::size_t> AllOf(std::size_t count) {
  std::vector<std::size_t> indices(count);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

}  // namespace gonogo::audit
