// SPDX-License-Identifier: Apache-2.0
// The shipped policy walks; branches from snapshots are compared with the slow way, bit for bit.
#include "gonogo/study/branch/branch.h"

#include <gtest/gtest.h>

#include "gonogo/control/baselines.h"

namespace gonogo::study {
namespace {

class BranchTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    scene_ =
        std::make_unique<Scene>(OpenScene(GONOGO_SOURCE_DIR "/robots/go2", "rough", 3).value());
  }
  static void TearDownTestSuite() { scene_.reset(); }

  static Method Named(const char* name) { return OpenMethod(name, scene_->robot, "", {}).value(); }
  static SourceEpisode Source(const char* method) {
    return RunSource(*scene_, Named(method), RngStream(1301), 0, 0, {0.75, 0.5}).value();
  }
  static sim::ClosedLoop Loop() {
    return sim::ClosedLoop::Create(scene_->world, scene_->policy).value();
  }
  static BranchOutcome Branch(sim::TargetRun& run, const char* action) {
    const auto continuation = Named("direct").make();
    return RunBranch(run, ParseIntervention(action).value(), {}, *continuation).value();
  }

  static std::unique_ptr<Scene> scene_;
};

std::unique_ptr<Scene> BranchTest::scene_;

TEST_F(BranchTest, ReplayFromTheStartReachesTheSnapshotExactlyAndGoesOnTheSame) {
  for (const char* method : {"direct", "scale-0.75", "governor"}) {
    const SourceEpisode episode = Source(method);
    ASSERT_GT(episode.commands.size(), 6U);
    for (const std::size_t decision : {std::size_t{0}, std::size_t{5}}) {
      for (const char* action : {"direct", "scale-0.90", "heading-0.3", "yaw+0.2"}) {
        sim::ClosedLoop fast_loop = Loop();
        sim::TargetRun fast(fast_loop, episode.start, episode.target_S);
        fast.Restore(episode.states[decision]);
        sim::ClosedLoop slow_loop = Loop();
        sim::TargetRun slow(slow_loop, episode.start, episode.target_S);
        ASSERT_TRUE(ReplayTo(decision, episode, slow).ok());
        EXPECT_EQ(Difference(slow.Save(), episode.states[decision]), 0.0);
        EXPECT_EQ(Branch(fast, action), Branch(slow, action)) << method << " " << action;
        EXPECT_EQ(Difference(fast.Save(), slow.Save()), 0.0);
      }
    }
  }
}

TEST_F(BranchTest, TheDirectBranchIsTheRestOfADirectEpisode) {
  const SourceEpisode episode = Source("direct");
  for (std::size_t decision = 0; decision < episode.commands.size(); decision += 4) {
    sim::ClosedLoop loop = Loop();
    sim::TargetRun run(loop, episode.start, episode.target_S);
    run.Restore(episode.states[decision]);
    const BranchOutcome rest =
        Remaining(run.result(), episode.result, scene_->robot.control_dt_s());
    EXPECT_EQ(Branch(run, "direct"), rest);
    EXPECT_GT(rest.work_j, 0.0);
  }
}

TEST_F(BranchTest, AnInterventionChangesWhatFollows) {
  const SourceEpisode episode = Source("direct");
  sim::ClosedLoop loop = Loop();
  sim::TargetRun run(loop, episode.start, episode.target_S);
  const BranchOutcome direct = Branch(run, "direct");
  run.Restore(episode.states[0]);
  const BranchOutcome slower = Branch(run, "scale-0.75");
  EXPECT_NE(direct.work_j, slower.work_j);
  EXPECT_GE(slower.time_s, direct.time_s);
}

TEST_F(BranchTest, DifferenceNoticesTheSmallestChange) {
  const SourceEpisode episode = Source("direct");
  const sim::Bookmark& state = episode.states[2];
  sim::Bookmark other = state;
  other.loop.env.physics[3] += 1e-12;
  EXPECT_NEAR(Difference(state, other), 1e-12, 1e-15);
  other = state;
  ++other.progress.decisions;
  EXPECT_TRUE(std::isinf(Difference(state, other)));
}

TEST(DrawDecisionsTest, DrawsWithoutReplacementInOrderAndNeverMoreThanThereAre) {
  std::vector<int> hits(10, 0);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::vector<std::size_t> drawn = DrawDecisions(10, 3, RngStream(i));
    ASSERT_EQ(drawn.size(), 3U);
    EXPECT_LT(drawn[0], drawn[1]);
    EXPECT_LT(drawn[1], drawn[2]);
    for (const std::size_t d : drawn) ++hits.at(d);
  }
  // Each decision is expected 300 times, sd 14.5: six of those never happen to a fair draw.
  for (const int count : hits) EXPECT_NEAR(count, 300, 87);
  EXPECT_EQ(DrawDecisions(2, 3, RngStream(1)), (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(DrawDecisions(0, 3, RngStream(1)).empty());
}

}  // namespace
}  // namespace gonogo::study
