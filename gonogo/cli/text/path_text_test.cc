// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/text/path_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The first of two looks: H_dep waits for its lower bound, q for its upper one.
audit::LookReading Undecided() {
  return {
      .look = 1,
      .looks = 2,
      .clusters = 20,
      .alpha = 0.0089,
      .reading = "ABSTAIN",
      .channels = {{.name = "H_dep", .point = 0.012, .lower = 0.0041, .threshold = 0.01},
                   {.name = "q", .lower = 0.0, .upper = 0.031, .threshold = 0.05, .above = false}},
      .later = {{80, 0.62, 0.05}}};
}

TEST(PathTextTest, ALookIsOneLineWithTheBoundsThatAGoWaitsForAndWhatMayCome) {
  EXPECT_EQ(LookLine(Undecided()),
            "look 1 of 2, 20 clusters: H_dep at least 0.41 % (needs > 1.00 %), q at most 3.10 % "
            "(needs <= 5.00 %), reads ABSTAIN; the next look is at 80 clusters: its chance of a "
            "GO is about 62 %, that of a NO-GO about 5 %, if the estimates stay where they are");
}

TEST(PathTextTest, TheChanceOfTheNextLookIsShownOnlyWhereOneFollows) {
  const Terminal plain(ColorMode::kNever, true);
  audit::LookReading second = Undecided();
  second.look = 2;
  second.clusters = 80;
  second.reading = "GO";
  second.later = {};
  second.then = audit::AfterLook::kDecided;
  const std::string path = PathText({Undecided(), second}, plain);
  EXPECT_THAT(path, HasSubstr("ABSTAIN     62 %"));
  EXPECT_THAT(path, HasSubstr("no further clusters are needed"));
  EXPECT_THAT(PathText({second}, plain), Not(HasSubstr("62 %")));
  EXPECT_EQ(PathText({}, plain), "");
}

}  // namespace
}  // namespace gonogo::cli
