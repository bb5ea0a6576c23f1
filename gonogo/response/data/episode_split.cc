// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/data/episode_split.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "gonogo/base/check.h"

namespace gonogo::response {
namespace {

/// Position of every episode in a random order.
std::map<std::int32_t, std::size_t> Positions(std::vector<std::int32_t> episodes,
                                              const RngStream& stream) {
  std::sort(episodes.begin(), episodes.end());
  episodes.erase(std::unique(episodes.begin(), episodes.end()), episodes.end());
  Rng rng = stream.Generator();
  rng.Shuffle(std::span(episodes));
  std::map<std::int32_t, std::size_t> position;
  for (std::size_t i = 0; i < episodes.size(); ++i) position[episodes[i]] = i;
  return position;
}

std::size_t Count(std::size_t episodes, double share) {
  if (share <= 0.0) return 0;
  const auto count = std::llround(share * static_cast<double>(episodes));
  return static_cast<std::size_t>(std::max(count, 1LL));
}

}  // namespace

EpisodeSplit SplitEpisodes(std::span<const std::int32_t> episode_of_row, double validation_share,
                           double test_share, const RngStream& stream) {
  const auto position = Positions({episode_of_row.begin(), episode_of_row.end()}, stream);
  const std::size_t validation = Count(position.size(), validation_share);
  const std::size_t test = Count(position.size(), test_share);
  GONOGO_CHECK(validation + test < position.size());
  EpisodeSplit split;
  for (std::size_t row = 0; row < episode_of_row.size(); ++row) {
    const std::size_t at = position.at(episode_of_row[row]);
    std::vector<int>& side = at < validation          ? split.validation
                             : at < validation + test ? split.test
                                                      : split.training;
    side.push_back(static_cast<int>(row));
  }
  return split;
}

std::vector<int> SubsampleEpisodes(std::span<const int> rows,
                                   std::span<const std::int32_t> episode_of_row, double share,
                                   const RngStream& stream) {
  std::vector<std::int32_t> episodes;
  for (const int row : rows) episodes.push_back(episode_of_row[static_cast<std::size_t>(row)]);
  const auto position = Positions(std::move(episodes), stream);
  const std::size_t kept = Count(position.size(), share);
  std::vector<int> subset;
  for (const int row : rows) {
    if (position.at(episode_of_row[static_cast<std::size_t>(row)]) < kept) subset.push_back(row);
  }
  return subset;
}

}  // namespace gonogo::response
