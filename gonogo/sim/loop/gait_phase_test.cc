// SPDX-License-Identifier: Apache-2.0
// A gait phase that follows the command is state of the simulation: it integrates, rests, and is
// part of every snapshot.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "gonogo/sim/loop/snapshot_bytes.h"
#include "gonogo/sim/testing/test_world.h"

namespace gonogo::sim {
namespace {

using internal::RestlessPolicy;
using internal::WorldOf;

/// The Go2 with the phase of the tests: 1 turn a second towards zero, 2.5 from a norm of 1.5.
std::shared_ptr<const World> FollowingWorld() {
  robot::RobotSpec spec = internal::Go2();
  for (robot::ObservationTerm& term : spec.observation) {
    if (term.kind != robot::TermKind::kGaitPhase) continue;
    term.cadence = {.period_s = 0.4, .slow_period_s = 1.0, .full_speed = 1.5, .rest_below = 0.1};
  }
  return WorldOf(FlatTerrain(), spec);
}

/// What the policy sees of the phase.
std::pair<float, float> Seen(Env& env, const robot::Command& command) {
  const std::span<const float> observation = env.Observe(command);
  return {observation[observation.size() - 2], observation[observation.size() - 1]};
}

void Wait(Env& env, const robot::Command& command, int steps) {
  const std::vector<float> rest(12, 0.0F);
  for (int t = 0; t < steps; ++t) {
    env.Observe(command);
    ASSERT_TRUE(env.Step(rest).ok());
  }
}

TEST(GaitPhaseTest, IntegratesTheFrequencyOfTheCommandsThatWereGiven) {
  Env env(FollowingWorld());
  Wait(env, {.vx = 0.75}, 5);  // 5 x 0.02 s x 1.75 turns a second
  Wait(env, {.vx = 1.5}, 10);  // 10 x 0.02 s x 2.5
  const double angle = 2.0 * std::numbers::pi * (0.175 + 0.5);
  const auto [sine, cosine] = Seen(env, {.vx = 0.3});
  EXPECT_NEAR(sine, std::sin(angle), 1e-6);
  EXPECT_NEAR(cosine, std::cos(angle), 1e-6);
}

TEST(GaitPhaseTest, RestsAtZeroAndStartsWithTheNextWalk) {
  Env env(FollowingWorld());
  Wait(env, {.vx = 1.0}, 7);
  EXPECT_EQ(Seen(env, {}), std::pair(0.0F, 0.0F));  // at once
  Wait(env, {}, 1);
  EXPECT_EQ(Seen(env, {.vx = 1.0}), std::pair(0.0F, 1.0F));
}

// A controller may look under one command and execute another: the executed one counts.
TEST(GaitPhaseTest, TheLastCommandBeforeAStepDrivesIt) {
  Env looked(FollowingWorld());
  Env plain(FollowingWorld());
  looked.Observe({.vx = 1.5});
  Wait(looked, {.vx = 0.75}, 1);
  Wait(plain, {.vx = 0.75}, 1);
  EXPECT_EQ(Seen(looked, {.vx = 1.0}), Seen(plain, {.vx = 1.0}));
}

TEST(GaitPhaseTest, ASnapshotCarriesIt) {
  const std::shared_ptr<const World> world = FollowingWorld();
  const auto make = [&world] {
    return ClosedLoop::Create(world, std::make_shared<RestlessPolicy>(world->spec())).value();
  };
  const auto advance = [](ClosedLoop& loop, int from, int to) {
    for (int t = from; t < to; ++t) {
      const double speed = t % 20 < 5 ? 0.0 : 0.1 * (t % 9);
      ASSERT_TRUE(loop.Advance({.vx = speed}).ok());
    }
  };
  ClosedLoop whole = make();
  advance(whole, 0, 33);
  const std::string bytes = ToBytes(whole.Save());
  advance(whole, 33, 60);
  ClosedLoop continued = make();
  continued.Restore(SnapshotFromBytes(bytes).value());
  advance(continued, 33, 60);
  EXPECT_EQ(ToBytes(continued.Save()), ToBytes(whole.Save()));
  EXPECT_NE(whole.env().state().gait_phase, 0.0);
}

TEST(GaitPhaseTest, ACommandedFrequencyActsAndIsPartOfEverySnapshot) {
  const std::shared_ptr<const World> world = WorldOf(FlatTerrain(), internal::Go2WithFrequency());
  const robot::CommandChannel& frequency = world->spec().channels.back();
  const auto make = [&world] {
    return ClosedLoop::Create(world, std::make_shared<RestlessPolicy>(world->spec())).value();
  };
  robot::Command slow;
  frequency.Set(slow, 1.25);
  ClosedLoop whole = make();
  for (int t = 0; t < 10; ++t) ASSERT_TRUE(whole.Advance(slow).ok());
  EXPECT_NEAR(whole.env().state().gait_phase, 10 * 0.02 * 1.25, 1e-12);
  const std::string bytes = ToBytes(whole.Save());
  EXPECT_EQ(bytes.substr(0, 17), "gonogo.snapshot/3");
  const LoopSnapshot read = SnapshotFromBytes(bytes).value();
  EXPECT_EQ(read.env.command, slow);
  EXPECT_EQ(ToBytes(read), bytes);
  EXPECT_FALSE(SnapshotFromBytes(bytes.substr(0, bytes.size() - 8)).ok());
  ClosedLoop continued = make();
  continued.Restore(read);
  for (ClosedLoop* loop : {&whole, &continued}) {
    for (int t = 0; t < 10; ++t) ASSERT_TRUE(loop->Advance({}).ok());  // nominal, 2.5 Hz
  }
  EXPECT_NEAR(whole.env().state().gait_phase, 0.25 + 0.5, 1e-12);
  EXPECT_EQ(ToBytes(continued.Save()), ToBytes(whole.Save()));
  EXPECT_EQ(ToBytes(whole.Save()).substr(0, 17), "gonogo.snapshot/2");
}

TEST(GaitPhaseTest, AClockTakesNoNoticeOfCommands) {
  Env walks(WorldOf(FlatTerrain()));
  Env stands(WorldOf(FlatTerrain()));
  if (walks.spec().cadence()->follows_command()) {
    robot::RobotSpec spec = internal::Go2();
    for (robot::ObservationTerm& term : spec.observation) term.cadence = {.period_s = 0.4};
    walks = Env(WorldOf(FlatTerrain(), spec));
    stands = Env(WorldOf(FlatTerrain(), spec));
  }
  Wait(walks, {.vx = 1.0}, 7);
  Wait(stands, {}, 7);
  EXPECT_EQ(Seen(walks, {.vx = 1.0}), Seen(stands, {}));
  const double angle = 2.0 * std::numbers::pi * 0.14 / 0.4;
  EXPECT_NEAR(Seen(stands, {}).first, std::sin(angle), 1e-6);
}

}  // namespace
}  // namespace gonogo::sim
