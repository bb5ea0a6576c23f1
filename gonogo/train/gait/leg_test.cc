// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/gait/leg.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "gonogo/base/rng.h"

namespace gonogo::train {
namespace {

const LegGeometry kLeg{.hip_B = {0.2, 0.05}, .lateral = 0.1, .thigh = 0.2, .shank = 0.25};

TEST(LegTest, HangsStraightDownAtZeroAngles) {
  EXPECT_TRUE(FootPosition(kLeg, {0, 0, 0}).isApprox(Eigen::Vector3d(0, 0.1, -0.45)));
}

TEST(LegTest, SwingsBackwardForPositiveHipAndKneeAngles) {
  const double half = 0.5 * std::numbers::pi;
  EXPECT_TRUE(FootPosition(kLeg, {0, half, 0}).isApprox(Eigen::Vector3d(-0.45, 0.1, 0), 1e-12));
  EXPECT_TRUE(FootPosition(kLeg, {0, 0, half}).isApprox(Eigen::Vector3d(-0.25, 0.1, -0.2), 1e-12));
}

TEST(LegTest, AbductionTurnsTheLegAboutTheForwardAxis) {
  const double half = 0.5 * std::numbers::pi;
  EXPECT_TRUE(FootPosition(kLeg, {half, 0, 0}).isApprox(Eigen::Vector3d(0, 0.45, 0.1), 1e-12));
}

TEST(LegTest, InverseKinematicsPutsTheFootWhereItWasAsked) {
  Rng rng = RngStream(3).Generator();
  for (int i = 0; i < 1000; ++i) {
    const Eigen::Vector3d foot(rng.Uniform(-0.2, 0.2), rng.Uniform(-0.05, 0.25),
                               rng.Uniform(-0.34, -0.2));
    const LegAngles q = SolveLeg(kLeg, foot);
    EXPECT_LT((FootPosition(kLeg, q) - foot).norm(), 1e-12);
    EXPECT_LE(q[2], 0.0);  // the knee bends as declared
  }
}

// A foot beside the shank's axis, and a knee that bends the other way.
TEST(LegTest, InverseKinematicsKnowsFeetBesideTheShankAndKneesThatPointForward) {
  Rng rng = RngStream(4).Generator();
  for (const double side : {1.0, -1.0}) {
    const LegGeometry leg{.lateral = 0.2,
                          .thigh = 0.285,
                          .shank = 0.362,
                          .knee_sign = -side,
                          .foot_forward = 0.1 * side};
    EXPECT_TRUE(FootPosition(leg, {0, 0, 0}).isApprox(Eigen::Vector3d(0.1 * side, 0.2, -0.647)));
    for (int i = 0; i < 500; ++i) {
      const Eigen::Vector3d foot(rng.Uniform(-0.2, 0.2), rng.Uniform(0.1, 0.3),
                                 rng.Uniform(-0.55, -0.4));
      const LegAngles q = SolveLeg(leg, foot);
      EXPECT_LT((FootPosition(leg, q) - foot).norm(), 1e-12);
      EXPECT_LE(side * (q[2] - std::atan2(0.1 * side, 0.362)), 0.0);
    }
  }
}

TEST(LegTest, StaysFiniteWhenTheFootIsOutOfReach) {
  EXPECT_TRUE(SolveLeg(kLeg, {0.0, 0.1, -2.0}).allFinite());
  EXPECT_TRUE(SolveLeg(kLeg, {0.0, 0.0, 0.0}).allFinite());
}

TEST(LegTest, PressTorqueDoesTheWorkOfTheDownwardForce) {
  const LegAngles q(0.3, 0.7, -1.4);
  const double force = 60.0;
  const Eigen::Vector3d torque = PressTorque(kLeg, q, force);
  const double h = 1e-6;
  for (int joint = 0; joint < 3; ++joint) {
    LegAngles moved = q;
    moved[joint] += h;
    LegAngles back = q;
    back[joint] -= h;
    const double lift = (FootPosition(kLeg, moved) - FootPosition(kLeg, back)).z() / (2.0 * h);
    EXPECT_NEAR(torque[joint], -force * lift, 1e-6);
  }
}

}  // namespace
}  // namespace gonogo::train
