// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/response/identify/identify_macro.h"
#include "gonogo/response/identify/identify_response.h"
#include "gonogo/response/models/value_model.h"
#include "gonogo/response/testing/toy_robot.h"

namespace gonogo::response {
namespace {

using internal::ToyLog;
using internal::ToyRobot;
using robot::Command;

ResponseOptions SmallOptions() {
  ResponseOptions options;
  options.fit = {.hidden = {32, 32}, .dropout = 0.0, .batch = 64, .epochs = 150};
  return options;
}

IdentifiedResponse Identify(const ResponseOptions& options, const Execution& execution = {}) {
  Result<IdentifiedResponse> identified =
      IdentifyResponse(ToyLog(40, 8, 1), ToyRobot(), options, RngStream(2), execution);
  EXPECT_TRUE(identified.ok()) << identified.error().message;
  return std::move(identified).value();
}

TEST(ResponseModelTest, LearnsAKnownResponseOnHeldOutEpisodes) {
  const IdentifiedResponse identified = Identify(SmallOptions());
  EXPECT_EQ(identified.training_windows, 32U * 8U * 3U);
  EXPECT_EQ(identified.held_out_windows, 8U * 8U * 3U);
  for (const std::size_t output : {0U, 1U, 3U, 4U, 5U}) {
    EXPECT_GT(identified.scores[output].r2, 0.97) << output;
  }
  const Command command{0.5, -0.4, 0.3};
  const std::vector<float> observation{0.1F, 0.0F, -1.0F, 9.0F, 9.0F, 9.0F};  // command replaced
  Response response;
  const auto scratch = identified.model.MakeScratch(70);
  identified.model.Predict(observation, {&command, 1}, {&response, 1}, *scratch);
  EXPECT_NEAR(response.dx, 0.32 * 0.5, 0.02);
  EXPECT_NEAR(response.dy, 0.32 * -0.4, 0.02);
  EXPECT_NEAR(response.cost, 1.25, 0.1);
  EXPECT_NEAR(response.min_height_m, 0.28, 0.005);
}

/// A toy that is also told how high to lift its feet, before the velocity; a metre costs 8 units.
robot::RobotSpec LiftingToy() {
  robot::RobotSpec robot = ToyRobot();
  robot.channels = {{"lift", 3, 0.1}, {"vx", 0}, {"vy", 1}, {"wz", 2}};
  robot.observation[1].scale = {10.0, 2.0, 2.0, 2.0};
  return robot;
}

ExcitationLog LiftingLog(bool excited) {
  const ExcitationLog plain = ToyLog(40, 8, 1);
  ExcitationLog log = EmptyLog(LiftingToy());
  Rng rng = RngStream(5).Generator();
  double lift = 0.0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    LoggedState state = plain.states[i];
    if (excited && i % 25 == 0) lift = rng.Uniform(-0.1, 0.1);
    state.command.extra[0] = lift;
    state.effort += 8.0 * (0.1 + lift);
    log.states.push_back(state);
    const std::span<const float> seen = plain.observation(i);
    log.observations.insert(log.observations.end(), seen.begin(), seen.begin() + 3);
    log.observations.push_back(static_cast<float>(10.0 * (0.1 + lift)));
    log.observations.insert(log.observations.end(), seen.begin() + 3, seen.end());
  }
  return log;
}

TEST(ResponseModelTest, LearnsWhatOtherChannelsDoIfTheyWereExcited) {
  ResponseOptions options = SmallOptions();
  options.fit.epochs = 80;
  const Result<IdentifiedResponse> identified =
      IdentifyResponse(LiftingLog(true), LiftingToy(), options, RngStream(2), {});
  ASSERT_TRUE(identified.ok()) << identified.error().message;
  const ResponseModel& model = identified.value().model;
  const std::vector<float> observation{0.1F, 0.0F, -1.0F, 1.0F, 9.0F, 9.0F, 9.0F};
  const std::array<Command, 2> commands{Command{0.2, 0.0, 0.0, {0.05}},
                                        Command{0.2, 0.0, 0.0, {-0.05}}};
  std::array<Response, 2> responses;
  const auto scratch = model.MakeScratch(2);
  model.Predict(observation, commands, responses, *scratch);
  EXPECT_NEAR(responses[0].cost - responses[1].cost, 0.8, 0.15);
  EXPECT_TRUE(model.Knows(3));
  EXPECT_TRUE(model.Knows(0));
  EXPECT_FALSE(model.Knows(4));

  options.fit.epochs = 1;
  const Result<IdentifiedResponse> older =
      IdentifyResponse(LiftingLog(false), LiftingToy(), options, RngStream(2), {});
  ASSERT_TRUE(older.ok()) << older.error().message;
  EXPECT_FALSE(older.value().model.Knows(3));
  EXPECT_TRUE(older.value().model.Knows(0));
}

TEST(CommandSlotTest, RefusesACommandInSeveralPlaces) {
  robot::RobotSpec robot = ToyRobot();
  robot.observation.push_back(robot.observation.back());
  const Result<CommandSlot> slot = CommandSlot::Find(robot);
  ASSERT_FALSE(slot.ok());
  EXPECT_THAT(slot.error().message, testing::HasSubstr("in several places"));
}

TEST(ResponseModelTest, WorldFrameHeightsAreConfoundedByTheGround) {
  ResponseOptions options = SmallOptions();
  options.world_heights = true;
  EXPECT_LT(Identify(options).scores[4].r2, 0.5);
}

TEST(ResponseModelTest, ThePowerChannelIsTenTimesTheEffortOfTheToy) {
  ResponseOptions options = SmallOptions();
  options.cost = CostChannel::kPower;
  options.fit.members = 2;
  const IdentifiedResponse identified = Identify(options);
  EXPECT_EQ(identified.model.members(), 2);
  EXPECT_GT(identified.scores[3].r2, 0.97);
  EXPECT_GT(identified.scores[3].rmse, 10.0 * 0.001);
}

TEST(ResponseModelTest, LessAndFilteredDataAreScoredOnTheSameEpisodes) {
  ResponseOptions quarter = SmallOptions();
  quarter.data_share = 0.25;
  ResponseOptions useful = SmallOptions();
  useful.best_share = 0.1;
  const IdentifiedResponse all = Identify(SmallOptions());
  const IdentifiedResponse some = Identify(quarter);
  const IdentifiedResponse best = Identify(useful);
  EXPECT_EQ(some.training_windows, all.training_windows / 4);
  EXPECT_EQ(some.measured, all.measured);
  EXPECT_EQ(best.measured, all.measured);
  EXPECT_LT(best.scores[1].r2, all.scores[1].r2);
}

TEST(ResponseModelTest, TheSameNumbersOnOneThreadAndOnTwo) {
  ResponseOptions options = SmallOptions();
  options.fit.members = 3;
  options.fit.epochs = 3;
  EXPECT_EQ(Identify(options, {.jobs = 1}).predicted, Identify(options, {.jobs = 2}).predicted);
}

TEST(ResponseModelTest, CandidatesAtOnceEqualCandidatesOneByOneAndThePlainNetwork) {
  ResponseOptions options = SmallOptions();
  options.fit.epochs = 2;
  const IdentifiedResponse identified = Identify(options);
  Rng rng = RngStream(7).Generator();
  std::vector<float> observation{0.3F, 0.1F, -0.9F, 0.0F, 0.0F, 0.0F};
  std::vector<Command> commands(70);
  for (Command& c : commands) c = {rng.Uniform(-1, 1), rng.Uniform(-1, 1), rng.Uniform(-1, 1)};
  std::vector<Response> together(commands.size());
  const auto scratch = identified.model.MakeScratch(70);
  identified.model.Predict(observation, commands, together, *scratch);
  const CommandSlot slot = CommandSlot::Find(ToyRobot()).value();
  nn::Ensemble::Scratch plain;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    Response alone;
    identified.model.Predict(observation, {&commands[i], 1}, {&alone, 1}, *scratch);
    EXPECT_EQ(alone.cost, together[i].cost);
    EXPECT_EQ(alone.dx, together[i].dx);
    slot.Write(commands[i], observation);
    std::array<float, 6> out{};
    identified.model.ensemble().Predict(
        0, Eigen::Map<const nn::Batch<float>>(observation.data(), 1, 6), out, plain);
    EXPECT_NEAR(out[3], together[i].cost, 1e-5);
    EXPECT_NEAR(out[5], together[i].mean_height_m, 1e-5);
  }
}

