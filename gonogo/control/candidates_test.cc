// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "gonogo/base/rng.h"
#include "gonogo/control/vgcc.h"

namespace gonogo::control {
namespace {

using robot::Command;
using robot::CommandBox;

TEST(CandidateSetTest, AGenericGoalGivesAboutSeventyCandidates) {
  const Command direct{0.31, 0.17, 0.5};
  const CandidateSet set(direct, {0.31, 0.17}, CommandBox{});
  EXPECT_EQ(set.commands().size(), 69U);  // 5 scalings, 4 yaw offsets, 60 of the grid
  EXPECT_EQ(set.commands().front(), direct);
}

TEST(CandidateSetTest, HoldsTheHandWorkedMembers) {
  const Command direct{0.5, 0.0, 0.0};
  const CandidateSet set(direct, {0.5, 0.0}, CommandBox{});
  const auto has = [&set](const Command& command) {
    return std::any_of(set.commands().begin(), set.commands().end(), [&](const Command& c) {
      return std::hypot(c.vx - command.vx, c.vy - command.vy, c.wz - command.wz) < 1e-12;
    });
  };
  for (const double scale : {0.4, 0.6, 0.8, 1.2}) EXPECT_TRUE(has(scale * direct)) << scale;
  for (const double offset : {-0.4, -0.2, 0.2, 0.4}) EXPECT_TRUE(has({0.5, 0.0, offset})) << offset;
  EXPECT_TRUE(has({0.75 * std::cos(0.6), -0.75 * std::sin(0.6), 0.0}));
  EXPECT_FALSE(has({0.35, 0.0, 0.0}));
}

TEST(CandidateSetTest, AGoalAheadHasNoYawRateToScaleSoTheGridCollapses) {
  // Without yaw the three yaw scalings coincide: 20 grid members, of which (0.5, 0, 0) is direct.
  const CandidateSet set({0.5, 0.0, 0.0}, {0.5, 0.0}, CommandBox{});
  EXPECT_EQ(set.commands().size(), 5U + 4U + 19U);
}

TEST(CandidateSetTest, ChannelsAddTheDirectCommandWithTheirValues) {
  const Command direct{0.5, 0.1, 0.2};
  CommandBox box;
  robot::CommandChannel lift{"lift", 4, 0.1, {0.05, 0.1, 0.9}};
  lift.Set(box.low, 0.0);
  lift.Set(box.high, 0.2);
  const std::size_t before = CandidateSet(direct, {0.5, 0.1}, box).commands().size();
  const std::array channels{robot::CommandChannel{"vx", 0}, lift};
  const CandidateSet set(direct, {0.5, 0.1}, box, channels);
  // The nominal value is the direct command again; what lies outside is clipped.
  ASSERT_EQ(set.commands().size(), before + 2);
  EXPECT_DOUBLE_EQ(lift.Of(set.commands()[before]), 0.05);
  EXPECT_DOUBLE_EQ(lift.Of(set.commands()[before + 1]), 0.2);
  EXPECT_EQ(set.commands()[before].vx, 0.5);
}

TEST(CandidateSetTest, EveryCandidateIsInTheBoxAndOccursOnce) {
  Rng rng = RngStream(5).Generator();
  const CommandBox box{.low = {-0.3, -0.6, -1.0}, .high = {0.9, 0.6, 1.0}};
  for (int trial = 0; trial < 200; ++trial) {
    const robot::Point2 goal{rng.Uniform(-2, 2), rng.Uniform(-2, 2)};
    const CandidateSet set(robot::DirectCommand(goal, {}, box), goal, box);
    const auto commands = set.commands();
    for (std::size_t i = 0; i < commands.size(); ++i) {
      EXPECT_TRUE(box.Contains(commands[i]));
      EXPECT_EQ(std::count(commands.begin(), commands.end(), commands[i]), 1);
    }
  }
}

}  // namespace
}  // namespace gonogo::control
