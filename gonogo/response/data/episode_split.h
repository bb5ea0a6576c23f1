// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gonogo/base/rng.h"

namespace gonogo::response {

/// Rows of a data set divided by whole episodes, so that no episode is on two sides.
struct EpisodeSplit {
  std::vector<int> training;
  std::vector<int> validation;  ///< chooses the checkpoint
  std::vector<int> test;        ///< is only reported; empty if not asked for
};

/// Draws the given shares of the episodes (of each at least one) for validation and test and leaves
/// the rest for training. Needs an episode for every side.
[[nodiscard]] EpisodeSplit SplitEpisodes(std::span<const std::int32_t> episode_of_row,
                                         double validation_share, double test_share,
                                         const RngStream& stream);

/// Rows of a share of the episodes that `rows` come from, in order. Smaller shares of the same
/// stream are subsets of larger ones.
[[nodiscard]] std::vector<int> SubsampleEpisodes(std::span<const int> rows,
                                                 std::span<const std::int32_t> episode_of_row,
                                                 double share, const RngStream& stream);

}  // namespace gonogo::response
