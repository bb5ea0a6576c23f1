// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gonogo/study/evaluate.h"

namespace gonogo::study {

/// The same start under every method: `result[m]` is what method m made of it.
struct PairedEpisode {
  std::uint64_t seed = 0;
  std::size_t target = 0;
  int trial = 0;
  std::vector<sim::EpisodeResult> result;
};

/// Records of an evaluation by their start, in the order of the first method.
[[nodiscard]] std::vector<PairedEpisode> PairEpisodes(const std::vector<EpisodeRecord>& records,
                                                      std::size_t methods);

/// Those in which every one of `methods` got there: with `success`, or merely reached the target
/// without an early end.
[[nodiscard]] std::vector<PairedEpisode> JointlyDone(std::vector<PairedEpisode> episodes,
                                                     const std::vector<std::size_t>& methods,
                                                     bool success);

}  // namespace gonogo::study
