// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/data/episode_split.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace gonogo::response {
namespace {

std::vector<std::int32_t> TenEpisodes() {
  std::vector<std::int32_t> episodes;
  for (std::int32_t e = 0; e < 10; ++e) episodes.insert(episodes.end(), 3 + e, e);
  return episodes;
}

std::set<std::int32_t> Episodes(const std::vector<int>& rows) {
  std::set<std::int32_t> episodes;
  for (const int row : rows) episodes.insert(TenEpisodes()[static_cast<std::size_t>(row)]);
  return episodes;
}

TEST(EpisodeSplitTest, SidesAreDisjointWholeEpisodesAndCoverEverything) {
  const EpisodeSplit split = SplitEpisodes(TenEpisodes(), 0.2, 0.1, RngStream(3));
  EXPECT_EQ(Episodes(split.validation).size(), 2U);
  EXPECT_EQ(Episodes(split.test).size(), 1U);
  EXPECT_EQ(Episodes(split.training).size(), 7U);
  std::set<std::int32_t> all = Episodes(split.training);
  all.merge(Episodes(split.validation));
  all.merge(Episodes(split.test));
  EXPECT_EQ(all.size(), 10U);
  EXPECT_EQ(split.training.size() + split.validation.size() + split.test.size(),
            TenEpisodes().size());
}

TEST(EpisodeSplitTest, SmallerSubsamplesAreNestedInLargerOnes) {
  const EpisodeSplit split = SplitEpisodes(TenEpisodes(), 0.2, 0.0, RngStream(3));
  const auto half = SubsampleEpisodes(split.training, TenEpisodes(), 0.5, RngStream(4));
  const auto quarter = SubsampleEpisodes(split.training, TenEpisodes(), 0.25, RngStream(4));
  EXPECT_EQ(Episodes(half).size(), 4U);
  EXPECT_EQ(Episodes(quarter).size(), 2U);
  EXPECT_TRUE(std::includes(half.begin(), half.end(), quarter.begin(), quarter.end()));
  EXPECT_EQ(SubsampleEpisodes(split.training, TenEpisodes(), 1.0, RngStream(4)), split.training);
}

}  // namespace
}  // namespace gonogo::response
