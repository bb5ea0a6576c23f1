// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gonogo/base/rng.h"
#include "gonogo/stats/interval.h"
#include "gonogo/study/evaluate/evaluate.h"

namespace gonogo::study {

/// One scale among those that were compared.
struct ScaleShare {
  std::string method;
  double mean_cot = 0.0;
  double share = 0.0;  ///< of the episodes in which it needs least; ties go to the first
};

/// Stage 1 of the paper's audit: what choosing one scale per episode with hindsight would save over
/// the best single scale. Only starts from which every scale succeeded count.
struct ScaleOracle {
  std::size_t episodes = 0;
  std::vector<ScaleShare> scales;
  std::size_t best = 0;      ///< of `scales`: lowest mean cost of transport
  double oracle_cot = 0.0;   ///< mean of the lowest of each episode
  double gap = 0.0;          ///< 1 - oracle_cot / mean of the best scale
  stats::Interval interval;  ///< of the gap, resampling episodes: descriptive
};

/// `methods` are names in the evaluation. With no common success everything is zero.
[[nodiscard]] ScaleOracle FindScaleOracle(const Evaluation& evaluation,
                                          const std::vector<std::string>& methods,
                                          const RngStream& stream);

/// Mean completion time and mean cost of transport.
struct TimeCot {
  double time_s = 0.0;
  double cot = 0.0;
};

/// Cost of transport of a frontier at a time, linear between neighbours; nothing outside them.
[[nodiscard]] std::optional<double> CotAt(std::vector<TimeCot> frontier, double time_s);

/// A method against the frontier of fixed scales at the method's own mean completion time.
struct IsoTime {
  std::string method;
  double time_s = 0.0;
  double cot = 0.0;
  /// Cost of transport of the frontier at that time, linear between neighbouring scales; nothing
  /// where the method is faster or slower than all of them.
  std::optional<double> frontier_cot;
  /// Of cot / frontier_cot - 1, resampling starts for all methods together: descriptive. Nothing if
  /// a resample leaves the range of the frontier.
  std::optional<stats::Interval> interval;

  [[nodiscard]] std::optional<double> excess() const {
    return frontier_cot ? std::optional(cot / *frontier_cot - 1.0) : std::nullopt;
  }
};

/// `frontier` names at least two methods of the evaluation; the others are compared with them.
[[nodiscard]] std::vector<IsoTime> CompareAtEqualTime(const Evaluation& evaluation,
                                                      const std::vector<std::string>& frontier,
                                                      const RngStream& stream);

}  // namespace gonogo::study
