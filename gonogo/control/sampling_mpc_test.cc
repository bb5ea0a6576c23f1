// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/sampling_mpc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/control/testing/fake_predictor.h"

namespace gonogo::control {
namespace {

using response::MacroResponse;
using response::TaskValue;
using robot::Command;

/// A robot that obeys; its observation is the distance covered so far, the number of steps taken
/// and three numbers for the command.
class FakeMacro : public response::MacroPredictor {
 public:
  using Power = std::function<double(int member, const Command&)>;
  explicit FakeMacro(Power power, double height = 0.3)
      : power_(std::move(power)), height_(height) {}

  [[nodiscard]] int members() const override { return 2; }
  [[nodiscard]] int observation_size() const override { return 5; }
  [[nodiscard]] std::unique_ptr<Scratch> MakeScratch(std::size_t /*rows*/) const override {
    return std::make_unique<Scratch>();
  }
  void Advance(int member, std::span<const float> observations, std::span<const Command> commands,
               std::span<float> next, std::span<MacroResponse> responses,
               Scratch& /*scratch*/) const override {
    evaluations += static_cast<int>(commands.size());
    const std::size_t per_row = commands.size() / (observations.size() / 5);
    for (std::size_t k = 0; k < commands.size(); ++k) {
      const float* now = observations.data() + k / per_row * 5;
      next[k * 5] = now[0] + static_cast<float>(0.08 * commands[k].vx);
      next[k * 5 + 1] = now[1] + 1.0F;
      responses[k] = {.dx = static_cast<float>(0.08 * commands[k].vx),
                      .power_w = static_cast<float>(power_(member, commands[k])),
                      .min_height_m = static_cast<float>(height_)};
    }
  }

  mutable int evaluations = 0;

 private:
  Power power_;
  double height_;
};

/// The rest of the way costs `per_metre` joules and seconds a metre.
class FakeValue : public response::ValuePredictor {
 public:
  FakeValue(double work_per_metre, double success_at_slow)
      : work_per_metre_(work_per_metre), success_at_slow_(success_at_slow) {}
  [[nodiscard]] std::unique_ptr<Scratch> MakeScratch(std::size_t /*rows*/) const override {
    return std::make_unique<Scratch>();
  }
  void Predict(std::span<const float> observations, std::span<const robot::Point2> goals_B,
               std::span<TaskValue> values, Scratch& /*scratch*/) const override {
    for (std::size_t i = 0; i < goals_B.size(); ++i) {
      EXPECT_EQ(observations[i * 5 + 1], 4.0F);  // four macro steps
      const auto distance = static_cast<float>(goals_B[i].x);
      EXPECT_NEAR(observations[i * 5] + distance, 2.0, 1e-5);
      values[i] = {.work_j = static_cast<float>(work_per_metre_) * distance,
                   .time_s = distance,
                   .success = distance > 1.69F ? static_cast<float>(success_at_slow_) : 1.0F};
    }
  }

