// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/rescue.h"

#include <utility>

namespace gonogo::study {

std::optional<PairedEpisode> FindRescue(const Evaluation& evaluation) {
  std::optional<PairedEpisode> best;
  std::pair<int, int> best_score;
  const std::span<const EpisodeRecord> reference = evaluation.Episodes(0);
  for (std::size_t m = 1; m < evaluation.methods.size(); ++m) {
    const std::span<const EpisodeRecord> episodes = evaluation.Episodes(m);
    for (std::size_t i = 0; i < episodes.size(); ++i) {
      const int rescues = episodes[i].count(control::Reason::kRescue);
      if (rescues == 0) continue;
      const std::pair score{int{episodes[i].result.success} - int{reference[i].result.success},
                            rescues};
      if (best && score <= best_score) continue;
      best = PairedEpisode{&episodes[i], &reference[i]};
      best_score = score;
    }
  }
  return best;
}

}  // namespace gonogo::study
