// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/vgcc.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/base/rng.h"
#include "gonogo/control/testing/fake_predictor.h"

namespace gonogo::control {
namespace {

using internal::FakePredictor;
using internal::Obey;
using internal::TestRobot;
using response::Response;
using robot::Command;
using ::testing::HasSubstr;

Vgcc MakeVgcc(const FakePredictor::Function& respond, const VgccConfig& config = {}) {
  Result<Vgcc> vgcc = Vgcc::Create(config, TestRobot(), std::make_shared<FakePredictor>(respond));
  EXPECT_TRUE(vgcc.ok()) << vgcc.error().message;
  return std::move(vgcc).value();
}

constexpr Situation kFarAhead{.observation = {}, .goal_B = {2.0, 0.0}, .height_m = 0.3};

Command DirectAt(robot::Point2 goal_B) { return Direct(TestRobot()).Command(goal_B); }

bool SameBits(const Command& a, const Command& b) {
  using Bits = std::array<std::uint64_t, sizeof(Command) / sizeof(std::uint64_t)>;
  const auto bits = [](const Command& c) { return std::bit_cast<Bits>(c); };
  return bits(a) == bits(b);
}

/// Like Obey, but slow walking costs next to nothing and nobody loses progress by it.
Response SlowIsFree(const Command& command) {
  Response response = Obey(command);
  response.dx = 0.32F;
  response.dy = 0.0F;
  return response;
}

TEST(VgccTest, PullsHalfWayToTheCheapestEligibleCandidate) {
  Vgcc vgcc = MakeVgcc(SlowIsFree);
  const CommandDecision decision = vgcc.Decide(kFarAhead);
  EXPECT_EQ(decision.reason, Reason::kCompensate);
  EXPECT_EQ(decision.gain, 0.5);
  EXPECT_NEAR(std::hypot(decision.towards.vx, decision.towards.vy), 0.25, 1e-12);
  EXPECT_EQ(decision.command, Blend(DirectAt({2.0, 0.0}), decision.towards, 0.5));
}

TEST(VgccTest, TriesTheValuesThatAChannelLists) {
  robot::RobotSpec robot = TestRobot();
  robot::CommandChannel lift{"lift", 3, 0.1};
  lift.Set(robot.command_box.low, 0.02);
  lift.Set(robot.command_box.high, 0.2);
  const auto high_steps_cost = [](const Command& c) {
    Response response = SlowIsFree(c);
    response.cost = static_cast<float>(2.0 + 10.0 * c.extra[0]);
    return response;
  };
  const auto decide = [&](const robot::CommandChannel& channel) {
    robot.channels = {{"vx", 0}, {"vy", 1}, {"wz", 2}, channel};
    Vgcc vgcc = Vgcc::Create({}, robot, std::make_shared<FakePredictor>(high_steps_cost)).value();
    return vgcc.Decide(kFarAhead);
  };
  EXPECT_EQ(decide(lift).reason, Reason::kWithinMargin);  // it lists none
  lift.candidates = {0.05, 0.15};
  const CommandDecision decision = decide(lift);
  EXPECT_EQ(decision.reason, Reason::kCompensate);
  EXPECT_DOUBLE_EQ(lift.Of(decision.towards), 0.05);
  EXPECT_EQ(decision.towards.vx, DirectAt({2.0, 0.0}).vx);
  EXPECT_DOUBLE_EQ(lift.Of(decision.command), 0.075);  // half way
}

TEST(VgccTest, TheProgressFloorForbidsSavingBySlowness) {
  // Cost is speed squared: 0.8 of the speed would save a lot, but keeps only 0.8 of the progress.
  EXPECT_EQ(MakeVgcc(Obey).Decide(kFarAhead).reason, Reason::kWithinMargin);
  EXPECT_EQ(MakeVgcc(Obey, {.keep_progress = false}).Decide(kFarAhead).reason, Reason::kCompensate);
}

TEST(VgccTest, ACandidateMustSaveMoreThanTheMargin) {
  const auto saving = [](float share) {
    return [share](const Command& c) {
      Response response = SlowIsFree(c);
      response.cost = c == DirectAt({2.0, 0.0}) ? 2.0F : 2.0F * (1.0F - share);
      return response;
    };
  };
  EXPECT_EQ(MakeVgcc(saving(0.09F)).Decide(kFarAhead).reason, Reason::kWithinMargin);
  EXPECT_EQ(MakeVgcc(saving(0.11F)).Decide(kFarAhead).reason, Reason::kCompensate);
  const VgccConfig absolute{.cost_margin = 0.5, .absolute_margin = true};
  EXPECT_EQ(MakeVgcc(saving(0.24F), absolute).Decide(kFarAhead).reason, Reason::kWithinMargin);
  EXPECT_EQ(MakeVgcc(saving(0.26F), absolute).Decide(kFarAhead).reason, Reason::kCompensate);
}

TEST(VgccTest, RankingByCostPerProgressPrefersAFasterCandidate) {
  // Cost 1 + v² per progress 0.32 v falls until v = 1: the raw cost prefers the slowest.
  const VgccConfig raw{.cost_margin = 0.0, .keep_progress = false};
  VgccConfig ratio = raw;
  ratio.cost_per_progress = true;
  const Situation near{.observation = {}, .goal_B = {0.6, 0.0}, .height_m = 0.3};
  EXPECT_LT(MakeVgcc(Obey, raw).Decide(near).towards.vx, 0.6);
  EXPECT_GT(MakeVgcc(Obey, ratio).Decide(near).towards.vx, 0.6);
}

TEST(VgccTest, BelowTheOperatingBandItRestoresWithTheDirectCommand) {
  Situation low = kFarAhead;
  low.height_m = 0.9 * 0.3 - 1e-6;
  EXPECT_EQ(MakeVgcc(SlowIsFree).Decide(low).reason, Reason::kRestore);
  EXPECT_NE(MakeVgcc(SlowIsFree, {.restore = false}).Decide(low).reason, Reason::kRestore);
}

/// Whoever walks slower stands taller; the direct command would breach the rescue floor of 0.24 m.
Response SlowIsTall(const Command& command) {
  Response response = Obey(command);
  response.min_height_m = static_cast<float>(0.3 - 0.1 * std::hypot(command.vx, command.vy));
  return response;
}

TEST(VgccTest, RescuesTowardsTheTallestCandidateThatMakesProgress) {
  const CommandDecision decision = MakeVgcc(SlowIsTall).Decide(kFarAhead);
  EXPECT_EQ(decision.reason, Reason::kRescue);
  EXPECT_NEAR(std::hypot(decision.towards.vx, decision.towards.vy), 0.25, 1e-12);
  EXPECT_NE(MakeVgcc(SlowIsTall, {.rescue = false}).Decide(kFarAhead).reason, Reason::kRescue);
}

TEST(VgccTest, RescueWithoutAnyProgressIsDirect) {
  const auto backwards = [](const Command& command) {
    Response response = SlowIsTall(command);
    response.dx = -0.1F;
    return response;
  };
  const CommandDecision decision = MakeVgcc(backwards).Decide(kFarAhead);
  EXPECT_EQ(decision.reason, Reason::kRescueWithout);
  EXPECT_TRUE(SameBits(decision.command, DirectAt({2.0, 0.0})));
}

TEST(VgccTest, PostureMakesACheapCandidateIneligible) {
  const auto crouch = [](float min_height, float mean_height) {
    return [=](const Command& command) {
      Response response = SlowIsFree(command);
      if (std::hypot(command.vx, command.vy) < 0.9) {
        response.min_height_m = min_height;
        response.mean_height_m = mean_height;
      }
      return response;
    };
  };
  const auto towards = [&](float min_height, float mean_height, bool gate) {
    const CommandDecision decision =
        MakeVgcc(crouch(min_height, mean_height), {.keep_posture = gate}).Decide(kFarAhead);
    return std::hypot(decision.towards.vx, decision.towards.vy);
  };
  EXPECT_LT(towards(0.256F, 0.281F, true), 0.9);  // floor 0.255 m, mean at least 0.28 m
  EXPECT_GT(towards(0.254F, 0.281F, true), 0.9);
  EXPECT_GT(towards(0.256F, 0.279F, true), 0.9);
  EXPECT_LT(towards(0.254F, 0.279F, false), 0.9);
}

TEST(VgccTest, PredictionsThatAreNotNumbersFallBackToDirect) {
  const auto broken = [](const Command&) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    return Response{nan, nan, nan, nan, nan, nan};
  };
  const CommandDecision decision = MakeVgcc(broken).Decide(kFarAhead);
  EXPECT_EQ(decision.reason, Reason::kNoneEligible);
  EXPECT_TRUE(SameBits(decision.command, DirectAt({2.0, 0.0})));
}

/// A model without any regularity, but the same answer for the same command.
FakePredictor::Function Arbitrary(std::uint64_t seed) {
  return [seed](const Command& c) {
    RngStream stream = RngStream(seed);
    for (const double x : {c.vx, c.vy, c.wz}) {
      stream = stream.Child(static_cast<std::uint64_t>(std::llround((x + 2.0) * 1e12)));
    }
    Rng rng = stream.Generator();
    return Response{.dx = static_cast<float>(rng.Uniform(-0.3, 0.3)),
                    .dy = static_cast<float>(rng.Uniform(-0.3, 0.3)),
                    .dpsi = 0.0F,
                    .cost = static_cast<float>(std::floor(rng.Uniform(1, 6))),  // many ties
                    .min_height_m = static_cast<float>(rng.Uniform(0.22, 0.32)),
                    .mean_height_m = static_cast<float>(rng.Uniform(0.25, 0.32))};
  };
}

Situation AnySituation(Rng& rng) {
  return {.observation = {},
          .goal_B = {rng.Uniform(-1.5, 1.5), rng.Uniform(-1.5, 1.5)},
          .height_m = rng.Uniform(0.26, 0.32)};
}

TEST(VgccPropertyTest, TheCommandLiesBetweenDirectAndACandidateOrEqualsDirectBitForBit) {
  Rng rng = RngStream(11).Generator();
  std::array<int, 16> seen{};
  for (std::uint64_t trial = 0; trial < 2000; ++trial) {
    Vgcc vgcc = MakeVgcc(Arbitrary(trial));
    const Situation now = AnySituation(rng);
    const CommandDecision decision = vgcc.Decide(now);
    ++seen.at(static_cast<std::size_t>(decision.reason));
    const Command direct = DirectAt(now.goal_B);
    if (!IsActive(decision.reason)) {
      EXPECT_TRUE(SameBits(decision.command, direct));
      continue;
    }
    const CandidateSet set(direct, now.goal_B, {});
    EXPECT_NE(std::find(set.commands().begin(), set.commands().end(), decision.towards),
              set.commands().end());
    EXPECT_GE(decision.gain, 0.0);
    EXPECT_LE(decision.gain, 0.5);
    EXPECT_EQ(decision.command, Blend(direct, decision.towards, decision.gain));
  }
  for (const Reason reason : {Reason::kRestore, Reason::kRescue, Reason::kCompensate,
                              Reason::kNoneEligible, Reason::kWithinMargin}) {
    EXPECT_GT(seen.at(static_cast<std::size_t>(reason)), 0) << ReasonName(reason);
  }
}

TEST(VgccPropertyTest, TheCorrectionVanishesAtTheGoal) {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    Vgcc vgcc = MakeVgcc(Arbitrary(trial));
    for (const double distance : {1e-3, 1e-6, 0.0}) {
      const Situation near{.observation = {}, .goal_B = {0.0, distance}, .height_m = 0.31};
      const CommandDecision decision = vgcc.Decide(near);
      EXPECT_LE(decision.gain, distance);
      EXPECT_TRUE(distance > 0.0 || SameBits(decision.command, DirectAt({0.0, 0.0})));
    }
  }
}

