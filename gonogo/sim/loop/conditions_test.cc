// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/loop/conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/sim/loop/closed_loop.h"
#include "gonogo/sim/loop/snapshot_bytes.h"
#include "gonogo/sim/testing/test_world.h"

namespace gonogo::sim {
namespace {

using internal::Go2;
using internal::RestlessPolicy;
using internal::WorldOf;
using testing::HasSubstr;

ClosedLoop DisturbedLoop(const std::shared_ptr<const World>& world, const char* conditions,
                         std::uint64_t seed = 1) {
  ClosedLoop loop =
      ClosedLoop::Create(world, std::make_shared<RestlessPolicy>(world->spec())).value();
  Start start = DrawStart(*world, RngStream(seed));
  Expose(Conditions::Parse(conditions).value(), world->spec(), RngStream(seed), start);
  loop.Reset(start);
  return loop;
}

void RunSteps(ClosedLoop& loop, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(loop.Advance({.vx = 0.5}).ok());
}

std::string BytesAfter(const char* conditions, std::uint64_t seed = 1) {
  ClosedLoop loop = DisturbedLoop(WorldOf(FlatTerrain()), conditions, seed);
  RunSteps(loop, 20);
  return ToBytes(loop.Save());
}

TEST(ConditionsTest, EveryTextGivesConditionsThatGiveTheTextBack) {
  for (const char* text : {"", "noise", "payload=-1..3", "friction=0.3..0.6", "push=0.5@10..15",
                           "speed=0.5", "joints=0.5..1.5", "nominal=0.38", "nominal=measured",
                           "noise,payload=0..2.5,speed=1,nominal=measured"}) {
    const Result<Conditions> conditions = Conditions::Parse(text);
    ASSERT_TRUE(conditions.ok()) << conditions.error().message;
    EXPECT_EQ(conditions.value().text(), text);
  }
  EXPECT_EQ(Conditions::Parse("isaac-anymal-d,nominal=measured").value().text(),
            "noise,payload=-5..5,push=0.5@10..15,speed=0.5,joints=0.5..1.5,nominal=measured");
}

TEST(ConditionsTest, WhatIsNoConditionIsRefusedWithWhatThereIs) {
  for (const char* text : {"nois", "payload=3", "payload=3..1", "friction=0.5", "friction=0..1",
                           "push=0.5", "push=0@1..2", "push=1@0..2", "speed=-1", "joints=a..b",
                           "nominal=0", "noise=1", "isaac", "noise,,speed=1"}) {
    const Result<Conditions> conditions = Conditions::Parse(text);
    ASSERT_FALSE(conditions.ok()) << text;
    EXPECT_THAT(conditions.error().message, HasSubstr("expected noise, payload=LOW..HIGH")) << text;
  }
}

TEST(ConditionsTest, NoiseIsTheTrainingNoiseAndTheSameHoweverOftenOneLooks) {
  ClosedLoop quiet = DisturbedLoop(WorldOf(FlatTerrain()), "");
  ClosedLoop noisy = DisturbedLoop(WorldOf(FlatTerrain()), "noise");
  const std::span<const float> exact = quiet.Observe({});
  const std::span<const float> seen = noisy.Observe({});
  const std::vector<float> first(seen.begin(), seen.end());
  EXPECT_NE(first, std::vector<float>(exact.begin(), exact.end()));
  // The first three values are the base's velocity, whose noise is ±0.1 m/s.
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(first[i], exact[i], 0.1);
  const std::span<const float> again = noisy.Observe({});
  EXPECT_EQ(first, std::vector<float>(again.begin(), again.end()));
}

TEST(ConditionsTest, TheSameSeedIsDisturbedTheSameWayAndAnotherOneIsNot) {
  for (const char* text : {"noise", "speed=0.5", "joints=0.8..1.2", "push=1@0.1..0.2"}) {
    EXPECT_EQ(BytesAfter(text), BytesAfter(text)) << text;
    EXPECT_NE(BytesAfter(text, 1), BytesAfter(text, 2)) << text;
  }
}

TEST(ConditionsTest, AnEpisodeContinuedFromASnapshotIsDisturbedAsIfItHadNeverStopped) {
  const std::shared_ptr<const World> world = WorldOf(FlatTerrain());
  ClosedLoop never_stopped = DisturbedLoop(world, "noise,push=0.5@0.1..0.3");
  RunSteps(never_stopped, 10);
  const LoopSnapshot snapshot = SnapshotFromBytes(ToBytes(never_stopped.Save())).value();
  RunSteps(never_stopped, 20);
  ClosedLoop other = DisturbedLoop(world, "", 9);
  other.Restore(snapshot);
  RunSteps(other, 20);
  EXPECT_EQ(ToBytes(other.Save()), ToBytes(never_stopped.Save()));
}

TEST(ConditionsTest, StartsAreSpreadWithinTheDeclaredRanges) {
  const std::shared_ptr<const World> world = WorldOf(FlatTerrain());
  const Conditions conditions = Conditions::Parse("speed=0.5,joints=0.5..1.5").value();
  bool moved = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Start start = DrawStart(*world, RngStream(seed));
    Expose(conditions, Go2(), RngStream(seed), start);
    for (const double v : start.v_W) EXPECT_LE(std::abs(v), 0.5);
    for (const double w : start.w_B) EXPECT_LE(std::abs(w), 0.5);
    ASSERT_EQ(start.q.size(), Go2().default_pose.size());
    for (std::size_t j = 0; j < start.q.size(); ++j) {
      const double factor = start.q[j] / Go2().default_pose[j];
      EXPECT_GE(factor, 0.5);
      EXPECT_LE(factor, 1.5);
      moved = moved || factor > 1.2;
    }
  }
  EXPECT_TRUE(moved);
}

TEST(DisturbanceTest, PushesComeAsOftenAsDeclaredAndAreNoFasterThanDeclared) {
  const Disturbance disturbance{
      .push_speed = 0.5, .push_after_s = 1.0, .push_before_s = 2.0, .seed = 3};
  std::vector<int> steps;
  for (int step = 0; step < 1000; ++step) {  // 20 s
    const PushVelocity push = PushAt(disturbance, step, 0.02);
    EXPECT_LE(std::abs(push.vx), 0.5);
    EXPECT_LE(std::abs(push.vy), 0.5);
    if (push.vx != 0.0) steps.push_back(step);
  }
  EXPECT_GE(steps.size(), 10U);
  EXPECT_LE(steps.size(), 19U);
  for (std::size_t i = 1; i < steps.size(); ++i) {
    EXPECT_GE(steps[i] - steps[i - 1], 49);
    EXPECT_LE(steps[i] - steps[i - 1], 101);
  }
  EXPECT_EQ(PushAt({}, 100, 0.02).vx, 0.0);
}

}  // namespace
}  // namespace gonogo::sim
