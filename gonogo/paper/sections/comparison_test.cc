// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/sections/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/paper/testing/made_up_evaluation.h"
#include "gonogo/paper/testing/made_up_sections.h"

namespace gonogo::paper {
namespace {

using testing::ElementsAre;

report::Section Only(report::Table table) {
  return {.id = "", .title = "", .blocks = {std::move(table)}};
}

TEST(MeansTableTest, OrdersMethodsByTimeAndSaysWhatWasRun) {
  study::Evaluation evaluation = MadeUp({"direct", "vgcc"}, {2.0, 1.8}, {0.8, 0.72});
  for (study::EvaluatedEpisode& episode : evaluation.episodes) {
    if (episode.method == 1) episode.result.time_s = 1.0;
  }
  const report::Table table = MeansTable(evaluation);
  EXPECT_EQ(table.caption, "go2, harder targets: 16 episodes per method on 2 seeds, by time");
  EXPECT_EQ(table.rows.front().front().text, "vgcc");
  EXPECT_EQ(RowOf(Only(table), 1, {"direct"}).at(3), "80.0");
}

TEST(PairedTableTest, CountsTheSeedsOnWhichAMethodNeedsLess) {
  study::Evaluation evaluation = MadeUp({"direct", "vgcc"}, {2.0, 1.8}, {0.8, 0.72});
  for (study::EvaluatedEpisode& episode : evaluation.episodes) {
    if (episode.method == 1 && episode.seed == 2) episode.result.work_j = 88.0;
  }
  EXPECT_THAT(RowOf(Only(PairedTable(evaluation)), 1, {"vgcc"}),
              ElementsAre("vgcc", "−10.0 % … −10.0 %", "2 of 2", "0.5", "−10.0 % … +10.0 %",
                          "1 of 2", "1", "0.000 … 0.000"));
}

TEST(ReasonTableTest, ShowsSharesOfTheReasonsThatOccur) {
  study::Evaluation evaluation = MadeUp({"direct", "vgcc"}, {2.0, 1.8}, {0.8, 0.72});
  for (study::EvaluatedEpisode& episode : evaluation.episodes) {
    if (episode.method == 1) episode.reasons[1] = 30;
  }
  const report::Table table = ReasonTable(evaluation);
  ASSERT_EQ(table.columns.size(), 3U);
  EXPECT_THAT(RowOf(Only(table), 1, {"direct"}), ElementsAre("direct", "100.0 %", ""));
  EXPECT_THAT(RowOf(Only(table), 1, {"vgcc"}), ElementsAre("vgcc", "25.0 %", "75.0 %"));
}

}  // namespace
}  // namespace gonogo::paper
