// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "gonogo/report/page.h"
#include "gonogo/stats/interval.h"
#include "gonogo/study/paired_episodes.h"

namespace gonogo::paper {

/// Scales of the episode-level screen, as methods of an evaluation.
inline const std::vector<std::string> kScreenMethods{"direct", "scale-0.90", "scale-0.75"};

/// What choosing the best scale per episode would save over the best single one.
struct EpisodeHeadroom {
  std::size_t episodes = 0;                      ///< in which every scale succeeded
  std::size_t best = 0;                          ///< scale with the lowest mean cost of transport
  std::vector<double> cot = {};                  ///< mean of each scale
  std::vector<double> share = {};                ///< of the episodes in which it is the cheapest
  double gap = 0.0;                              ///< 1 - oracle / best
  std::optional<stats::Interval> interval = {};  ///< episode bootstrap, descriptive
};

/// `episodes` must hold one result per scale; those in which one fails are left out.
[[nodiscard]] EpisodeHeadroom MeasureEpisodeHeadroom(
    const std::vector<study::PairedEpisode>& episodes, const RngStream& stream);

/// Stage 1 of the audit, the paper's numbers for the robot beside it.
[[nodiscard]] report::Section EpisodeHeadroomSection(const std::string& robot,
                                                     const EpisodeHeadroom& headroom);

}  // namespace gonogo::paper
