// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/evaluate/evaluate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/study/evaluate/episode_table.h"
#include "gonogo/study/methods.h"
#include "gonogo/study/testing/still_scene.h"

namespace gonogo::study {
namespace {

using internal::StillGo2;

std::vector<Method> TwoMethods(const Scene& scene) {
  return {OpenMethod("direct", scene.robot, "", {}).value(),
          OpenMethod("scale-0.75", scene.robot, "", {}).value()};
}

class EvaluationTest : public ::testing::Test {
 protected:
  EvaluationTest() { std::filesystem::remove_all(folder_); }
  ~EvaluationTest() override { std::filesystem::remove_all(folder_); }

  Result<Evaluation> Run(const Execution& execution, EpisodeLog* log = nullptr) {
    return RunEvaluation(scene_, TwoMethods(scene_), plan_, log, execution);
  }
  EpisodeLog OpenLog() { return EpisodeLog::Open(folder_, scene_).value(); }

  Scene scene_ = StillGo2();
  EvaluationPlan plan_{.family = "two", .seeds = {7, 8}, .trials = 2};
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "gonogo_evaluation_test";
};

TEST_F(EvaluationTest, EveryMethodStartsEveryEpisodeFromTheSameState) {
  const Evaluation done = Run({.jobs = 2}).value();
  ASSERT_EQ(done.episodes.size(), 2U * 2U * 2U * 2U);
  // The policy ignores its command, so that equal starts give equal work.
  for (std::size_t i = 0; i < 8; ++i) {
    const EvaluatedEpisode& direct = done.Episodes(0)[i];
    const EvaluatedEpisode& scaled = done.Episodes(1)[i];
    EXPECT_EQ(direct.seed, scaled.seed);
    EXPECT_EQ(direct.target, scaled.target);
    EXPECT_EQ(direct.result.work_j, scaled.result.work_j);
    EXPECT_EQ(direct.active, 0);
    EXPECT_EQ(scaled.active, 5);  // 0.4 s are five decisions of 0.08 s
    EXPECT_EQ(scaled.count(control::Reason::kScaled), 5);
    ASSERT_EQ(scaled.path_S.size(), 6U);
    EXPECT_EQ(scaled.path_S.front(), (robot::Point2{0.0, 0.0})) << "seen from the start pose";
  }
}

TEST_F(EvaluationTest, EverySeedMayHaveItsOwnGround) {
  const Evaluation flat = Run({.jobs = 2}).value();
  scene_.by_seed = {.ground = sim::Ground::Parse("rough").value(), .seed = {}};
  scene_.world = nullptr;
  const Evaluation own = Run({.jobs = 2}).value();
  for (const std::uint64_t seed : plan_.seeds) {
    // What the seed of its own ground gives is what one ground of that seed gives.
    Scene shared = scene_;
    shared.by_seed.reset();
    shared.world = SceneOf(scene_, seed).value().world;
    const Evaluation one = RunEvaluation(shared, TwoMethods(scene_), plan_, nullptr, {}).value();
    for (std::size_t i = 0; i < own.episodes.size(); ++i) {
      if (own.episodes[i].seed != seed) continue;
      EXPECT_EQ(own.episodes[i].result.work_j, one.episodes[i].result.work_j);
      EXPECT_NE(own.episodes[i].result.work_j, flat.episodes[i].result.work_j);
    }
  }
}

TEST_F(EvaluationTest, GivesTheSameBytesForAnyJobsAndAfterAnInterruption) {
  const Evaluation alone = Run({.jobs = 1}).value();
  std::stop_source stop;
  {
    EpisodeLog log = OpenLog();
    const Result<Evaluation> cut = Run({.jobs = 2,
                                        .stop = stop.get_token(),
                                        .progress =
                                            [&](std::size_t done, std::size_t) {
                                              if (done >= 5) stop.request_stop();
                                            }},
                                       &log);
    ASSERT_FALSE(cut.ok());
    EXPECT_EQ(cut.error().kind, ErrorKind::kInterrupted);
  }
  EpisodeLog log = OpenLog();
  std::size_t found = 0;
  const Evaluation resumed = Run({.jobs = 2,
                                  .progress =
                                      [&](std::size_t done, std::size_t) {
                                        if (found == 0) found = done;
                                      }},
                                 &log)
                                 .value();
  EXPECT_GE(found, 5U) << "finished episodes are not run again";
  EXPECT_EQ(EpisodesCsv({&alone, 1}), EpisodesCsv({&resumed, 1}));
  EXPECT_EQ(ToJson(alone).dump(), ToJson(resumed).dump());
  for (std::size_t i = 0; i < alone.episodes.size(); ++i) {
    EXPECT_EQ(alone.episodes[i].path_S, resumed.episodes[i].path_S);
  }
}

TEST_F(EvaluationTest, OtherSettingsTargetsOrTrialsAreOtherEpisodes) {
  const std::vector<robot::Point2> targets{{1.0, 0.0}, {1.0, 0.1}};
  const EpisodeRun run{.scene = scene_,
                       .targets = targets,
                       .controllers = {"vgcc vgcc.gain=0.5", "vgcc vgcc.gain=0.3"}};
  const EpisodeUnit unit{.controller = 0, .seed = 1, .target = 0, .trial = 0};
  {
    EpisodeLog log = OpenLog();
    ASSERT_TRUE(log.Append(run, unit, "what came of it").ok());
  }
  std::optional<EpisodeLog> again = OpenLog();
  EXPECT_EQ(again->Find(run, unit), "what came of it");
  EXPECT_FALSE(again->Find(run, {.seed = 1, .trial = 1}));
  EXPECT_FALSE(again->Find(run, {.seed = 2}));
  EXPECT_FALSE(again->Find(run, {.controller = 1, .seed = 1}));
  EXPECT_FALSE(again->Find(run, {.seed = 1, .target = 1}));
  again.reset();
  scene_.sha256.policy = "another";
  const Result<EpisodeLog> elsewhere = EpisodeLog::Open(folder_, scene_);
  ASSERT_FALSE(elsewhere.ok());
  EXPECT_THAT(elsewhere.error().message, testing::HasSubstr("another run"));
}

TEST_F(EvaluationTest, RefusesPlansThatMakeNoSense) {
  const auto error = [&] {
    const Result<Evaluation> done = Run({});
    return done.ok() ? std::string("none") : done.error().message;
  };
  plan_.family = "easy";
  EXPECT_THAT(error(), testing::HasSubstr("no target family \"easy\"; there are"));
  plan_ = {.family = "two", .seeds = {7, 7}, .trials = 2};
  EXPECT_THAT(error(), testing::HasSubstr("seed 7 is given twice"));
  plan_ = {.family = "two", .seeds = {7}, .trials = 0};
  EXPECT_THAT(error(), testing::HasSubstr("trials is 0"));
  const Method direct = OpenMethod("direct", scene_.robot, "", {}).value();
  const Result<Evaluation> twice =
      RunEvaluation(scene_, {direct, direct}, {.family = "two", .seeds = {7}}, nullptr, {});
  ASSERT_FALSE(twice.ok());
  EXPECT_THAT(twice.error().message, testing::HasSubstr("direct is given twice"));
}

TEST_F(EvaluationTest, AnEpisodeTableHasOneRowPerEpisodeAndAColumnPerReason) {
  const Evaluation done = Run({.jobs = 2}).value();
  const std::string csv = EpisodesCsv({&done, 1});
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 17);
  EXPECT_THAT(csv, testing::StartsWith("robot,family,method,seed,target,target_x,target_y,trial,"));
  EXPECT_THAT(csv, testing::HasSubstr(",n_compensate,"));
  EXPECT_THAT(csv, testing::HasSubstr("\ngo2,two,scale-0.75,7,0,1,0,0,"));
}

TEST(RestrictTest, KeepsTheNamedMethodsInTheirOrderAndTheChosenEpisodes) {
  Evaluation all{.methods = {"a", "b", "c"}};
  for (std::size_t m = 0; m < 3; ++m) {
    for (std::uint64_t seed : {1, 2}) all.episodes.push_back({.method = m, .seed = seed});
  }
  const Evaluation part =
      Restrict(all, {"c", "a"}, [](const EvaluatedEpisode& e) { return e.seed == 2; });
  ASSERT_EQ(part.episodes.size(), 2U);
  EXPECT_EQ(part.methods, (std::vector<std::string>{"c", "a"}));
  EXPECT_EQ(part.episodes[0].method, 0U);
  EXPECT_EQ(part.episodes[1].method, 1U);
  EXPECT_EQ(part.episodes[0].seed, 2U);
}

}  // namespace
}  // namespace gonogo::study