TEST(ResponseModelTest, AnInterruptedTrainingSaysSo) {
  std::stop_source stop;
  stop.request_stop();
  const Result<IdentifiedResponse> identified = IdentifyResponse(
      ToyLog(4, 2, 1), ToyRobot(), SmallOptions(), RngStream(2), {.stop = stop.get_token()});
  ASSERT_FALSE(identified.ok());
  EXPECT_EQ(identified.error().kind, ErrorKind::kInterrupted);
}

TEST(ResponseModelTest, TooLittleDataAndPoliciesWithoutCommandsAreErrors) {
  const auto error = [](const ExcitationLog& log, const robot::RobotSpec& robot) {
    const auto identified = IdentifyResponse(log, robot, SmallOptions(), RngStream(2), {});
    return identified.ok() ? "none" : identified.error().message;
  };
  EXPECT_THAT(error(ToyLog(1, 4, 1), ToyRobot()), testing::HasSubstr("fewer than two episodes"));
  robot::RobotSpec deaf = ToyRobot();
  deaf.observation.pop_back();
  EXPECT_THAT(error(ToyLog(4, 4, 1), deaf), testing::HasSubstr("no command term"));
}

TEST(MacroModelTest, RollsTheToyForwardOnEpisodesItNeverSaw) {
  MacroOptions options;
  options.fit = {.hidden = {32, 32}, .dropout = 0.0, .batch = 64, .epochs = 80, .members = 2};
  const Result<IdentifiedMacro> identified =
      IdentifyMacro(ToyLog(60, 8, 1), ToyRobot(), options, RngStream(3), {});
  ASSERT_TRUE(identified.ok()) << identified.error().message;
  ASSERT_EQ(identified.value().open_loop.size(), 4U);
  const OpenLoopScore& last = identified.value().open_loop.back();
  EXPECT_EQ(last.steps, 4);
  EXPECT_LT(last.displacement_mae_m, 0.02);
  EXPECT_LT(last.work_mae_j, 0.3);
  EXPECT_LT(last.min_height_mae_m, 0.005);
  EXPECT_LT(last.state_rmse, 0.1);
  EXPECT_LT(identified.value().open_loop.front().displacement_mae_m, last.displacement_mae_m);
}

