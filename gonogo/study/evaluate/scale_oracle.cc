// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/evaluate/scale_oracle.h"

#include <algorithm>

#include "gonogo/base/check.h"
#include "gonogo/study/evaluate/resampling.h"

namespace gonogo::study {
namespace {

using CotTable = std::vector<std::vector<double>>;  // [start][scale]

CotTable CommonSuccesses(const Evaluation& evaluation, const std::vector<std::string>& methods) {
  std::vector<std::span<const EvaluatedEpisode>> episodes;
  for (const std::string& name : methods) {
    const std::size_t m = evaluation.Find(name);
    GONOGO_CHECK(m < evaluation.methods.size());
    episodes.push_back(evaluation.Episodes(m));
  }
  CotTable table;
  for (std::size_t i = 0; i < episodes.front().size(); ++i) {
    std::vector<double> row;
    for (const std::span<const EvaluatedEpisode> of_method : episodes) {
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

namespace {

/// Mean time and cost of transport of a method over the starts `rows`.
TimeCot MeanPoint(std::span<const EvaluatedEpisode> episodes, std::span<const std::size_t> rows) {
  TimeCot mean;
  for (const std::size_t i : rows) {
    mean.time_s += episodes[i].result.time_s / static_cast<double>(rows.size());
    mean.cot += episodes[i].result.cot / static_cast<double>(rows.size());
  }
  return mean;
}

IsoTime Compare(const Evaluation& evaluation, std::size_t method,
                const std::vector<std::size_t>& frontier, std::span<const std::size_t> rows) {
  std::vector<TimeCot> points;
  for (const std::size_t m : frontier) points.push_back(MeanPoint(evaluation.Episodes(m), rows));
  const TimeCot own = MeanPoint(evaluation.Episodes(method), rows);
  return {.method = evaluation.methods[method],
          .time_s = own.time_s,
          .cot = own.cot,
          .frontier_cot = CotAt(std::move(points), own.time_s)};
}

}  // namespace

std::optional<double> CotAt(std::vector<TimeCot> frontier, double time_s) {
  std::sort(frontier.begin(), frontier.end(),
            [](const TimeCot& a, const TimeCot& b) { return a.time_s < b.time_s; });
  for (std::size_t i = 0; i + 1 < frontier.size(); ++i) {
    const TimeCot& left = frontier[i];
    const TimeCot& right = frontier[i + 1];
    if (time_s < left.time_s || time_s > right.time_s) continue;
    const double span = right.time_s - left.time_s;
    const double share = span > 0.0 ? (time_s - left.time_s) / span : 0.0;
    return left.cot + share * (right.cot - left.cot);
  }
  return std::nullopt;
}

std::vector<IsoTime> CompareAtEqualTime(const Evaluation& evaluation,
                                        const std::vector<std::string>& frontier,
                                        const RngStream& stream) {
  GONOGO_CHECK(frontier.size() >= 2);
  std::vector<std::size_t> scales;
  for (const std::string& name : frontier) scales.push_back(evaluation.Find(name));
  const std::size_t starts = evaluation.Episodes(0).size();
  std::vector<std::size_t> all(starts);
  for (std::size_t i = 0; i < starts; ++i) all[i] = i;
  std::vector<IsoTime> compared;
  for (std::size_t m = 0; m < evaluation.methods.size(); ++m) {
    if (std::find(scales.begin(), scales.end(), m) != scales.end()) continue;
    IsoTime point = Compare(evaluation, m, scales, all);
    std::vector<double> excesses;
    std::vector<std::size_t> rows(starts);
    Rng rng = stream.Generator();
    for (int b = 0; b < kResamples; ++b) {
      for (std::size_t& row : rows) row = rng.Below(starts);
      if (const auto excess = Compare(evaluation, m, scales, rows).excess()) {
        excesses.push_back(*excess);
      }
    }
    if (excesses.size() == kResamples) {
      point.interval = stats::PercentileInterval(excesses, kLevel);
    }
    compared.push_back(std::move(point));
  }
  return compared;
}

}  // namespace gonogo::study
