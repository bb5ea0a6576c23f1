// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/data/metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "gonogo/base/check.h"
#include "gonogo/stats/moments.h"

namespace gonogo::response {

RegressionScore ScoreRegression(std::span<const double> predicted,
                                std::span<const double> measured) {
  GONOGO_CHECK(predicted.size() == measured.size() && !measured.empty());
  const auto n = static_cast<double>(measured.size());
  double absolute = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const double error = predicted[i] - measured[i];
    absolute += std::abs(error);
    squares += error * error;
  }
  const double variance = stats::Variance(measured, 0);
  return {.mae = absolute / n,
          .rmse = std::sqrt(squares / n),
          .r2 = variance > 0.0 ? 1.0 - squares / n / variance : 0.0};
}

double AreaUnderCurve(std::span<const double> scores, std::span<const double> labels) {
  GONOGO_CHECK(scores.size() == labels.size());
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  double positives = 0.0;
  double rank_sum = 0.0;  // of the positives, tied scores sharing their mean rank
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && scores[order[end]] == scores[order[begin]]) ++end;
    const double rank = 0.5 * static_cast<double>(begin + 1 + end);
    for (; begin < end; ++begin) {
      if (!(labels[order[begin]] > 0.5)) continue;
      positives += 1.0;
      rank_sum += rank;
    }
  }
  const double negatives = static_cast<double>(scores.size()) - positives;
  if (positives == 0.0 || negatives == 0.0) return 0.5;
  return (rank_sum - positives * (positives + 1.0) / 2.0) / (positives * negatives);
}

}  // namespace gonogo::response
