// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/paper/studies/studies.h"
#include "gonogo/paper/testing/made_up_sections.h"
#include "gonogo/report/page/section_text.h"

namespace gonogo::paper {
namespace {

using testing::_;
using testing::ElementsAre;

/// Two starts; every scale reaches the target, except the slowest from the second start on demand.
study::Evaluation Leg(const std::array<double, 4>& work, bool last_misses) {
  const std::array<double, 4> time{1.0, 1.2, 1.6, 2.2};
  study::Evaluation leg;
  leg.methods = {"direct", "scale-0.90", "scale-0.75", "scale-0.60"};
  for (std::size_t m = 0; m < 4; ++m) {
    for (int trial = 0; trial < 2; ++trial) {
      study::EvaluatedEpisode record{.method = m, .trial = trial};
      record.result.reached = !(last_misses && m == 3 && trial == 1);
      record.result.work_j = work.at(m);
      record.result.time_s = time.at(m);
      record.result.cot = work.at(m) / 100.0;
      leg.episodes.push_back(record);
    }
  }
  return leg;
}

TEST(TerrainTest, EqualGroundsGainNothingFromTheirOwnScales) {
  const TerrainStudy study{Leg({100, 90, 80, 75}, false), Leg({100, 90, 80, 75}, false)};
  const SharedBudget shared = MeasureSharedBudget(study, RngStream(1));
  EXPECT_NEAR(shared.best.gain(), 0.0, 1e-12);
  EXPECT_NEAR(shared.interval.upper, 0.0, 1e-12);
}

TEST(TerrainTest, SlowingDownWhereItPaysSavesWork) {
  const TerrainStudy study{Leg({100, 99, 98, 97}, false), Leg({200, 150, 120, 110}, false)};
  const SharedBudget shared = MeasureSharedBudget(study, RngStream(1));
  EXPECT_GT(shared.best.gain(), 0.02);
  // Every episode is the same, so that resampling changes nothing.
  EXPECT_NEAR(shared.interval.lower, shared.best.gain(), 1e-12);
}

TEST(TerrainTest, OnlyEpisodesThatEveryScaleCompletesCount) {
  const TerrainStudy study{Leg({100, 90, 80, 75}, false), Leg({100, 90, 80, 75}, true)};
  const std::string text = report::SectionText(TerrainSection(study, RngStream(1)));
  EXPECT_THAT(text, testing::HasSubstr("2 of 2 flat and 1 of 2 rough"));
  EXPECT_THAT(text, testing::HasSubstr("1.6 [0.8, 8.4]"));
}

TEST(TerrainTest, EveryScaleStandsUnderThePapersRowOfThatScale) {
  const TerrainStudy study{Leg({100, 90, 80, 75}, false), Leg({200, 190, 180, 175}, false)};
  const report::Section section = TerrainSection(study, RngStream(1));
  EXPECT_THAT(RowOf(section, 1, {"scale-0.60", "paper"}),
              ElementsAre(_, _, "0.882", "148.8", "2.90", "1.447", "247.8", "3.31"));
  EXPECT_THAT(RowOf(section, 1, {"scale-0.60", "ours"}),
              ElementsAre(_, _, "0.750", "75.0", "2.20", "1.750", "175.0", "2.20"));
  EXPECT_EQ(RowOf(section, 1, {"direct", "paper"}).at(2), "1.027");
}

TEST(TerrainTest, TheSavingIsInPerCentAsThePapersIs) {
  const TerrainStudy study{Leg({100, 99, 98, 97}, false), Leg({200, 150, 120, 110}, false)};
  const double gain = MeasureSharedBudget(study, RngStream(1)).best.gain();
  const std::vector<std::string> row = RowOf(TerrainSection(study, RngStream(1)), 2,
                                             {"largest saving of terrain-dependent scales (%)"});
  EXPECT_EQ(row.at(1), "1.6 [0.8, 8.4]");
  EXPECT_EQ(row.at(2).substr(0, row.at(2).find(' ')), fmt::format("{:.2f}", 100.0 * gain));
}

}  // namespace
}  // namespace gonogo::paper
