// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/spec/spec.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// Every key of a robot.toml that changes what a policy sees, or what its actions mean, changes the
// hash; nothing else does.

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

/// A description in which every such key is given.
constexpr char kRobot[] = R"([robot]
name = "r"
model = "MODEL"
root = "base"
feet = ["f", "g"]
forbidden_contacts = []
spawn_height = 1
physics_dt = 0.005
decimation = 4
[joints]
order = ["a", "b", "c"]
default = [0, 0.5, 0]
action_scale = 1
action_clip = 5
action_smoothing = 0.5
action_delay = 2
armature = 0.01
[[actuator.group]]
joints = ["a", "b"]
kind = "pd"
kp = 1
kd = 1
[[actuator.group]]
joints = ["c"]
kind = "velocity"
kd = 1
[height_scan]
points = [3, 2]
spacing = 0.1
offset = 0.5
body = "base"
[[command.channel]]
name = "vx"
low = -1
high = 1
[[command.channel]]
name = "rate"
low = 1
high = 4
nominal = 2
[[observation]]
term = "base_lin_vel"
at = [0, 0, 0.1]
noise = 0.1
input = "now"
[[observation]]
term = "base_ang_vel"
site = "imu"
scale = 0.25
clip = [-7, 7]
input = "now"
[[observation]]
term = "joint_pos"
joints = ["a", "c"]
history = 3
history_order = "newest_first"
history_fill = "zero"
input = "now"
[[observation]]
term = "gait_phase"
frequency = "rate"
rest_below = 0.1
values = "cos_sin"
offsets = [0, 0.25]
input = "now"
[[observation]]
term = "gait_phase"
period = 0.8
input = "now"
[[observation]]
term = "constant"
value = [3]
input = "now"
[[observation]]
term = "foot_contact"
feet = ["f"]
threshold = 2
input = "now"
[[observation]]
term = "last_action"
smoothed = true
input = "past"
[[observation]]
term = "height_scan"
input = "now"
[[observation]]
term = "command"
input = "now"
[[input]]
name = "past"
frames = 2
order = "newest_first"
fill = "zero"
[posture]
nominal_height = 1
[task]
horizon = 6
[terrain]
friction = 0.7
)";

/// The hash after one line, the only one that reads so, was replaced; 0 if it cannot be read.
std::uint64_t HashAfter(const std::string& line, const std::string& by) {
  std::string text = kRobot;
  const std::string model = GONOGO_SOURCE_DIR "/robots/go2/model.xml";
  text.replace(text.find("MODEL"), 5, model);
  if (!line.empty()) {
    const std::size_t at = text.find("\n" + line + "\n");
    EXPECT_NE(at, std::string::npos) << line;
    text.replace(at + 1, line.size(), by);
  }
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "layout_hash.toml";
  std::ofstream(file) << text;
  const Result<RobotSpec> spec = LoadRobotSpec(file);
  std::filesystem::remove(file);
  EXPECT_TRUE(spec.ok()) << by << ": " << spec.error().message;
  return spec.ok() ? spec.value().LayoutHash() : 0;
}

TEST(LayoutHashTest, EveryKeyThatChangesAnObservationChangesIt) {
  const std::vector<std::pair<std::string, std::string>> changes{
      {"", ""},
      {"physics_dt = 0.005", "physics_dt = 0.004"},
      {"decimation = 4", "decimation = 5"},
      {"order = [\"a\", \"b\", \"c\"]", "order = [\"b\", \"a\", \"c\"]"},
      {"default = [0, 0.5, 0]", "default = [0, 0.6, 0]"},
      {"action_scale = 1", "action_scale = 2"},
      {"action_clip = 5", "action_clip = 6"},
      {"action_smoothing = 0.5", "action_smoothing = 0.4"},
      {"action_delay = 2", "action_delay = 3"},
      {"kind = \"velocity\"\nkd = 1", "kind = \"torque\""},
      {"points = [3, 2]", "points = [2, 3]"},
      {"spacing = 0.1", "spacing = 0.2"},
      {"offset = 0.5", "offset = 0.4"},
      {"body = \"base\"", ""},
      {"name = \"vx\"", "name = \"wz\""},
      {"nominal = 2", "nominal = 3"},
      {"term = \"base_ang_vel\"", "term = \"projected_gravity\""},
      {"at = [0, 0, 0.1]", "at = [0, 0, 0.2]"},
      {"at = [0, 0, 0.1]", ""},
      {"at = [0, 0, 0.1]", "site = \"imu\""},
      {"site = \"imu\"", "site = \"other\""},
      {"site = \"imu\"", ""},
      {"scale = 0.25", "scale = [0.25, 0.25, 0.5]"},
      {"clip = [-7, 7]", "clip = [-7, 8]"},
      {"clip = [-7, 7]", "clip = [-8, 7]"},
      {"joints = [\"a\", \"c\"]", "joints = [\"c\", \"a\"]"},
      {"history = 3", "history = 2"},
      {"history_order = \"newest_first\"", ""},
      {"history_fill = \"zero\"", ""},
      {"frequency = \"rate\"", "period = 0.5"},
      {"rest_below = 0.1", "rest_below = 0.2"},
      {"values = \"cos_sin\"", ""},
      {"offsets = [0, 0.25]", "offsets = [0, 0.5]"},
      {"period = 0.8", "period = 0.9"},
      {"value = [3]", "value = [4]"},
      {"feet = [\"f\"]", "feet = [\"g\"]"},
      {"threshold = 2", "threshold = 3"},
      {"smoothed = true", ""},
      {"frames = 2", "frames = 3"},
      {"order = \"newest_first\"", ""},
      {"fill = \"zero\"", ""}};
  std::map<std::uint64_t, std::string> seen;
  for (const auto& [line, by] : changes) {
    const auto [at, fresh] = seen.emplace(HashAfter(line, by), by);
    EXPECT_TRUE(fresh) << "'" << by << "' has the hash of '" << at->second << "'";
  }
}

TEST(LayoutHashTest, WhatThePolicyDoesNotSeeDoesNotChangeIt) {
  const std::uint64_t hash = HashAfter("", "");
  for (const auto& [line, by] :
       std::vector<std::pair<std::string, std::string>>{{"noise = 0.1", "noise = 0.2"},
                                                        {"low = -1", "low = -2"},
                                                        {"kp = 1", "kp = 2"},
                                                        {"armature = 0.01", "armature = 0.02"},
                                                        {"horizon = 6", "horizon = 7"},
                                                        {"friction = 0.7", "friction = 0.8"},
                                                        {"spawn_height = 1", "spawn_height = 2"}}) {
    EXPECT_EQ(HashAfter(line, by), hash) << by;
  }
}

TEST(LayoutHashTest, RobotsOfOlderVersionsKeepTheirs) {
  const std::map<std::string, std::string> known{{"go2", "f42c44b2b48b6d39"},
                                                 {"anymal_d", "fdc0fa722fcf5d21"},
                                                 {"h1", "ef6064dd52cfa8a0"},
                                                 {"go2_gait", "9588ac3b7de147b0"}};
  for (const auto& [robot, hash] : known) {
    const Result<RobotSpec> spec = LoadRobotSpec(std::string(GONOGO_SOURCE_DIR "/robots/") + robot);
    ASSERT_TRUE(spec.ok()) << spec.error().message;
    EXPECT_EQ(HashText(spec.value().LayoutHash()), hash) << robot;
  }
}

}  // namespace

}  // namespace gonogo::robot
