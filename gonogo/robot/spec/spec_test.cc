// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/spec/spec.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::robot {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string Go2Text() {
  std::ifstream stream(GONOGO_SOURCE_DIR "/robots/go2/robot.toml");
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The error of the Go2 description with one piece of text replaced.
std::string ErrorAfter(const std::string& what, const std::string& by) {
  std::string text = Go2Text();
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  text.replace(at, what.size(), by);
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) /
      testing::UnitTest::GetInstance()->current_test_info()->name();
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(GONOGO_SOURCE_DIR "/robots/go2/model.xml", folder / "model.xml",
                             std::filesystem::copy_options::overwrite_existing);
  std::ofstream(folder / "robot.toml") << text;
  const Result<RobotSpec> spec = LoadRobotSpec(folder);
  std::filesystem::remove_all(folder);
  EXPECT_FALSE(spec.ok());
  return spec.ok() ? "" : spec.error().message;
}

TEST(RobotSpecTest, ReadsTheGo2) {
  const Result<RobotSpec> spec = LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2");
  ASSERT_TRUE(spec.ok()) << spec.error().message;
  EXPECT_EQ(spec.value().joint_count(), 12);
  EXPECT_DOUBLE_EQ(spec.value().control_dt_s(), 0.02);
  EXPECT_EQ(spec.value().TermOffset(TermKind::kCommand), 9);
  EXPECT_EQ(spec.value().TermOffset(TermKind::kHeightScan), 48);
  EXPECT_EQ(spec.value().task.targets.at("harder").size(), 8U);
  EXPECT_EQ(spec.value().task.targets.at("moderate").size(), 4U);
  EXPECT_EQ(spec.value().task.targets.at("holdout").size(), 4U);
}

TEST(RobotSpecTest, NamesTheLineAndKeyOfAWrongDimension) {
  EXPECT_THAT(
      ErrorAfter("default = [0.1, -0.1,", "default = [0.1,"),
      AllOf(HasSubstr("robot.toml:"), HasSubstr("joints.default: found 11 numbers, expected 12")));
}

TEST(RobotSpecTest, NamesAMissingFile) {
  EXPECT_THAT(ErrorAfter("model.xml", "modle.xml"),
              AllOf(HasSubstr("robot.model: there is no file"), HasSubstr("modle.xml")));
}

TEST(RobotSpecTest, RefusesAModelNameThatNoFileCanHave) {
  EXPECT_THAT(ErrorAfter("model = \"model.xml\"", "model = \"" + std::string(5000, 'm') + '"'),
              HasSubstr("robot.model: there is no file"));
}

TEST(RobotSpecTest, RefusesAHeightScanThatNobodyCouldHold) {
  for (const char* points : {"[100000, 100000]", "[1e300, 11]", "[nan, 11]", "[0.5, 11]"}) {
    EXPECT_THAT(ErrorAfter("points = [17, 11]", std::string("points = ") + points),
                HasSubstr("height_scan.points: expected [along x, along y], both from 1 to 1000"));
  }
}

TEST(RobotSpecTest, RefusesAnObservationThatNoPolicyTakes) {
  EXPECT_THAT(ErrorAfter("points = [17, 11]", "points = [1000, 1000]"),
              HasSubstr("observation: holds 1000050 numbers with its histories, expected at most"));
}

TEST(RobotSpecTest, APatternOfManyStarsTakesNoLongerThanAnother) {
  const std::string all_alike = "kind = \"dc_motor\"";
  const std::string pattern = std::string(60, '*') + "x";
  EXPECT_THAT(ErrorAfter("[actuator]\n" + all_alike,
                         "[[actuator.group]]\njoints = [\"" + pattern + "\"]\n" + all_alike),
              HasSubstr("joints.order has no \"" + pattern));
}

TEST(RobotSpecTest, RefusesKeysItDoesNotKnow) {
  EXPECT_THAT(ErrorAfter("kp = ", "Kp = "), HasSubstr("actuator.kp: this key is required"));
  EXPECT_THAT(ErrorAfter("decline = ", "declin = "), HasSubstr("posture.declin: unknown key"));
}

TEST(RobotSpecTest, NamesAJointThatIsListedTwice) {
  EXPECT_THAT(ErrorAfter("\"FR_hip_joint\"", "\"FL_hip_joint\""),
              HasSubstr("joints.order: names FL_hip_joint twice"));
}

TEST(RobotSpecTest, NamesAnUnknownObservationTerm) {
  EXPECT_THAT(
      ErrorAfter("\"joint_vel\"", "\"joint_speed\""),
      AllOf(HasSubstr("observation[5].term: found \"joint_speed\""), HasSubstr("joint_vel")));
}

TEST(RobotSpecTest, NamesAWrongType) {
  EXPECT_THAT(ErrorAfter("kp = 60.0", "kp = \"stiff\""), HasSubstr("actuator.kp: found 'stiff'"));
  EXPECT_THAT(ErrorAfter("decimation = 4", "decimation = 0"),
              HasSubstr("robot.decimation: found 0, expected a whole number from 1"));
}

TEST(RobotSpecTest, TheLayoutHashFollowsTheMeaningOfTheObservation) {
  RobotSpec spec = LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2").value();
  const std::uint64_t hash = spec.LayoutHash();
  spec.task.horizon_s = 99.0;
  EXPECT_EQ(spec.LayoutHash(), hash);
  std::swap(spec.observation[4], spec.observation[5]);
  EXPECT_NE(spec.LayoutHash(), hash);
}

TEST(RobotSpecTest, ACadenceThatFollowsTheCommandIsPartOfTheLayout) {
  RobotSpec spec = LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/anymal_d").value();
  Cadence& cadence = spec.observation.back().cadence;
  ASSERT_EQ(spec.cadence(), &cadence);
  cadence = {.period_s = 0.5};
  // As it was before phases could follow the command: models identified then still fit.
  EXPECT_EQ(HashText(spec.LayoutHash()), "b50241369e03c10c");
  cadence.full_speed = 2.0;  // means nothing on its own
  EXPECT_EQ(HashText(spec.LayoutHash()), "b50241369e03c10c");
  cadence.rest_below = 0.1;
  const std::uint64_t resting = spec.LayoutHash();
  EXPECT_NE(HashText(resting), "b50241369e03c10c");
  cadence.slow_period_s = 0.8;
  EXPECT_NE(spec.LayoutHash(), resting);
}

TEST(RobotSpecTest, TheSlowPeriodIsNotTheShorterOne) {
  EXPECT_THAT(ErrorAfter("slow_period = 0.75", "slow_period = 0.3"),
              HasSubstr("slow_period: found 0.3, expected a number from 0.4"));
}

}  // namespace
}  // namespace gonogo::robot
