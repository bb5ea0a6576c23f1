// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/evaluate.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::study {
namespace {

/// Stands still: target = default pose.
class StillPolicy final : public robot::Policy {
 public:
  explicit StillPolicy(const robot::RobotSpec& spec) : spec_(spec) {}
  [[nodiscard]] int observation_size() const override { return spec_.observation_size(); }
  [[nodiscard]] int action_size() const override { return spec_.joint_count(); }
  void Act(std::span<const float> /*observation*/, std::span<float> action,
           robot::PolicyMemory& /*memory*/) const override {
    std::fill(action.begin(), action.end(), 0.0F);
  }

 private:
  robot::RobotSpec spec_;
};

Site StillGo2() {
  Site site;
  site.robot = robot::LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2").value();
  site.robot.task.horizon_s = 0.4;
  site.robot.task.targets["two"] = {{1.0, 0.0}, {0.0, 1.0}};
  site.policy = std::make_shared<StillPolicy>(site.robot);
  site.world = sim::World::Create(site.robot, sim::FlatTerrain()).value();
  return site;
}

std::vector<Method> TwoMethods(const Site& site) {
  return {OpenMethod("direct", site.robot, "", {}).value(),
          OpenMethod("scale-0.75", site.robot, "", {}).value()};
}

TEST(EvaluationTest, EveryMethodStartsEveryEpisodeFromTheSameStateWhateverTheJobs) {
  const Site site = StillGo2();
  const EvaluationPlan plan{.family = "two", .seeds = {7, 8}, .trials = 2};
  const auto alone = RunEvaluation(site, TwoMethods(site), plan, {.jobs = 1});
  const auto together = RunEvaluation(site, TwoMethods(site), plan, {.jobs = 2});
  ASSERT_TRUE(alone.ok()) << alone.error().message;
  ASSERT_TRUE(together.ok()) << together.error().message;
  ASSERT_EQ(alone.value().size(), 2U * 2U * 2U * 2U);
  for (std::size_t i = 0; i < alone.value().size(); ++i) {
    EXPECT_EQ(alone.value()[i].result.work_j, together.value()[i].result.work_j);
  }
  // The policy ignores its command, so that equal starts give equal work.
  for (std::size_t i = 0; i < 8; ++i) {
    const EpisodeRecord& direct = alone.value()[i];
    const EpisodeRecord& scaled = alone.value()[i + 8];
    EXPECT_EQ(direct.seed, scaled.seed);
    EXPECT_EQ(direct.target, scaled.target);
    EXPECT_EQ(direct.result.work_j, scaled.result.work_j);
    EXPECT_EQ(direct.active, 0);
    EXPECT_EQ(scaled.active, 5);  // 0.4 s are five decisions of 0.08 s
    EXPECT_EQ(scaled.reasons[static_cast<std::size_t>(control::Reason::kScaled)], 5);
  }
}

TEST(EvaluationTest, AnUnknownFamilyIsAnError) {
  const Site site = StillGo2();
  const auto records = RunEvaluation(site, TwoMethods(site), {.family = "easy", .seeds = {1}}, {});
  ASSERT_FALSE(records.ok());
  EXPECT_THAT(records.error().message, testing::HasSubstr("\"easy\""));
}

/// Method 1 needs 0.9, 0.8 and 1.1 of the work of method 0 on three seeds.
std::vector<EpisodeRecord> HandMade() {
  std::vector<EpisodeRecord> records;
  const std::array factors{0.9, 0.8, 1.1};
  for (std::size_t method = 0; method < 2; ++method) {
    for (std::size_t seed = 0; seed < 3; ++seed) {
      for (int trial = 0; trial < 2; ++trial) {
        EpisodeRecord record{.method = method, .seed = seed, .trial = trial};
        record.result.work_j = (100.0 + 20.0 * trial) * (method == 0 ? 1.0 : factors.at(seed));
        record.result.path_m = 2.0;
        record.result.effort = 1.0 + trial;
        record.result.success = trial == 0;
        record.active = static_cast<int>(method) * 3;
        records.push_back(record);
      }
    }
  }
  return records;
}

TEST(EvaluationTest, PairedDifferencesAreRelativeAndPerSeed) {
  const PairedDifference difference = ComparePaired(HandMade(), 1, 0, &sim::EpisodeResult::work_j);
  ASSERT_EQ(difference.per_seed.size(), 3U);
  EXPECT_NEAR(difference.per_seed[0], -0.1, 1e-12);
  EXPECT_NEAR(difference.per_seed[1], -0.2, 1e-12);
  EXPECT_NEAR(difference.per_seed[2], 0.1, 1e-12);
  EXPECT_DOUBLE_EQ(difference.p_value, 1.0);  // two against one of three
}

TEST(EvaluationTest, SummariesAreMeansOverEpisodes) {
  const MethodSummary summary = Summarise(HandMade(), 0, "direct", RngStream(1));
  EXPECT_EQ(summary.episodes, 6U);
  EXPECT_DOUBLE_EQ(summary.work_j, 110.0);
  EXPECT_DOUBLE_EQ(summary.work_per_metre, 55.0);
  EXPECT_NEAR(summary.success, 0.5, 1e-12);
  EXPECT_NEAR(summary.effort, 1.5, 1e-12);
  EXPECT_LT(summary.success_interval.lower, 0.5);
  EXPECT_GT(summary.success_interval.upper, 0.5);
  EXPECT_NEAR(Summarise(HandMade(), 1, "other", RngStream(1)).active, 3.0, 1e-12);
}

TEST(MethodsTest, WrongNamesAndSettingsAreRefusedWithAHint) {
  const robot::RobotSpec robot = StillGo2().robot;
  const auto error = [&](const std::string& name, const std::vector<std::string>& settings) {
    const Result<Method> method = OpenMethod(name, robot, "nowhere", settings);
    return method.ok() ? std::string("none") : method.error().message;
  };
  EXPECT_THAT(error("govenor", {}), testing::HasSubstr("did you mean 'governor'"));
  EXPECT_THAT(error("direct", {"vgcc.gian=0.3"}), testing::HasSubstr("did you mean 'vgcc.gain'"));
  EXPECT_THAT(error("direct", {"vgcc.gain=much"}), testing::HasSubstr("not a number"));
  EXPECT_THAT(error("scale-3", {}), testing::HasSubstr("expected (0, 2]"));
  EXPECT_THAT(error("governor", {"governor.least_scale=0"}), testing::HasSubstr("least_scale"));
  EXPECT_THAT(error("vgcc", {}), testing::HasSubstr("response-effort.json"));
  EXPECT_THAT(error("mpc", {}), testing::HasSubstr("macro.json"));
}

}  // namespace
}  // namespace gonogo::study
