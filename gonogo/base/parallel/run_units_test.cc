// SPDX-License-Identifier: Apache-2.0
// Units without a team; gonogo/team/rank_team_test.cc has those of several ranks.
#include "gonogo/base/parallel/run_units.h"

#include <atomic>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo {
namespace {

TeamWork Squares(std::size_t count, int at_once) {
  TeamWork work{.what = "squares", .count = count, .at_once = at_once};
  work.make = [](std::size_t i, const std::stop_token&) { return std::to_string(i * i); };
  return work;
}

TEST(RunUnitsTest, GivesTheResultsInTheirOrderForAnyNumberOfThreads) {
  for (const int jobs : {1, 4}) {
    const auto all = RunUnits(Squares(5, jobs), {});
    ASSERT_TRUE(all.ok());
    EXPECT_THAT(all.value(), testing::ElementsAre("0", "1", "4", "9", "16"));
  }
}

TEST(RunUnitsTest, MakesAndKeepsOnlyWhatWasNotKept) {
  TeamWork work = Squares(4, 2);
  work.kept = [](std::size_t i) {
    return i % 2 == 0 ? std::optional<std::string>("kept") : std::nullopt;
  };
  std::atomic<std::size_t> saved = 0;
  work.keep = [&](std::size_t i, const std::string& bytes) -> Status {
    EXPECT_EQ(bytes, std::to_string(i * i));
    ++saved;
    return {};
  };
  std::atomic<std::size_t> calls = 0;
  const auto progress = [&](std::size_t done, std::size_t total) {
    EXPECT_GT(done, 2U);
    EXPECT_EQ(total, 4U);
    ++calls;
  };
  EXPECT_THAT(RunUnits(work, {.progress = progress}).value(),
              testing::ElementsAre("kept", "1", "kept", "9"));
  EXPECT_EQ(saved, 2U);
  EXPECT_EQ(calls, 2U);
  work.everywhere = false;
  EXPECT_THAT(RunUnits(work, {}).value(), testing::ElementsAre("", "", "", ""));
}

TEST(RunUnitsTest, AFailureEndsTheRunAndIsItsError) {
  TeamWork work = Squares(100, 1);
  std::size_t made = 0;
  work.make = [&](std::size_t i, const std::stop_token&) -> Result<std::string> {
    ++made;
    if (i == 3) return InputError("unit 3 is broken");
    return std::string("fine");
  };
  EXPECT_EQ(RunUnits(work, {}).error().message, "unit 3 is broken");
  EXPECT_EQ(made, 4U);
  work.keep = [](std::size_t, const std::string&) -> Status { return IoError("disk is full"); };
  EXPECT_EQ(RunUnits(work, {}).error().message, "disk is full");
}

TEST(RunUnitsTest, AnInterruptionSaysHowFarItCame) {
  std::stop_source stop;
  const auto progress = [&](std::size_t done, std::size_t) {
    if (done == 2) stop.request_stop();
  };
  const auto cut = RunUnits(Squares(5, 1), {.stop = stop.get_token(), .progress = progress});
  ASSERT_FALSE(cut.ok());
  EXPECT_EQ(cut.error().kind, ErrorKind::kInterrupted);
  EXPECT_EQ(cut.error().message, "stopped after 2 of 5 squares");
}

}  // namespace
}  // namespace gonogo
