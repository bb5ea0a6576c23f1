// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/paired_episodes.h"

#include <algorithm>

#include "gonogo/base/check.h"

namespace gonogo::study {

std::vector<PairedEpisode> PairEpisodes(const std::vector<EpisodeRecord>& records,
                                        std::size_t methods) {
  GONOGO_CHECK(methods > 0 && records.size() % methods == 0);
  const std::size_t starts = records.size() / methods;
  std::vector<PairedEpisode> episodes;
  for (std::size_t i = 0; i < starts; ++i) {
    const EpisodeRecord& first = records[i];
    PairedEpisode episode{first.seed, first.target, first.trial, {}};
    for (std::size_t m = 0; m < methods; ++m) {
      const EpisodeRecord& record = records[m * starts + i];
      GONOGO_CHECK(record.method == m && record.seed == first.seed &&
                   record.target == first.target && record.trial == first.trial);
      episode.result.push_back(record.result);
    }
    episodes.push_back(std::move(episode));
  }
  return episodes;
}

std::vector<PairedEpisode> JointlyDone(std::vector<PairedEpisode> episodes,
                                       const std::vector<std::size_t>& methods, bool success) {
  std::erase_if(episodes, [&](const PairedEpisode& episode) {
    return !std::all_of(methods.begin(), methods.end(), [&](std::size_t m) {
      return success ? episode.result[m].success : episode.result[m].reached;
    });
  });
  return episodes;
}

}  // namespace gonogo::study