TEST(VgccPropertyTest, PermutingTheCandidatesChangesNothing) {
  Rng rng = RngStream(13).Generator();
  for (std::uint64_t trial = 0; trial < 500; ++trial) {
    const Situation now = AnySituation(rng);
    const CandidateSet set(DirectAt(now.goal_B), now.goal_B, {});
    std::vector<Command> candidates(set.commands().begin(), set.commands().end());
    const Command direct = candidates.front();
    const auto decide = [&] {
      std::vector<Response> responses;
      for (const Command& c : candidates) responses.push_back(Arbitrary(trial)(c));
      const auto at = std::find(candidates.begin(), candidates.end(), direct);
      return ApplyGate({}, TestRobot().posture,
                       {.goal_B = now.goal_B,
                        .height_m = now.height_m,
                        .direct = static_cast<std::size_t>(at - candidates.begin()),
                        .candidates = candidates,
                        .responses = responses});
    };
    const CommandDecision before = decide();
    rng.Shuffle(std::span(candidates));
    const CommandDecision after = decide();
    EXPECT_EQ(before.reason, after.reason);
    EXPECT_TRUE(SameBits(before.command, after.command));
  }
}

TEST(VgccPropertyTest, ZeroGainIsDirectControl) {
  Rng rng = RngStream(17).Generator();
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const Situation now = AnySituation(rng);
    const CommandDecision decision = MakeVgcc(Arbitrary(trial), {.gain = 0.0}).Decide(now);
    EXPECT_TRUE(SameBits(decision.command, DirectAt(now.goal_B)));
  }
}