 private:
  double work_per_metre_;
  double success_at_slow_;
};

robot::RobotSpec Robot() {
  robot::RobotSpec robot = internal::TestRobot();
  robot::ObservationTerm distance;
  distance.kind = robot::TermKind::kGaitPhase;
  distance.scale = {1.0, 1.0};
  robot::ObservationTerm command;
  command.kind = robot::TermKind::kCommand;
  command.scale = {1.0, 1.0, 1.0};
  robot.observation = {distance, command};
  return robot;
}

const std::vector<float> kObservation(5, 0.0F);
const Situation kNow{.observation = kObservation, .goal_B = {2.0, 0.0}, .height_m = 0.3};

/// Quadratic drag: going slowly first and catching up later never pays, but slowness does.
double Drag(int /*member*/, const Command& c) { return 100.0 * c.vx * c.vx * c.vx; }

CommandDecision Decide(const std::shared_ptr<FakeMacro>& macro, double work_per_metre,
                       double success_at_slow, const MpcConfig& config = {}) {
  SamplingMpc mpc =
      SamplingMpc::Create(config, Robot(), macro,
                          std::make_shared<FakeValue>(work_per_metre, success_at_slow))
          .value();
  return mpc.Decide(kNow);
}

TEST(SamplingMpcTest, VisitsEveryNodeOfThePrefixTreeOncePerMember) {
  const auto macro = std::make_shared<FakeMacro>(Drag);
  Decide(macro, 10.0, 1.0);
  EXPECT_EQ(macro->evaluations, 2 * 120);
}

TEST(SamplingMpcTest, SlowsDownWhenThatSavesWorkWithinTheTimeBudget) {
  const CommandDecision decision = Decide(std::make_shared<FakeMacro>(Drag), 10.0, 1.0);
  EXPECT_EQ(decision.reason, Reason::kPlanned);
  EXPECT_EQ(decision.command, 0.75 * Direct(Robot()).Command({2.0, 0.0}));
}

TEST(SamplingMpcTest, DirectWinsWhenTheRestOfTheWayIsExpensive) {
  const CommandDecision decision = Decide(std::make_shared<FakeMacro>(Drag), 1000.0, 1.0);
  EXPECT_EQ(decision.reason, Reason::kDirectPlan);
  EXPECT_EQ(decision.command, Direct(Robot()).Command({2.0, 0.0}));
}

TEST(SamplingMpcTest, AnAllTooTightTimeBudgetLeavesOnlyDirect) {
  const auto macro = std::make_shared<FakeMacro>(Drag);
  EXPECT_EQ(Decide(macro, 10.0, 1.0, {.time_budget = 1.0}).reason, Reason::kDirectPlan);
}

TEST(SamplingMpcTest, SequencesThatLoseSuccessAreRefused) {
  // Sequences that end further than 1.69 m away are those with any real slowing down.
  EXPECT_EQ(Decide(std::make_shared<FakeMacro>(Drag), 10.0, 0.9).reason, Reason::kDirectPlan);
}

TEST(SamplingMpcTest, NoPostureMeansExactDirectFallback) {
  const auto crouched = std::make_shared<FakeMacro>(Drag, 0.25);  // floor 0.255 m
  const CommandDecision decision = Decide(crouched, 10.0, 1.0);
  EXPECT_EQ(decision.reason, Reason::kNoneFeasible);
  EXPECT_EQ(decision.command, Direct(Robot()).Command({2.0, 0.0}));
  EXPECT_EQ(Decide(crouched, 10.0, 1.0, {.keep_posture = false}).reason, Reason::kPlanned);
}

TEST(SamplingMpcTest, DisagreementAboutSlownessIsPunishedByTheUpperBound) {
  const auto unsure = std::make_shared<FakeMacro>([](int member, const Command& c) {
    return Drag(member, c) + (c.vx < 0.99 ? (member == 0 ? 200.0 : -200.0) : 0.0);
  });
  EXPECT_EQ(Decide(unsure, 10.0, 1.0, {.spread = 0.0}).reason, Reason::kPlanned);
  EXPECT_EQ(Decide(unsure, 10.0, 1.0, {.spread = 1.0}).reason, Reason::kDirectPlan);
}

TEST(SamplingMpcTest, EqualSequencesMeanDirectControl) {
  const auto flat = std::make_shared<FakeMacro>([](int, const Command&) { return 50.0; });
  EXPECT_EQ(Decide(flat, 0.0, 1.0).reason, Reason::kDirectPlan);
}

TEST(SamplingMpcTest, RefusesConfigurationsWithoutADirectSequence) {
  const auto create = [](const MpcConfig& config) {
    return SamplingMpc::Create(config, Robot(), std::make_shared<FakeMacro>(Drag),
                               std::make_shared<FakeValue>(1.0, 1.0));
  };
  EXPECT_FALSE(create({.scales = {0.5, 0.75, 0.9}}).ok());
  EXPECT_FALSE(create({.time_budget = 0.9}).ok());
  EXPECT_FALSE(create({.spread = -1.0}).ok());
}

}  // namespace
}  // namespace gonogo::control
