// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/identify/excitation.h"

#include <algorithm>
#include <cmath>
#include <stop_token>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"
#include "gonogo/response/data/excitation_file.h"
#include "gonogo/response/data/windows.h"
#include "gonogo/study/testing/still_scene.h"

namespace gonogo::study {
namespace {

class ExcitationTest : public ::testing::Test {
 protected:
  ExcitationTest() {
    const Scene scene = internal::StillGo2();
    spec_ = scene.robot;
    world_ = scene.world;
    policy_ = scene.policy;
    std::filesystem::remove_all(folder_);
    EXPECT_TRUE(io::MakeDirectory(folder_).ok());
  }
  ~ExcitationTest() override { std::filesystem::remove_all(folder_); }

  std::string Bytes(const std::string& name, const Execution& execution) {
    const std::filesystem::path file = folder_ / name;
    const Status collected = CollectExcitation(world_, policy_, options_, file, execution);
    EXPECT_TRUE(collected.ok()) << collected.error().message;
    return io::ReadFile(file).value();
  }

  robot::RobotSpec spec_;
  std::shared_ptr<const sim::World> world_;
  std::shared_ptr<const robot::Policy> policy_;
  ExcitationOptions options_{.envs = 3, .steps = 120, .episode_s = 1.0};
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "gonogo_excitation_test";
};

TEST_F(ExcitationTest, CommandsFillTheBoxAndOneThirdOfThemAreSmall) {
  Rng rng = RngStream(3).Generator();
  const robot::CommandBox box{.low = {-1.0, -0.5, -2.0}, .high = {1.0, 0.5, 2.0}};
  int small = 0;
  double largest = 0.0;
  for (int i = 0; i < 10000; ++i) {
    const robot::Command c = DrawCommand(box, {}, rng);
    EXPECT_TRUE(box.Contains(c));
    largest = std::max(largest, std::abs(c.wz));
    const bool inner = std::abs(c.vx) <= 0.3 && std::abs(c.vy) <= 0.15 && std::abs(c.wz) <= 0.6;
    small += inner ? 1 : 0;
  }
  EXPECT_GT(largest, 1.99);
  // 0.3 scaled down, and 0.3³ of the rest by chance: 0.3189; six standard errors are 0.028.
  EXPECT_NEAR(small / 10000.0, 0.3 + 0.7 * 0.027, 0.028);
}

TEST_F(ExcitationTest, OtherChannelsAreDrawnFromTheirWholeRangeAndVelocitiesAsBefore) {
  robot::CommandBox box{.low = {-1.0, -0.5, -2.0}, .high = {1.0, 0.5, 2.0}};
  Rng alone = RngStream(3).Generator();
  const robot::Command velocity = DrawCommand(box, {}, alone);
  box.low.extra[1] = -0.05;
  box.high.extra[1] = 0.1;
  Rng rng = RngStream(3).Generator();
  robot::Command first = DrawCommand(box, {}, rng);
  first.extra[1] = 0.0;
  EXPECT_EQ(first, velocity);
  double lowest = 1.0;
  double highest = -1.0;
  for (int i = 0; i < 1000; ++i) {
    const robot::Command c = DrawCommand(box, {}, rng);
    EXPECT_TRUE(box.Contains(c));
    EXPECT_EQ(c.extra[0], 0.0);
    lowest = std::min(lowest, c.extra[1]);
    highest = std::max(highest, c.extra[1]);
  }
  EXPECT_LT(lowest, -0.048);
  EXPECT_GT(highest, 0.098);
}

TEST_F(ExcitationTest, LogsEpisodesOfTheDeclaredLengthWithCommandsHeldFor25Steps) {
  const Result<response::ExcitationLog> log = Excite(world_, policy_, options_, 0);
  ASSERT_TRUE(log.ok()) << log.error().message;
  // 120 steps in episodes of 50: 51 + 51 + 21 states.
  EXPECT_EQ(log.value().size(), 123U);
  EXPECT_EQ(log.value().states.back().episode, 2);
  // Per 50 steps two commands of three windows each; the last 20 steps hold two starts.
  EXPECT_EQ(response::WindowStarts(log.value(), 16, 4).size(), 6U + 6U + 2U);
  const int slot = spec_.TermOffset(robot::TermKind::kCommand);
  for (std::size_t i = 0; i < log.value().size(); ++i) {
    EXPECT_FLOAT_EQ(log.value().observation(i)[static_cast<std::size_t>(slot)],
                    static_cast<float>(log.value().states[i].command.vx));
  }
  EXPECT_GT(log.value().states[30].height_m, 0.2);
  EXPECT_EQ(log.value().states[50].effort, 0.0);
}

TEST_F(ExcitationTest, WritesTheSameBytesForAnyJobsAndAfterAnInterruption) {
  const std::string alone = Bytes("one.h5", {.jobs = 1});
  const std::string together = Bytes("two.h5", {.jobs = 2});
  EXPECT_EQ(alone, together);
  std::stop_source stop;
  const Status interrupted = CollectExcitation(
      world_, policy_, options_, folder_ / "three.h5",
      {.jobs = 1, .stop = stop.get_token(), .progress = [&](std::size_t, std::size_t) {
         stop.request_stop();
       }});
  ASSERT_FALSE(interrupted.ok());
  EXPECT_EQ(interrupted.error().kind, ErrorKind::kInterrupted);
  EXPECT_THAT(interrupted.error().message, testing::HasSubstr("1 of 3 environments"));
  EXPECT_EQ(Bytes("three.h5", {.jobs = 1}), alone);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "three.h5.parts"));
}

TEST_F(ExcitationTest, AFallEndsTheEpisodeInTheStateThatShowsIt) {
  options_.fallen_tilt_rad = 0.02;  // swaying while it settles from the spawn height is enough
  const response::ExcitationLog log = Excite(world_, policy_, options_, 0).value();
  ASSERT_GT(log.states.back().episode, 2);
  for (std::size_t i = 0; i + 1 < log.size(); ++i) {
    const bool last = log.states[i + 1].episode != log.states[i].episode;
    EXPECT_EQ(log.states[i].tilt_rad > 0.02, last) << i;
  }
}

TEST_F(ExcitationTest, RefusesToReplaceDataOfOtherOptions) {
  Bytes("data.h5", {.jobs = 1});
  options_.seed = 2;
  const Status refused =
      CollectExcitation(world_, policy_, options_, folder_ / "data.h5", {.jobs = 1});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, testing::HasSubstr("other options"));
}

}  // namespace
}  // namespace gonogo::study
