// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/ground_view.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

namespace gonogo::robot {
namespace {

RobotSpec Scanning() { return LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2").value(); }

/// What the robot sees of ground with these heights under a level body 0.4 m high.
std::vector<float> Seen(const RobotSpec& robot,
                        const std::function<double(double, double)>& ground) {
  std::vector<float> observation(static_cast<std::size_t>(robot.observation_size()), 7.0F);
  auto at = observation.begin() + robot.TermOffset(TermKind::kHeightScan);
  for (int iy = 0; iy < robot.scan.ny; ++iy) {
    for (int ix = 0; ix < robot.scan.nx; ++ix) {
      *at++ = static_cast<float>(0.4 - ground(0.1 * (ix - 8), 0.1 * (iy - 5)) - 0.5);
    }
  }
  return observation;
}

TEST(GroundViewTest, FlatGroundHasNoSpreadHoweverHighTheRobotStands) {
  const RobotSpec robot = Scanning();
  const GroundView view = GroundView::Create(robot).value();
  for (const float value : view.Of(Seen(robot, [](double, double) { return -0.03; }), {2.0, 1.0})) {
    EXPECT_NEAR(value, 0.0, 2e-4);
  }
}

TEST(GroundViewTest, AStepIsSeenWhereTheGoalLies) {
  const RobotSpec robot = Scanning();
  const GroundView view = GroundView::Create(robot).value();
  // 8 cm higher from 0.45 m ahead on.
  const std::vector<float> seen =
      Seen(robot, [](double x, double) { return x > 0.45 ? 0.08 : 0.0; });
  const auto towards = view.Of(seen, {2.0, 0.0});
  EXPECT_NEAR(towards[0], 0.0, 1e-4);
  // Of the columns 0.2 to 0.8 m ahead three are low and four are high.
  EXPECT_NEAR(towards[1], 0.08 * std::sqrt(3.0 * 4.0) / 7.0, 1e-4);
  EXPECT_NEAR(towards[2], 0.08, 1e-4);
  EXPECT_NEAR(towards[3], 0.0, 1e-4);
  for (const Point2 elsewhere : {Point2{-2.0, 0.0}, Point2{0.0, 1.0}}) {
    for (const float value : view.Of(seen, elsewhere)) EXPECT_NEAR(value, 0.0, 2e-4);
  }
}

TEST(GroundViewTest, ADropIsNoRise) {
  const RobotSpec robot = Scanning();
  const auto view = GroundView::Create(robot).value().Of(
      Seen(robot, [](double x, double) { return x > 0.45 ? -0.1 : 0.0; }), {1.0, 0.0});
  EXPECT_NEAR(view[2], 0.0, 1e-4);
  EXPECT_NEAR(view[3], 0.1, 1e-4);
}

TEST(GroundViewTest, NeedsAScan) {
  RobotSpec blind = Scanning();
  std::erase_if(blind.observation,
                [](const ObservationTerm& term) { return term.kind == TermKind::kHeightScan; });
  EXPECT_FALSE(GroundView::Create(blind).ok());
}

}  // namespace
}  // namespace gonogo::robot
