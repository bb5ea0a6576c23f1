// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/base/run_control.h"
#include "gonogo/sim/target_run.h"
#include "gonogo/stats/interval.h"
#include "gonogo/study/methods.h"
#include "gonogo/study/site.h"

namespace gonogo::study {

/// Methods x targets x seeds x trials; every method starts every episode from the same state.
struct EvaluationPlan {
  std::string family = "harder";
  std::vector<std::uint64_t> seeds;
  int trials = 10;
};

/// How many decisions of an episode had each reason.
using ReasonCounts = std::array<int, 16>;

/// One episode and where it belongs.
struct EpisodeRecord {
  std::size_t method = 0;
  std::uint64_t seed = 0;
  std::size_t target = 0;
  int trial = 0;
  sim::EpisodeResult result;
  ReasonCounts reasons{};
  int active = 0;  ///< decisions whose command was not the direct one
};

/// Runs all episodes, in the order method, seed, target, trial; the same for any number of jobs.
[[nodiscard]] Result<std::vector<EpisodeRecord>> RunEvaluation(const Site& site,
                                                               const std::vector<Method>& methods,
                                                               const EvaluationPlan& plan,
                                                               const RunControl& control);

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
  double work_per_metre = 0.0;
  double final_distance_m = 0.0;
  double final_height_m = 0.0;
  double terminations = 0.0;  ///< share of the episodes
  double active = 0.0;        ///< active decisions per episode
  ReasonCounts reasons{};     ///< decisions, summed over the episodes
  stats::Interval success_interval;
  stats::Interval effort_interval;
};

/// Difference to a reference method in one quantity, seed by seed on the same starts.
struct PairedDifference {
  std::vector<double> per_seed;  ///< relative change of the seed's mean
  double p_value = 1.0;          ///< exact two-sided sign test over the seeds
};

[[nodiscard]] MethodSummary Summarise(const std::vector<EpisodeRecord>& records, std::size_t method,
                                      const std::string& name, const RngStream& stream);

/// Relative change of a mean against the reference, per seed.
[[nodiscard]] PairedDifference ComparePaired(const std::vector<EpisodeRecord>& records,
                                             std::size_t method, std::size_t reference,
                                             double sim::EpisodeResult::*quantity);

}  // namespace gonogo::study
