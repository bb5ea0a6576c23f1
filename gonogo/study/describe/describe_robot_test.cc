// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/describe/describe_robot.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/sim/loop/onnx_policy.h"
#include "gonogo/sim/testing/public_robots.h"
#include "gonogo/study/describe/deploy_facts.h"

namespace gonogo::study {
namespace {

using robot::TermKind;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(FlatYamlTest, ReadsKeysNumbersWordsAndListsInAllTheirForms) {
  const std::vector<YamlEntry> entries = ReadFlatYaml(
      "# a comment\n"
      "kps: [100, 20.5,   # the knee\n"
      "      -3e-2]\n"
      "path: \"a#b\"\n"
      "actions:\n"
      "  JointPositionAction:\n"
      "    scale: 0.25\n"
      "observations:\n"
      "- ang_vel\n"
      "- 'gravity_vec'\n"
      "last: yes\n");
  ASSERT_EQ(entries.size(), 7U);
  EXPECT_THAT(entries[0].values, ElementsAre("100", "20.5", "-3e-2"));
  EXPECT_THAT(entries[1].values, ElementsAre("a#b"));
  EXPECT_EQ(entries[4].path, "actions.JointPositionAction.scale");
  EXPECT_EQ(entries[4].key(), "scale");
  EXPECT_THAT(entries[5].values, ElementsAre("ang_vel", "gravity_vec"));
  EXPECT_EQ(entries[6].path, "last");
}

TEST(DeployFactsTest, AListOfTermsAndAMapOfThemAreTheSame) {
  const auto read = [](const char* text) {
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "deploy.yaml";
    std::ofstream(file) << text;
    return ReadDeployFile(file).value();
  };
  const DeployFacts list = read(
      "rl_kp: [20, 21]\nobservations: [\"ang_vel\", \"commands\", \"g1_phase\"]\n"
      "commands_scale: [2, 2, 0.25]\n");
  EXPECT_THAT(list.kp->value, ElementsAre(20, 21));
  EXPECT_EQ(list.kp->source, "rl_kp of deploy.yaml");
  EXPECT_THAT(list.terms->value, ElementsAre(TermKind::kBaseAngVel, TermKind::kCommand));
  EXPECT_THAT(list.unread, ElementsAre("observation g1_phase of deploy.yaml"));
  EXPECT_THAT(list.scales.at(TermKind::kCommand).value, ElementsAre(2, 2, 0.25));
  const DeployFacts map = read(
      "stiffness: [20, 21]\nstep_dt: 0.02\nobservations:\n  base_ang_vel:\n    scale: [0.2, 0.2, "
      "0.2]\n    history_length: 5\n  joint_pos_rel:\n    scale: [1]\n");
  EXPECT_THAT(map.terms->value, ElementsAre(TermKind::kBaseAngVel, TermKind::kJointPos));
  EXPECT_THAT(map.scales.at(TermKind::kBaseAngVel).value, ElementsAre(0.2, 0.2, 0.2));
  EXPECT_EQ(map.history->value, 5);
  EXPECT_EQ(map.control_dt_s->value, 0.02);
}

TEST(ObservationGuessTest, UsualLayoutsAreFoundByTheirSize) {
  EXPECT_EQ(GuessObservation(45, 12).terms.size(), 6U);  // 3 + 3 + 3 + 3 x 12
  EXPECT_EQ(GuessObservation(48, 12).terms.front(), TermKind::kBaseLinVel);
  EXPECT_EQ(GuessObservation(47, 12).terms.back(), TermKind::kGaitPhase);
  EXPECT_TRUE(GuessObservation(235, 12).has_scan);            // 48 + 187
  const ObservationGuess frames = GuessObservation(705, 12);  // 15 x 47, and no other multiple
  EXPECT_EQ(frames.history, 15);
  EXPECT_EQ(frames.terms.back(), TermKind::kGaitPhase);
  EXPECT_EQ(GuessObservation(46, 12).missing, 1);
}

TEST(DescribeRobotTest, AShippedRobotIsDescribedWellEnoughToBeLoaded) {
  const std::filesystem::path go2 = GONOGO_SOURCE_DIR "/robots/go2";
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "described";
  std::filesystem::create_directories(folder);
  const Result<std::string> text =
      DescribeRobot({go2 / "model.xml", go2 / "policy.onnx", "", folder});
  ASSERT_TRUE(text.ok()) << text.error().message;
  std::ofstream(folder / "robot.toml") << text.value();
  const Result<robot::RobotSpec> spec = robot::LoadRobotSpec(folder);
  ASSERT_TRUE(spec.ok()) << spec.error().message << "\n" << text.value();
  const robot::RobotSpec real = robot::LoadRobotSpec(go2).value();
  EXPECT_EQ(spec.value().root, real.root);
  EXPECT_THAT(spec.value().joints, testing::UnorderedElementsAreArray(real.joints));
  EXPECT_EQ(spec.value().feet.size(), 4U);
  EXPECT_EQ(spec.value().observation_size(), real.observation_size());
  EXPECT_TRUE(sim::OnnxPolicy::Load(spec.value()).ok());
  std::filesystem::remove_all(folder);
  EXPECT_THAT(text.value(), HasSubstr("CHECK nothing says it"));  // its gains are in no file
}

TEST(DescribeRobotTest, SeveralObservationInputsAreNamed) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "two_described";
  std::filesystem::create_directories(folder);
  const Result<std::string> text =
      DescribeRobot({GONOGO_SOURCE_DIR "/robots/go2/model.xml",
                     GONOGO_SOURCE_DIR "/gonogo/sim/testdata/frames.onnx", "", folder});
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_THAT(text.value(),
              AllOf(HasSubstr("term = \"base_ang_vel\"\ninput = \"obs\""),
                    HasSubstr("[[input]]\nname = \"obs_history\"\nlike = \"obs\"\nframes = 2\n")));
  std::ofstream(folder / "robot.toml") << text.value();
  const Result<robot::RobotSpec> spec = robot::LoadRobotSpec(folder);
  ASSERT_TRUE(spec.ok()) << spec.error().message;
  const auto policy = sim::OnnxPolicy::Load(spec.value());
  EXPECT_TRUE(policy.ok()) << policy.error().message;
  std::filesystem::remove_all(folder);
}

TEST(DescribeRobotTest, ADeploymentFillsInWhatItKnows) {
  if (!sim::internal::HavePublicPolicies()) GTEST_SKIP() << "no public policies";
  const std::filesystem::path g1 =
      std::filesystem::path(sim::internal::kPublicPolicies) / "g1_unitree_rl_gym_lstm";
  const Result<std::string> text =
      DescribeRobot({g1 / "g1_12dof_flat.xml", g1 / "motion_converted.onnx", g1 / "g1.yaml", g1});
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_THAT(
      text.value(),
      AllOf(HasSubstr("kp = [100, 100, 100, 150, 40, 40, 100, 100, 100, 150, 40, 40]  # kps of "),
            HasSubstr("default = [-0.1, 0, 0, 0.3, -0.2, 0, -0.1, 0, 0, 0.3, -0.2, 0]"),
            HasSubstr("physics_dt = 0.002  # simulation_dt of g1.yaml"),
            HasSubstr("decimation = 10  # control_decimation of g1.yaml"),
            HasSubstr("term = \"command\"\nscale = [2, 2, 0.25]  # cmd_scale of g1.yaml"),
            HasSubstr("term = \"gait_phase\"")));
}

TEST(DescribeRobotTest, ATorchScriptFileIsRefusedWithTheCommandThatConvertsIt) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "policy.pt";
  std::ofstream(file, std::ios::binary) << "PK\x03\x04 and so on";
  const Result<std::string> text =
      DescribeRobot({GONOGO_SOURCE_DIR "/robots/go2/model.xml", file, "", testing::TempDir()});
  ASSERT_FALSE(text.ok());
  EXPECT_THAT(text.error().message, AllOf(HasSubstr("TorchScript"), HasSubstr("'gonogo convert")));
}

}  // namespace
}  // namespace gonogo::study
