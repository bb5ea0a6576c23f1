// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/identify/identify.h"

#include <mutex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"
#include "gonogo/response/models/model_file.h"
#include "gonogo/study/testing/still_scene.h"

namespace gonogo::study {
namespace {

using ::testing::HasSubstr;

class IdentifyTest : public ::testing::Test {
 protected:
  IdentifyTest() {
    options_.excitation = {.envs = 4, .steps = 100, .episode_s = 1.0};
    options_.response_fit.hidden = options_.macro.fit.hidden = options_.value.fit.hidden = {8};
    options_.response_fit.epochs = options_.macro.fit.epochs = options_.value.fit.epochs = 2;
    options_.value_data = {.episodes = 8, .family = "two", .longest_prefix = 2};
    std::filesystem::remove_all(folder_);
  }
  ~IdentifyTest() override { std::filesystem::remove_all(folder_); }

  Result<IdentifyResult> Run(const std::string& name, int jobs = 1) {
    return Identify(scene_, options_, folder_ / name, {.jobs = jobs},
                    [this](std::string_view stage) {
                      stages_.emplace_back(stage);
                      return [this](std::size_t, std::size_t) {  // on any thread
                        const std::lock_guard lock(counting_);
                        ++ticks_[stages_.back()];
                      };
                    });
  }
  std::string Bytes(const std::string& file) { return io::ReadFile(folder_ / file).value(); }

  Scene scene_ = internal::StillGo2();
  IdentifyOptions options_;
  std::vector<std::string> stages_;
  std::mutex counting_;
  std::map<std::string, int> ticks_;
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "gonogo_identify_test";
};

TEST_F(IdentifyTest, WritesEveryModelAndTheSameBytesForAnyJobs) {
  const Result<IdentifyResult> alone = Run("one", 1);
  ASSERT_TRUE(alone.ok()) << alone.error().message;
  const Result<IdentifyResult> together = Run("two", 3);
  ASSERT_TRUE(together.ok()) << together.error().message;
  EXPECT_EQ(nlohmann::json(alone.value()).dump(), nlohmann::json(together.value()).dump());
  for (const char* stem :
       {"response-effort", "response-power", "response-effort-world", "response-effort-50",
        "response-effort-25", "response-effort-filtered", "macro", "value"}) {
    for (const char* extension : {".onnx", ".json"}) {
      const std::string file = std::string(stem) + extension;
      EXPECT_EQ(Bytes("one/" + file), Bytes("two/" + file)) << file;
    }
  }
  EXPECT_EQ(Bytes("one/excitation.h5"), Bytes("two/excitation.h5"));
  EXPECT_EQ(alone.value().rows.size(), 6U);
  EXPECT_EQ(alone.value().states, 4U * 102U);
  EXPECT_EQ(alone.value().macro->open_loop.size(), 4U);
}

TEST_F(IdentifyTest, ModelsOfTheOtherRateOfWorkAreOtherModelsOfTheSameData) {
  options_.contrasts = options_.planner = false;
  const IdentifyResult exact = Run("one").value();
  options_.work_rate = sim::WorkRate::kControl;
  const IdentifyResult read = Run("one").value();
  EXPECT_EQ(read.states, exact.states);
  // A policy that stands still has no effort; its power, the second row, is another one.
  EXPECT_NE(read.rows[1].scores[3].rmse, exact.rows[1].scores[3].rmse);
  EXPECT_EQ(read.measured.col(0), exact.measured.col(0));
}

TEST_F(IdentifyTest, FinishedModelsAreScoredAgainAndNotTrainedAgain) {
  options_.planner = false;
  const Result<IdentifyResult> first = Run("run");
  ASSERT_TRUE(first.ok()) << first.error().message;
  std::filesystem::remove(folder_ / "run/response-power.json");  // as if killed before it
  ticks_.clear();
  const Result<IdentifyResult> again = Run("run");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(nlohmann::json(first.value()).dump(), nlohmann::json(again.value()).dump());
  EXPECT_EQ(first.value().predicted, again.value().predicted);
  EXPECT_EQ(ticks_["response model: effort"], 0);
  EXPECT_GT(ticks_["response model: power"], 0);
  options_.response_fit.epochs = 3;
  ASSERT_TRUE(Run("run").ok());
  EXPECT_GT(ticks_["response model: effort"], 0) << "other options are another model";
}

TEST_F(IdentifyTest, ModelsOfAnotherRobotAreRefused) {
  options_.contrasts = options_.planner = false;
  ASSERT_TRUE(Run("run").ok());
  robot::RobotSpec other = scene_.robot;
  other.name = "go3";
  const auto model = response::LoadResponseModel(folder_ / "run/response-effort", other);
  ASSERT_FALSE(model.ok());
  EXPECT_THAT(model.error().message, HasSubstr("identified on robot \"go2\""));
  robot::RobotSpec layout = scene_.robot;
  layout.observation.front().scale.assign(3, 2.0);
  EXPECT_FALSE(response::LoadResponseModel(folder_ / "run/response-effort", layout).ok());
}

TEST_F(IdentifyTest, WindowsLongerThanTheHoldLeaveNothingToLearnFrom) {
  options_.window_steps = options_.excitation.hold + 1;
  const Result<IdentifyResult> result = Run("run");
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, HasSubstr("0 windows of 26 steps"));
}

TEST_F(IdentifyTest, DataCutShortOrOfAnotherRunAreRefused) {
  options_.contrasts = options_.planner = false;
  ASSERT_TRUE(Run("run").ok());
  options_.excitation.seed = 2;
  EXPECT_THAT(Run("run").error().message, HasSubstr("other options"));
  options_.excitation.seed = 1;
  std::filesystem::resize_file(folder_ / "run/excitation.h5", 10000);
  EXPECT_THAT(Run("run").error().message, HasSubstr("excitation.h5"));
}

}  // namespace
}  // namespace gonogo::study
