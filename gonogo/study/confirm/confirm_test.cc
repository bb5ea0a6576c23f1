// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/adapter/testing/small_adapter.h"
#include "gonogo/study/confirm/confirm_summary.h"
#include "gonogo/study/methods.h"

namespace gonogo::study {
namespace {

using testing::HasSubstr;

constexpr const char* kGo2 = GONOGO_SOURCE_DIR "/robots/go2";

constexpr const char* kFlatProtocol = R"(
[protocol]
name = "flat"
actions = ["direct", "scale-0.75"]
[collect]
seeds = [1, 2]
family = "moderate"
terrain = "flat"
)";

/// An adapter of the Go2 that looks at the target only: with offset -1 it always takes scale-0.75,
/// with offset 1 never.
std::filesystem::path WriteConstant(float offset) {
  adapter::internal::SmallAdapter small({"direct", "scale-0.75"},
                                        {{"target", {"target_x", "target_y"}}}, {0.0F}, offset);
  const robot::RobotSpec robot = robot::LoadRobotSpec(kGo2).value();
  const audit::Protocol protocol = ParseProtocol(kFlatProtocol, "flat.toml").value();
  small.manifest.collection = {{"robot", "go2"}, {"layout_hash", robot.LayoutHash()}};
  small.manifest.protocol = {
      {"name", "flat"},
      {"text", audit::CanonicalText(protocol)},
      {"collect", {{"blend", 0.5}, {"anneal_distance", 0.5}, {"prefix", 4}}}};
  small.manifest.evidence = {{"H_dep", {{"point", 0.02}}}};
  small.manifest.best_fixed = "scale-0.75";
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "constant";
  EXPECT_TRUE(adapter::WriteAdapter(folder, small.manifest, small.onnx).ok());
  return folder;
}

Confirmation RunConstant(const ConfirmScene& where, std::size_t jobs = 1) {
  return RunConfirmation(where, {.seeds = {7, 8}, .trials = 1}, {.jobs = static_cast<int>(jobs)})
      .value();
}

TEST(ConfirmTest, AnAdapterThatNeverDepartsIsDirectControlBitForBit) {
  const ConfirmScene where = ConfirmScene::Open(WriteConstant(1.0F), kGo2).value();
  const Confirmation run = RunConstant(where);
  ASSERT_EQ(run.starts.size(), 8U);  // two clusters of four targets
  for (const ConfirmStart& start : run.starts) {
    EXPECT_EQ(start.of(Contender::kAdapter).cost, start.of(Contender::kDirect).cost);
    EXPECT_EQ(start.of(Contender::kMixture).cost, start.of(Contender::kDirect).cost);
    EXPECT_NE(start.of(Contender::kFixed).cost, start.of(Contender::kDirect).cost);
    EXPECT_EQ(start.of(Contender::kAdapter).departures, 0);
  }
  const ConfirmSummary summary = SummariseConfirmation(run, where);
  EXPECT_EQ(summary.total.point, 0.0);
  EXPECT_EQ(summary.total.interval, (stats::Interval{0.0, 0.0}));
  EXPECT_EQ(summary.violation.point, 0.0);
  EXPECT_GT(summary.violation.interval.upper, 0.05);  // eight starts prove little
  EXPECT_EQ(run.adapter_features.rows(), run.direct_features.rows());
}

TEST(ConfirmTest, AnAdapterThatAlwaysDepartsIsTheFixedActionForAnyNumberOfJobs) {
  const ConfirmScene where = ConfirmScene::Open(WriteConstant(-1.0F), kGo2).value();
  const Confirmation run = RunConstant(where);
  const Confirmation again = RunConstant(where, 3);
  for (std::size_t i = 0; i < run.starts.size(); ++i) {
    const ConfirmStart& start = run.starts[i];
    EXPECT_EQ(start.of(Contender::kAdapter).cost, start.of(Contender::kFixed).cost);
    EXPECT_EQ(start.of(Contender::kMixture).cost, start.of(Contender::kFixed).cost);
    for (std::size_t c = 0; c < kContenders; ++c) {
      EXPECT_EQ(start.outcomes[c].cost, again.starts[i].outcomes[c].cost);
    }
  }
  EXPECT_THAT(run.frequencies, testing::ElementsAre(0.0, 1.0));
  const ConfirmSummary summary = SummariseConfirmation(run, where);
  EXPECT_EQ(summary.deployment.point, 0.0);
  EXPECT_EQ(summary.reading.verdict, audit::Verdict::kNoGo);
  EXPECT_THAT(summary.answer, HasSubstr("There is no gain worth having in the closed loop: one "
                                        "intervention per query promised 2.00 %"));
}

TEST(ConfirmTest, GoesOnAfterAnInterruptionToTheSameBytes) {
  const ConfirmScene where = ConfirmScene::Open(WriteConstant(-1.0F), kGo2).value();
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "resumed";
  std::filesystem::remove_all(folder);
  const auto run = [&](const std::filesystem::path& kept, const Execution& execution) {
    return RunConfirmation(where, {.seeds = {7, 8}, .trials = 1, .folder = kept}, execution);
  };
  const auto bytes = [&](const Confirmation& done) {
    const ConfirmSummary summary = SummariseConfirmation(done, where);
    return ConfirmationJson(done, summary, where).dump() + ConfirmationCsv(done, summary);
  };
  // Once among the first episodes, once among those of the mixture, which need the others.
  for (const std::size_t moment : {5U, 26U}) {
    std::stop_source stop;
    const Result<Confirmation> cut = run(
        folder,
        {.jobs = 2, .stop = stop.get_token(), .progress = [&](std::size_t done, std::size_t total) {
           EXPECT_EQ(total, 32U);
           if (done >= moment) stop.request_stop();
         }});
    ASSERT_FALSE(cut.ok());
    EXPECT_EQ(cut.error().kind, ErrorKind::kInterrupted);
    EXPECT_THAT(cut.error().message, HasSubstr("the same command goes on"));
  }
  std::atomic<std::size_t> episodes = 0;
  const Result<Confirmation> resumed =
      run(folder, {.jobs = 2, .progress = [&](std::size_t, std::size_t) { ++episodes; }});
  ASSERT_TRUE(resumed.ok()) << resumed.error().message;
  EXPECT_LE(episodes, 32U - 25U) << "finished episodes are not run again";
  EXPECT_EQ(bytes(resumed.value()), bytes(run({}, {.jobs = 1}).value()));
}

TEST(ConfirmTest, RefusesClustersTheAdapterWasTrainedOn) {
  const ConfirmScene where = ConfirmScene::Open(WriteConstant(1.0F), kGo2).value();
  EXPECT_THAT(RunConfirmation(where, {.seeds = {2, 9}}, {}).error().message,
              HasSubstr("seed 2 is a cluster the adapter was trained on"));
  EXPECT_THAT(RunConfirmation(where, {.seeds = {9}}, {}).error().message,
              HasSubstr("one cluster has no interval"));
}

TEST(ConfirmTest, AnAdapterIsAMethodLikeAnyOther) {
  const std::string name = "adapter:" + WriteConstant(-1.0F).string();
  const robot::RobotSpec robot = robot::LoadRobotSpec(kGo2).value();
  const Method method = OpenMethod(name, robot, "", {"adapter.hold=2"}).value();
  EXPECT_THAT(method.identity, HasSubstr("adapter.hold=2"));
  const std::vector<float> observation(robot.observation_size(), 0.0F);
  EXPECT_EQ(method.make()->Decide({.observation = observation, .goal_B = {1.0, 0.0}}).reason,
            control::Reason::kAdapted);
  EXPECT_THAT(OpenMethod(name, robot, "", {"adapter.hold=1.5"}).error().message,
              HasSubstr("adapter.hold is 1.5, expected a whole number of 1 or more"));
  EXPECT_THAT(OpenMethod("adapter:", robot, "", {}).error().message, HasSubstr("names no folder"));
}

TEST(DriftTest, ComparesWhatIsMetWithTheDecilesOfTraining) {
  adapter::Manifest manifest;
  manifest.layout = {.actions = {"a", "b"}, .features = {{"f", {"f_x"}}}};
  manifest.inputs = {{.mean = 5.0, .sd = 2.0, .deciles = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}};
  FeatureTally met(manifest.inputs);
  for (const float value : {7.5F, 8.5F, 9.5F, 11.0F}) met.Add({&value, 1});
  const InputDrift drift = CompareWithTraining(manifest, met).front();
  EXPECT_EQ(drift.name, "f_x");
  EXPECT_DOUBLE_EQ(drift.shift, (36.5 / 4.0 - 5.0) / 2.0);
  EXPECT_DOUBLE_EQ(drift.outside, 0.25);
  EXPECT_DOUBLE_EQ(drift.distance, 0.7);  // at 7 seven tenths were expected, none was met
}

}  // namespace
}  // namespace gonogo::study