TEST(VgccTest, ThreadsMayShareOneModel) {
  const auto model = std::make_shared<FakePredictor>(SlowIsFree);
  std::array<CommandDecision, 4> decisions;
  {
    std::vector<std::jthread> threads;
    for (CommandDecision& decision : decisions) {
      threads.emplace_back([&decision, &model] {
        Vgcc vgcc = Vgcc::Create({}, TestRobot(), model).value();
        for (int i = 0; i < 100; ++i) decision = vgcc.Decide(kFarAhead);
      });
    }
  }
  for (const CommandDecision& decision : decisions) {
    EXPECT_TRUE(SameBits(decision.command, decisions.front().command));
  }
}

TEST(VgccTest, ImpossibleScalarsAreRefusedByName) {
  const auto error = [](const VgccConfig& config) { return Validate(config).error().message; };
  EXPECT_THAT(error({.gain = 1.5}), HasSubstr("vgcc.gain is 1.5"));
  EXPECT_THAT(error({.progress_floor = -0.1}), HasSubstr("vgcc.progress_floor"));
  EXPECT_THAT(error({.anneal_distance_m = 0.0}), HasSubstr("vgcc.anneal_distance"));
  EXPECT_THAT(error({.cost_margin = std::nan("")}), HasSubstr("vgcc.cost_margin"));
  robot::RobotSpec no_height = TestRobot();
  no_height.posture.nominal_height_m = 0.0;
  const Result<Vgcc> vgcc =
      Vgcc::Create({}, no_height, std::make_shared<FakePredictor>(SlowIsFree));
  ASSERT_FALSE(vgcc.ok());
  EXPECT_THAT(vgcc.error().message, HasSubstr("posture.nominal_height"));
  robot::RobotSpec upside_down = TestRobot();
  upside_down.posture.rescue = 0.95;
  EXPECT_THAT(
      Vgcc::Create({}, upside_down, std::make_shared<FakePredictor>(SlowIsFree)).error().message,
      HasSubstr("expected rescue <= eligible <= restore"));
}

}  // namespace
}  // namespace gonogo::control
