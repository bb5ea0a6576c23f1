// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/pairs/estimate.h"

#include <algorithm>
#include <cmath>

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
  for (std::size_t b = 0; b < deviation.size(); ++b) {
    const double explained = estimate.slope * (design.departs_more[b] - mean_x);
    estimate.instability += (deviation[b][0] - explained) * (deviation[b][1] - explained) / fits;
    const double residual = 0.5 * (deviation[b][0] + deviation[b][1]) - mean_y - explained;
    residuals += residual * residual;
  }
  if (xx > 0.0) estimate.correction = residuals / (fits - 2.0) * mean_x * mean_x / xx;
  return estimate;
}

}  // namespace gonogo::audit
