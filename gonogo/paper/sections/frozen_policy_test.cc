// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/sections/frozen_policy.h"

#include <gtest/gtest.h>

namespace gonogo::paper {
namespace {

const report::Table& TableOf(const report::Section& section) {
  return std::get<report::Table>(section.blocks.at(1));
}

TEST(FrozenPolicySection, PutsThePapersSuccessUnderOurs) {
  train::WalkEvaluation tried{.velocity_error = 0.1,
                              .yaw_error = 0.2,
                              .episodes = 4,
                              .survived = 3,
                              .stands = 2,
                              .stood = 2,
                              .stand_power_w = 1.25,
                              .targets = {{"harder", {8, 6, 6.8}}, {"own", {2, 1, 2.0}}}};
  const train::ScaleCost scale{.episodes = 8, .cot_full = 0.8, .cot_scaled = 0.72};
  const report::Table table = TableOf(FrozenPolicySection("go2", {{"learned", tried, scale}}, {}));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0][3].text, "0.750 (4)");
  EXPECT_EQ(table.rows[0][4].text, "1.2 W");
  EXPECT_EQ(table.rows[0][5].text, "0.900");  // 0.72 / 0.8
  EXPECT_EQ(table.rows[0][6].text, "0.750 (8)");
  EXPECT_EQ(table.rows[0][7].text, "0.850");  // 6.8 / 8
  EXPECT_EQ(table.rows[1][6].text, "0.805");
  EXPECT_EQ(table.rows[1][8].text, "") << "the paper knows no family of this name";
}

TEST(FrozenPolicySection, LeavesThePapersRowEmptyForAnUnknownRobot) {
  train::WalkEvaluation tried{.targets = {{"harder", {8, 6}}}};
  const report::Table table = TableOf(FrozenPolicySection("mine", {{"learned", tried}}, {}));
  EXPECT_EQ(table.rows[1][6].text, "");
}

TEST(FrozenPolicySection, EveryRobotHasThePapersSuccessOfThatRobot) {
  const train::WalkEvaluation tried{.targets = {{"harder", {8, 6}}, {"moderate", {8, 6}}}};
  const auto theirs = [&](const char* robot) {
    const report::Table table = TableOf(FrozenPolicySection(robot, {{"learned", tried}}, {}));
    return table.rows[1][6].text + "/" + table.rows[1][8].text;
  };
  EXPECT_EQ(theirs("go2"), "0.805/0.992");
  EXPECT_EQ(theirs("anymal_d"), "0.875/");
  EXPECT_EQ(theirs("h1"), "0.975/");
}

}  // namespace
}  // namespace gonogo::paper
