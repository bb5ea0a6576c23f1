// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/episode_headroom.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

namespace gonogo::paper {
namespace {

constexpr int kResamples = 10'000;
constexpr double kLevel = 0.95;

/// Cost of transport by episode and scale.
using Costs = std::vector<std::vector<double>>;

std::vector<double> Means(const Costs& costs, std::span<const std::size_t> rows) {
  std::vector<double> means(costs.front().size(), 0.0);
  for (const std::size_t row : rows) {
    for (std::size_t m = 0; m < means.size(); ++m) means[m] += costs[row][m];
  }
  for (double& mean : means) mean /= static_cast<double>(rows.size());
  return means;
}

double Gap(const Costs& costs, std::span<const std::size_t> rows) {
  const std::vector<double> means = Means(costs, rows);
  double oracle = 0.0;
  for (const std::size_t row : rows) {
    oracle += *std::min_element(costs[row].begin(), costs[row].end());
  }
  oracle /= static_cast<double>(rows.size());
  return 1.0 - oracle / *std::min_element(means.begin(), means.end());
}

}  // namespace

EpisodeHeadroom MeasureEpisodeHeadroom(const std::vector<study::PairedEpisode>& episodes,
                                       const RngStream& stream) {
  std::vector<std::size_t> scales(episodes.empty() ? 0 : episodes.front().result.size());
  for (std::size_t m = 0; m < scales.size(); ++m) scales[m] = m;
  Costs costs;
  for (const study::PairedEpisode& episode : study::JointlyDone(episodes, scales, true)) {
    costs.emplace_back();
    for (const sim::EpisodeResult& result : episode.result) costs.back().push_back(result.cot);
  }
  EpisodeHeadroom headroom{.episodes = costs.size()};
  if (costs.empty()) return headroom;
  std::vector<std::size_t> rows(costs.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  headroom.cot = Means(costs, rows);
  headroom.best = static_cast<std::size_t>(
      std::min_element(headroom.cot.begin(), headroom.cot.end()) - headroom.cot.begin());
  headroom.share.assign(scales.size(), 0.0);
  for (const std::vector<double>& row : costs) {
    const auto best = std::min_element(row.begin(), row.end()) - row.begin();
    headroom.share[static_cast<std::size_t>(best)] += 1.0 / static_cast<double>(costs.size());
  }
  headroom.gap = Gap(costs, rows);
  std::vector<double> gaps;
  Rng rng = stream.Generator();
  for (int b = 0; b < kResamples; ++b) {
    for (std::size_t& row : rows) row = rng.Below(costs.size());
    gaps.push_back(Gap(costs, rows));
  }
  headroom.interval = stats::PercentileInterval(gaps, kLevel);
  return headroom;
}

report::Section EpisodeHeadroomSection(const std::string& robot, const EpisodeHeadroom& headroom) {
  const bool h1 = robot == "h1";
  const bool published = h1 || robot == "go2";
  using report::ColumnKind;
  report::Table table{
      .caption = "",
      .columns = {{"quantity"}, {"paper", ColumnKind::kNumber}, {"ours", ColumnKind::kNumber}}};
  const auto theirs = [&](const char* go2, const char* other) {
    return published ? std::string(h1 ? other : go2) : std::string();
  };
  table.rows.push_back({"episodes in which every scale succeeds", theirs("72", "197"),
                        fmt::format("{}", headroom.episodes)});
  if (headroom.episodes > 0) {
    for (std::size_t m = 0; m < kScreenMethods.size(); ++m) {
      const bool lowest = kScreenMethods[m] == "scale-0.75";
      table.rows.push_back({kScreenMethods[m] + " is the cheapest (%)",
                            lowest ? theirs("78", "74") : "",
                            fmt::format("{:.1f}", 100 * headroom.share[m])});
    }
    for (std::size_t m = 0; m < kScreenMethods.size(); ++m) {
      table.rows.push_back({"mean cost of transport, " + kScreenMethods[m], "",
                            fmt::format("{:.3f}", headroom.cot[m])});
    }
    table.rows.push_back(
        {"oracle per episode over the best single scale (%)",
         theirs("1.0 [0.5, 1.7]", "1.9 [1.1, 3.0]"),
         fmt::format("{:.2f} [{:.2f}, {:.2f}]", 100 * headroom.gap, 100 * headroom.interval->lower,
                     100 * headroom.interval->upper)});
  }
  return {.id = "episode-headroom-" + robot,
          .title = "Stage 1: episode-level headroom of " + robot,
          .blocks = {report::Paragraph{
                         "Scales 0.75, 0.90 and 1.00 held for whole episodes from identical "
                         "starts. The interval resamples episodes: descriptive, and no bound on "
                         "switching within an episode."},
                     table}};
}

}  // namespace gonogo::paper
