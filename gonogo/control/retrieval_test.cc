// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/retrieval.h"

#include <cmath>
#include <set>

#include "tests/support/allocation_count.h"
#include <gtest/gtest.h>

#include "gonogo/control/testing/fake_predictor.h"

namespace gonogo::control {
namespace {

using internal::TestRobot;

/// Episodes of one command each; whoever walks obeys, effort is 1 + vx².
response::ExcitationLog Walks(int episodes, double height_m = 0.3) {
  response::ExcitationLog log;
  log.robot = "test";
  log.control_dt_s = 0.02;
  Rng rng = RngStream(3).Generator();
  for (std::int32_t e = 0; e < episodes; ++e) {
    const robot::Command command{rng.Uniform(-1, 1), rng.Uniform(-1, 1), 0.0};
    response::LoggedState state;
    state.episode = e;
    state.height_m = height_m;
    for (int t = 0; t <= 16; ++t) {
      state.command = t < 16 ? command : robot::Command{};
      state.effort = t < 16 ? 1.0 + command.vx * command.vx : 0.0;
      log.states.push_back(state);
      state.pose.p_W.x += 0.02 * command.vx;
      state.pose.p_W.y += 0.02 * command.vy;
    }
  }
  return log;
}

std::shared_ptr<const BehaviourArchive> Archive(const ArchiveOptions& options,
                                                double height_m = 0.3) {
  Result<BehaviourArchive> archive =
      BuildArchive(Walks(400, height_m), TestRobot().posture, options, RngStream(5));
  EXPECT_TRUE(archive.ok()) << archive.error().message;
  return std::make_shared<const BehaviourArchive>(std::move(archive).value());
}

Retrieval Make(const std::shared_ptr<const BehaviourArchive>& archive,
               const RetrievalConfig& config = {}) {
  return Retrieval::Create(config, TestRobot(), archive).value();
}

const Situation kNearTarget{
    .observation = {}, .goal_B = {0.6, 0.0}, .height_m = 0.3, .tilt_rad = 0.0};

TEST(BehaviourArchiveTest, KeepsNoTwoBehavioursThatAreNearerThanTheNovelty) {
  const auto all = Archive({.novelty = 0.0});
  const auto novel = Archive({.novelty = 0.3});
  EXPECT_EQ(all->behaviours.size(), 400U);
  EXPECT_LT(novel->behaviours.size(), 250U);
  EXPECT_GT(novel->behaviours.size(), 20U);
}

TEST(BehaviourArchiveTest, ASmallerArchiveHoldsTheMostUsefulOfTheLarger) {
  const auto all = Archive({.novelty = 0.1});
  const auto few = Archive({.novelty = 0.1, .size = 50});
  ASSERT_EQ(few->behaviours.size(), 50U);
  std::multiset<double> utilities;
  for (const ArchivedBehaviour& b : all->behaviours) utilities.insert(b.utility);
  double least = 1e9;
  for (const ArchivedBehaviour& b : few->behaviours) least = std::min(least, b.utility);
  EXPECT_EQ(std::distance(utilities.lower_bound(least), utilities.end()), 50);
}

TEST(BehaviourArchiveTest, ClustersPartitionTheArchive) {
  const auto archive = Archive({.clusters = 7});
  ASSERT_EQ(archive->cluster_begin.size(), 8U);
  EXPECT_EQ(archive->cluster_begin.front(), 0U);
  EXPECT_EQ(archive->cluster_begin.back(), archive->behaviours.size());
  for (std::size_t c = 0; c < 7; ++c) {
    for (std::size_t i = archive->cluster_begin[c]; i < archive->cluster_begin[c + 1]; ++i) {
      EXPECT_EQ(archive->behaviours[i].cluster, c);
    }
  }
}

TEST(BehaviourArchiveTest, ALogWithoutChunksIsAnError) {
  EXPECT_FALSE(BuildArchive(Walks(0), TestRobot().posture, {}, RngStream(1)).ok());
}

TEST(RetrievalTest, BlendsTowardsABehaviourThatLeadsToTheGoal) {
  Retrieval retrieval = Make(Archive({}));
  const CommandDecision decision = retrieval.Decide(kNearTarget);
  EXPECT_EQ(decision.reason, Reason::kRetrieved);
  EXPECT_GT(decision.towards.vx, 0.3);
  EXPECT_LT(std::abs(decision.towards.vy), 0.5);
  EXPECT_EQ(decision.command,
            Blend(Direct(TestRobot()).Command({0.6, 0.0}), decision.towards, 0.5));
}

TEST(RetrievalTest, NothingAppliesToAPostureTheArchiveNeverSaw) {
  Retrieval retrieval = Make(Archive({}));
  Situation crouched = kNearTarget;
  crouched.height_m = 0.2;
  const CommandDecision decision = retrieval.Decide(crouched);
  EXPECT_EQ(decision.reason, Reason::kNoneApplicable);
  EXPECT_EQ(decision.command, Direct(TestRobot()).Command({0.6, 0.0}));
}

TEST(RetrievalTest, TheGateRefusesBehavioursThatCrouchAndCanBeRemoved) {
  const auto low = Archive({}, 0.24);  // below the eligible 0.255 m
  Situation now = kNearTarget;
  now.height_m = 0.28;  // above the restore band, near enough to apply
  EXPECT_EQ(Make(low).Decide(now).reason, Reason::kGateClosed);
  EXPECT_EQ(Make(low, {.gate = false}).Decide(now).reason, Reason::kRetrieved);
}

TEST(RetrievalTest, TheCorrectionVanishesAtTheGoalAndDecidesWithoutAllocating) {
  Retrieval retrieval = Make(Archive({}), {.gate = false});
  Situation near = kNearTarget;
  near.goal_B = {1e-4, 0.0};
  const std::size_t before = testing_support::AllocationCount();
  const CommandDecision decision = retrieval.Decide(near);
  EXPECT_EQ(testing_support::AllocationCount(), before);
  EXPECT_LE(decision.gain, 1e-4);
}

TEST(RetrievalTest, RefusesImpossibleConfigurations) {
  EXPECT_FALSE(Retrieval::Create({.gain = 2.0}, TestRobot(), Archive({})).ok());
  EXPECT_FALSE(Retrieval::Create({.tilt_scale_rad = 0.0}, TestRobot(), Archive({})).ok());
  EXPECT_FALSE(Retrieval::Create({}, TestRobot(), std::make_shared<const BehaviourArchive>()).ok());
}

}  // namespace
}  // namespace gonogo::control
