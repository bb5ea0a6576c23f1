// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/observation.h"

#include <gtest/gtest.h>

namespace gonogo::robot {
namespace {

ObservationTerm Term(TermKind kind, std::size_t width) {
  ObservationTerm term;
  term.kind = kind;
  term.scale.assign(width, 1.0);
  return term;
}

RobotSpec TwoJoints() {
  RobotSpec spec;
  spec.joints = {"a", "b"};
  spec.default_pose = {0.5, -0.5};
  return spec;
}

RobotState State(double time_s) {
  RobotState state;
  state.gait_clock_s = time_s;
  state.w_B = {0.0, 0.0, 2.0};
  state.v_B = {1.0, 0.0, 0.0};
  state.q = {0.7 + time_s, -0.7};
  state.qd = {3.0, 4.0};
  state.last_action = {0.1F, 0.2F};
  return state;
}

TEST(ObserverTest, ScalesAfterClipping) {
  RobotSpec spec = TwoJoints();
  ObservationTerm velocity = Term(TermKind::kJointVel, 2);
  velocity.clip_high = 3.5;
  velocity.scale = {0.1, 0.2};
  spec.observation = {Term(TermKind::kJointPos, 2), velocity};
  std::vector<float> out;
  Observer(spec).Observe(State(0.0), {}, nullptr, true, false, out);
  ASSERT_EQ(out.size(), 4U);
  EXPECT_FLOAT_EQ(out[0], 0.2F);
  EXPECT_FLOAT_EQ(out[1], -0.2F);
  EXPECT_FLOAT_EQ(out[2], 0.3F);
  EXPECT_FLOAT_EQ(out[3], 0.7F);
}

TEST(ObserverTest, LinearVelocityAtAPointAddsTheRotation) {
  RobotSpec spec = TwoJoints();
  ObservationTerm velocity = Term(TermKind::kBaseLinVel, 3);
  velocity.point_B = {0.1, 0.2, 0.3};
  spec.observation = {velocity};
  std::vector<float> out;
  Observer(spec).Observe(State(0.0), {}, nullptr, true, false, out);
  EXPECT_FLOAT_EQ(out[0], 1.0F - 2.0F * 0.2F);  // (0, 0, 2) x r = (-2 r_y, 2 r_x, 0)
  EXPECT_FLOAT_EQ(out[1], 2.0F * 0.1F);
  EXPECT_FLOAT_EQ(out[2], 0.0F);
}

TEST(ObserverTest, HistoriesAreOldestFirstAndStartFilledWithTheFirstValue) {
  RobotSpec spec = TwoJoints();
  ObservationTerm position = Term(TermKind::kJointPos, 2);
  position.history = 3;
  spec.observation = {position, Term(TermKind::kCommand, 3)};
  const Observer observer(spec);
  std::vector<float> out;
  observer.Observe(State(0.0), {}, nullptr, true, false, out);
  EXPECT_FLOAT_EQ(out[0], 0.2F);
  EXPECT_FLOAT_EQ(out[4], 0.2F);
  observer.Observe(State(1.0), {}, nullptr, false, false, out);
  observer.Observe(State(2.0), {}, nullptr, false, false, out);
  EXPECT_FLOAT_EQ(out[0], 0.2F);
  EXPECT_FLOAT_EQ(out[2], 1.2F);
  EXPECT_FLOAT_EQ(out[4], 2.2F);
  observer.Observe(State(5.0), {.vx = 0.5}, nullptr, false, true, out);  // the same step once more
  EXPECT_FLOAT_EQ(out[2], 1.2F);
  EXPECT_FLOAT_EQ(out[4], 5.2F);
  EXPECT_FLOAT_EQ(out[6], 0.5F);
}

TEST(ObserverTest, TheGaitPhaseTurnsOncePerPeriod) {
  RobotSpec spec = TwoJoints();
  ObservationTerm phase = Term(TermKind::kGaitPhase, 2);
  phase.cadence.period_s = 0.4;
  spec.observation = {phase};
  std::vector<float> out;
  Observer(spec).Observe(State(0.1), {}, nullptr, true, false, out);
  EXPECT_NEAR(out[0], 1.0, 1e-6);
  EXPECT_NEAR(out[1], 0.0, 1e-6);
}

TEST(ObserverTest, NoiseStaysWithinItsHalfWidthAndComesFromTheStream) {
  RobotSpec spec = TwoJoints();
  ObservationTerm velocity = Term(TermKind::kJointVel, 2);
  velocity.noise = 1.5;
  spec.observation = {velocity};
  const Observer observer(spec);
  Rng one(RngStream(1).Child("noise"));
  Rng two(RngStream(1).Child("noise"));
  std::vector<float> a;
  std::vector<float> b;
  for (int i = 0; i < 100; ++i) {
    observer.Observe(State(0.0), {}, &one, false, false, a);
    observer.Observe(State(0.0), {}, &two, false, false, b);
    EXPECT_EQ(a, b);
    EXPECT_NEAR(a[0], 3.0, 1.5);
    EXPECT_NE(a[0], 3.0F);
  }
}

}  // namespace
}  // namespace gonogo::robot
