// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/evaluate/scale_oracle.h"

#include <algorithm>

#include "gonogo/base/check.h"
#include "gonogo/study/evaluate/resampling.h"

namespace gonogo::study {
namespace {

using CotTable = std::vector<std::vector<double>>;  // [start][scale]

CotTable CommonSuccesses(const Evaluation& evaluation, const std::vector<std::string>& methods) {
  std::vector<std::span<const EpisodeRecord>> episodes;
  for (const std::string& name : methods) {
    const std::size_t m = evaluation.Find(name);
    GONOGO_CHECK(m < evaluation.methods.size());
    episodes.push_back(evaluation.Episodes(m));
  }
  CotTable table;
  for (std::size_t i = 0; i < episodes.front().size(); ++i) {
    std::vector<double> row;
    for (const std::span<const EpisodeRecord> of_method : episodes) {
      if (of_method[i].result.success) row.push_back(of_method[i].result.cot);
    }
    if (row.size() == episodes.size()) table.push_back(std::move(row));
  }
  return table;
}

struct Means {
  std::vector<double> scale;
  double oracle = 0.0;

  [[nodiscard]] std::size_t best() const {
    return static_cast<std::size_t>(std::min_element(scale.begin(), scale.end()) - scale.begin());
  }
  [[nodiscard]] double gap() const { return 1.0 - oracle / scale[best()]; }
};

/// Means over rows `row(0)` … `row(count - 1)` of the table.
template <typename Row>
Means MeansOver(std::size_t count, const Row& row) {
  Means means;
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<double>& cots = row(i);
    means.scale.resize(cots.size());
    for (std::size_t s = 0; s < cots.size(); ++s) {
      means.scale[s] += cots[s] / static_cast<double>(count);
    }
    means.oracle += *std::min_element(cots.begin(), cots.end()) / static_cast<double>(count);
  }
  return means;
}

}  // namespace

ScaleOracle FindScaleOracle(const Evaluation& evaluation, const std::vector<std::string>& methods,
                            const RngStream& stream) {
  const CotTable table = CommonSuccesses(evaluation, methods);
  ScaleOracle oracle{.episodes = table.size()};
  for (const std::string& name : methods) oracle.scales.push_back({.method = name});
  if (table.empty()) return oracle;
  const Means means = MeansOver(
      table.size(), [&](std::size_t i) -> const auto& { return table[i]; });
  for (std::size_t s = 0; s < methods.size(); ++s) oracle.scales[s].mean_cot = means.scale[s];
  for (const std::vector<double>& cots : table) {
    const auto least = std::min_element(cots.begin(), cots.end()) - cots.begin();
    oracle.scales[static_cast<std::size_t>(least)].share += 1.0 / static_cast<double>(table.size());
  }
  oracle.best = means.best();
  oracle.oracle_cot = means.oracle;
  oracle.gap = means.gap();
  // The best single scale is chosen anew in every resample.
  std::vector<double> gaps;
  Rng rng = stream.Generator();
  for (int b = 0; b < kResamples; ++b) {
    gaps.push_back(MeansOver(
                       table.size(),
                       [&](std::size_t) -> const auto& { return table[rng.Below(table.size())]; })
                       .gap());
  }
  oracle.interval = stats::PercentileInterval(gaps, kLevel);
  return oracle;
}

}  // namespace gonogo::study