TEST(MacroModelTest, TheNextObservationHoldsTheCommandItWasMadeWith) {
  MacroOptions options;
  options.fit = {.hidden = {16}, .batch = 64, .epochs = 2, .members = 1};
  const IdentifiedMacro identified =
      IdentifyMacro(ToyLog(10, 4, 1), ToyRobot(), options, RngStream(3), {}).value();
  const std::vector<float> observations(12, 0.2F);
  const std::vector<Command> commands{{0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}, {-1, 0, 1}, {0, 0, 0}};
  std::vector<float> next(std::size_t{4} * 6);
  std::vector<MacroResponse> responses(4);
  const auto scratch = identified.model.MakeScratch(70);
  identified.model.Advance(0, observations, commands, next, responses, *scratch);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_FLOAT_EQ(next[k * 6 + 3], static_cast<float>(2 * commands[k].vx));
    EXPECT_FLOAT_EQ(next[k * 6 + 5], static_cast<float>(2 * commands[k].wz));
  }
}

TEST(MacroModelTest, AGoalMovesAgainstTheBody) {
  const robot::Point2 moved = MoveGoal({1.0, 0.0}, {.dx = 0.25F, .dy = 0.0F, .dpsi = 0.0F});
  EXPECT_NEAR(moved.x, 0.75, 1e-12);
  const robot::Point2 turned = MoveGoal({1.0, 0.0}, {.dpsi = 1.5707963F});
  EXPECT_NEAR(turned.y, -1.0, 1e-6);
}

TEST(ValueModelTest, LearnsRemainingWorkTimeAndSuccessFromTheGoalsDistance) {
  ValueLog log;
  log.observation_size = 2;
  Rng rng = RngStream(5).Generator();
  for (std::int32_t i = 0; i < 1200; ++i) {
    const robot::Point2 goal{rng.Uniform(-2, 2), rng.Uniform(-2, 2)};
    const auto distance = static_cast<float>(std::hypot(goal.x, goal.y));
    log.goals_B.push_back(goal);
    log.observations.insert(log.observations.end(), {0.5F, static_cast<float>(rng.Uniform())});
    log.remaining.push_back({60.0F * distance, distance, distance < 1.5F ? 1.0F : 0.0F});
    log.episode.push_back(i / 12);
  }
  ValueOptions options;
  options.fit = {.hidden = {32, 32}, .dropout = 0.0, .batch = 64, .epochs = 60};
  const Result<IdentifiedValue> identified =
      IdentifyValue(log, {.robot = "toy"}, options, RngStream(6), {});
  ASSERT_TRUE(identified.ok()) << identified.error().message;
  EXPECT_GT(identified.value().work.r2, 0.95);
  EXPECT_GT(identified.value().time.r2, 0.95);
  EXPECT_GT(identified.value().success_auc, 0.95);
  const std::vector<float> observation{0.5F, 0.5F};
  const robot::Point2 near{0.3, 0.0};
  TaskValue value;
  const auto scratch = identified.value().model.MakeScratch(70);
  identified.value().model.Predict(observation, {&near, 1}, {&value, 1}, *scratch);
  EXPECT_NEAR(value.work_j, 18.0, 10.0);
  EXPECT_GT(value.success, 0.9);
}

TEST(CommandSlotTest, EveryChannelHasItsPlaceInThePolicysOrder) {
  robot::RobotSpec robot = ToyRobot();
  robot.observation[1].scale = {5.0, 2.0, 2.0, 2.0, 7.0};
  robot.channels = {{"vy", 1}, {"height", 3, 0.3}, {"vx", 0}, {"wz", 2}, {"frequency", 4, 2.0}};
  const Result<CommandSlot> slot = CommandSlot::Find(robot);
  ASSERT_TRUE(slot.ok()) << slot.error().message;
  std::vector<float> observation{0, 0, -1, 9, 9, 9, 9, 9};
  slot.value().Write({0.5, -0.25, 0.125, {0.2, -0.5}}, observation);
  // 5 x -0.25, 2 x (0.3 + 0.2), 2 x 0.5, 2 x 0.125, 7 x (2 - 0.5)
  EXPECT_EQ(observation, (std::vector<float>{0, 0, -1, -1.25F, 1.0F, 1.0F, 0.25F, 10.5F}));
}

}  // namespace
}  // namespace gonogo::response
