// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gonogo/base/rng.h"
#include "gonogo/stats/interval.h"
#include "gonogo/study/evaluate/evaluate.h"

namespace gonogo::study {

/// Means over episodes. The intervals resample episodes, which share seeds: descriptive only.
struct MethodSummary {
  std::string name;
  std::size_t episodes = 0;
  double success = 0.0;
  double effort = 0.0;
  double work_j = 0.0;
  double power_w = 0.0;
  double time_s = 0.0;
  double cot = 0.0;
  double path_m = 0.0;
  double work_per_metre = 0.0;  ///< work of all episodes over the path of all episodes
  double control_work_j = 0.0;  ///< read once per control step, as the next three
  double control_power_w = 0.0;
  double control_cot = 0.0;
  double control_effort = 0.0;
  double final_distance_m = 0.0;
  double final_height_m = 0.0;
  double terminations = 0.0;  ///< share of the episodes
  double active = 0.0;        ///< active decisions per episode
  ReasonCounts reasons{};     ///< decisions, summed over the episodes
  stats::Interval success_interval;
  stats::Interval effort_interval;
};

/// `episodes` must not be empty. `stream` draws the resamples.
[[nodiscard]] MethodSummary Summarise(std::span<const EvaluatedEpisode> episodes, std::string name,
                                      const RngStream& stream);

/// Every method of an evaluation, in its order.
[[nodiscard]] std::vector<MethodSummary> SummariseAll(const Evaluation& evaluation);

/// A number of one episode.
using EpisodeQuantity = double (*)(const EvaluatedEpisode&);
[[nodiscard]] double Effort(const EvaluatedEpisode& episode);
[[nodiscard]] double Work(const EvaluatedEpisode& episode);
[[nodiscard]] double Success(const EvaluatedEpisode& episode);

/// A method and the reference on the same starts of one seed.
struct SeedDifference {
  std::uint64_t seed = 0;
  double method_mean = 0.0;
  double reference_mean = 0.0;

  [[nodiscard]] double absolute() const { return method_mean - reference_mean; }
  [[nodiscard]] double relative() const { return method_mean / reference_mean - 1.0; }
};

[[nodiscard]] std::vector<SeedDifference> ComparePaired(const Evaluation& evaluation,
                                                        std::size_t method, std::size_t reference,
                                                        EpisodeQuantity quantity);

/// Two-sided exact sign test over the seeds, which are the independent units.
[[nodiscard]] double SignTest(std::span<const SeedDifference> differences);

}  // namespace gonogo::study
