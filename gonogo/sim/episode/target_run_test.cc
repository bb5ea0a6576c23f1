// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/episode/target_run.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/sim/loop/snapshot_bytes.h"
#include "gonogo/sim/testing/test_world.h"

namespace gonogo::sim {
namespace {

using internal::Go2;
using internal::RestlessPolicy;
using internal::WorldOf;
using ::testing::HasSubstr;

/// Holds the default pose, whatever it is told.
class StillPolicy final : public robot::Policy {
 public:
  explicit StillPolicy(const robot::RobotSpec& spec)
      : observation_size_(spec.observation_size()), action_size_(spec.joint_count()) {}
  [[nodiscard]] int observation_size() const override { return observation_size_; }
  [[nodiscard]] int action_size() const override { return action_size_; }
  void Act(std::span<const float> /*observation*/, std::span<float> action,
           robot::PolicyMemory& /*memory*/) const override {
    std::fill(action.begin(), action.end(), 0.0F);
  }

 private:
  int observation_size_;
  int action_size_;
};

ClosedLoop StillLoop(const std::shared_ptr<const World>& world) {
  return ClosedLoop::Create(world, std::make_shared<StillPolicy>(world->spec())).value();
}

robot::Command Direct(const Percept& now) { return now.direct; }

Start Standing() {
  Start start;
  start.p_W = {0.0, 0.0, 0.4};
  return start;
}

TEST(TargetRunTest, ARobotThatDoesNotMoveRunsToTheHorizonAndFails) {
  ClosedLoop loop = StillLoop(WorldOf(FlatTerrain()));
  const EpisodeResult result = RunToTarget(loop, Standing(), {2.0, 0.0}, Direct).value();
  EXPECT_FALSE(result.success);
  EXPECT_EQ(result.termination, Termination::kNone);
  EXPECT_NEAR(result.time_s, loop.env().spec().task.horizon_s, 1e-9);
  EXPECT_NEAR(result.final_distance_m, 2.0, 0.05);
  EXPECT_EQ(result.decisions, 75);  // 6 s at 80 ms
}

TEST(TargetRunTest, AnEpisodeEndsAsASuccessWhenTheRobotIsWithinTheTolerance) {
  ClosedLoop loop = StillLoop(WorldOf(FlatTerrain()));
  Start start = Standing();
  start.yaw = 1.0;
  start.v_W = {2.0 * std::cos(1.0), 2.0 * std::sin(1.0), 0.0};  // thrown at the target
  const EpisodeResult result = RunToTarget(loop, start, {0.45, 0.0}, Direct).value();
  EXPECT_TRUE(result.success);
  EXPECT_LT(result.final_distance_m, 0.3);
  EXPECT_GT(result.final_distance_m, 0.2);
  EXPECT_NEAR(result.path_m, 0.45 - result.final_distance_m, 0.01);
  EXPECT_NEAR(result.cot, result.work_j / (15.019 * 9.81 * result.path_m), 1e-9);
  EXPECT_NEAR(result.power_w * result.time_s, result.work_j, 1e-9);
  EXPECT_NEAR(result.control_power_w * result.time_s, result.control_work_j, 1e-9);
  EXPECT_NEAR(result.control_cot / result.cot, result.control_work_j / result.work_j, 1e-9);
}

TEST(TargetRunTest, EitherRateOfReadingTorquesCanStandFirst) {
  ClosedLoop loop = StillLoop(WorldOf(FlatTerrain()));
  const EpisodeResult exact = RunToTarget(loop, Standing(), {2.0, 0.0}, Direct).value();
  const EpisodeResult read = AtRate(exact, WorkRate::kControl);
  EXPECT_EQ(read.work_j, exact.control_work_j);
  EXPECT_EQ(read.control_work_j, exact.work_j);
  EXPECT_EQ(read.power_w, exact.control_power_w);
  EXPECT_EQ(read.cot, exact.control_cot);
  EXPECT_EQ(read.effort, exact.control_effort);
  EXPECT_EQ(read.time_s, exact.time_s);
  EXPECT_EQ(AtRate(exact, WorkRate::kPhysics).work_j, exact.work_j);
  EXPECT_EQ(ParseWorkRate("control").value(), WorkRate::kControl);
  EXPECT_THAT(ParseWorkRate("50 Hz").error().message,
              HasSubstr("\"50 Hz\", expected physics (every physics step) or control"));
}

TEST(TargetRunTest, ACollapsedRobotAtTheTargetIsNoSuccess) {
  ClosedLoop loop = StillLoop(WorldOf(FlatTerrain()));
  Start start = Standing();
  start.p_W[2] = 0.4;
  ASSERT_TRUE(RunToTarget(loop, start, {0.1, 0.0}, Direct).value().success);
  robot::RobotSpec spec = Go2();
  spec.task.height_fraction = 1.0;  // nothing is higher than the spawn height after a step
  ClosedLoop strict = StillLoop(WorldOf(FlatTerrain(), spec));
  const EpisodeResult result = RunToTarget(strict, start, {0.1, 0.0}, Direct).value();
  EXPECT_TRUE(result.reached);
  EXPECT_FALSE(result.success);
}

TEST(TargetRunTest, AFallEndsTheEpisodeAndIsRecorded) {
  ClosedLoop loop = StillLoop(WorldOf(FlatTerrain()));
  Start start = Standing();
  start.w_B = {12.0, 0.0, 0.0};
  const EpisodeResult result = RunToTarget(loop, start, {2.0, 0.0}, Direct).value();
  EXPECT_FALSE(result.success);
  EXPECT_EQ(result.termination, Termination::kForbiddenContact);
  EXPECT_LT(result.time_s, 6.0);
  EXPECT_THAT(result.termination_detail, HasSubstr("must not touch anything was hit with"));
}

TEST(TargetRunTest, TheSituationShowsTheGoalFromTheBodyAndTheDirectCommand) {
  ClosedLoop loop = StillLoop(WorldOf(FlatTerrain()));
  Start start = Standing();
  start.yaw = -2.0;
  TargetRun run(loop, start, {0.5, -0.25});
  const Percept now = run.Look();
  EXPECT_NEAR(now.goal_B.x, 0.5, 1e-9);
  EXPECT_NEAR(now.goal_B.y, -0.25, 1e-9);
  const robot::RobotSpec& spec = loop.env().spec();
  EXPECT_EQ(now.direct, robot::DirectCommand(now.goal_B, spec.direct, spec.command_box));
  const auto command = static_cast<std::size_t>(spec.TermOffset(robot::TermKind::kCommand));
  EXPECT_FLOAT_EQ(now.observation[command], static_cast<float>(now.direct.vx));
}

TEST(TargetRunTest, TheSameClusterTrialAndTargetStartTheSameWay) {
  const robot::RobotSpec spec = Go2();
  const std::shared_ptr<const World> world = WorldOf(RoughTerrain(2, spec.terrain, RngStream(1)));
  const RngStream cluster = RngStream(1301);
  const Start a = PairedStart(*world, cluster, 2, 5);
  const Start b = PairedStart(*world, cluster, 2, 5);
  EXPECT_EQ(a.p_W, b.p_W);
  EXPECT_EQ(a.yaw, b.yaw);
  EXPECT_NE(a.p_W, PairedStart(*world, cluster, 3, 5).p_W);
  EXPECT_NE(a.p_W, PairedStart(*world, cluster, 2, 6).p_W);
  EXPECT_NE(a.p_W, PairedStart(*world, RngStream(1302), 2, 5).p_W);
}

TEST(TargetRunTest, BranchesFromADecisionEqualReplaysOfTheCommandHistory) {
  const std::shared_ptr<const World> world = WorldOf(TileKind::kRough, 0.0, 4);
  ClosedLoop loop =
      ClosedLoop::Create(world, std::make_shared<RestlessPolicy>(world->spec())).value();
  const Start start = PairedStart(*world, RngStream(7), 0, 0);
  TargetRun run(loop, start, {1.5, 1.0});
  std::vector<robot::Command> history;
  for (int decision = 0; decision < 6; ++decision) {
    history.push_back(run.Look().direct);
    ASSERT_TRUE(run.Execute(history.back()).ok());
  }
  const Bookmark query = run.Save();
  for (const double scale : {0.75, 0.9, 1.0}) {
    run.Restore(query);
    const robot::Command candidate = scale * run.Look().direct;
    ASSERT_TRUE(run.Execute(candidate).ok());
    const std::string branched = ToBytes(loop.Save());

    ClosedLoop other =
        ClosedLoop::Create(world, std::make_shared<RestlessPolicy>(world->spec())).value();
    TargetRun replay(other, start, {1.5, 1.0});
    for (const robot::Command& command : history) ASSERT_TRUE(replay.Execute(command).ok());
    ASSERT_TRUE(replay.Execute(candidate).ok());
    EXPECT_EQ(ToBytes(other.Save()), branched) << scale;
    EXPECT_EQ(replay.result().decisions, run.result().decisions);
  }
}

}  // namespace
}  // namespace gonogo::sim
