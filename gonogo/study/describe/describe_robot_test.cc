// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/describe/describe_robot.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"
#include "gonogo/sim/loop/onnx_policy.h"
#include "gonogo/sim/model/model_outline.h"
#include "gonogo/sim/testing/public_robots.h"

namespace gonogo::study {
namespace {

using robot::TermKind;
namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Result<std::string> DescribeText(const DescribeInput& input) {
  Result<Description> description = DescribeRobot(input);
  if (!description.ok()) return description.error();
  return description.value().robot_toml;
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
      DescribeText({go2 / "model.xml", go2 / "policy.onnx", {}, folder});
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
      DescribeText({GONOGO_SOURCE_DIR "/robots/go2/model.xml",
                    GONOGO_SOURCE_DIR "/gonogo/sim/testdata/frames.onnx",
                    {},
                    folder});
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
      DescribeText({g1 / "g1_12dof_flat.xml", g1 / "motion_converted.onnx", {g1 / "g1.yaml"}, g1});
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

/// A folder of its own with these files, gone with the test.
class ShippedFilesTest : public testing::Test {
 protected:
  ShippedFilesTest()
      : folder_(fs::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::create_directories(folder_);
  }
  ~ShippedFilesTest() override { fs::remove_all(folder_); }

  fs::path Put(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  const fs::path folder_;
};

constexpr char kTwoLegs[] = R"(<mujoco>
  <worldbody>
    <body name="trunk" pos="0 0 0">
      <freejoint/>
      <geom type="box" size="0.2 0.1 0.05" mass="5"/>
      <body name="left" pos="0 0.1 0">
        <joint name="left_hip" axis="0 1 0" damping="0.7" armature="0.02"/>
        <geom name="left_foot" type="sphere" size="0.02" pos="0 0 -0.3" mass="0.5"/>
      </body>
      <body name="right" pos="0 -0.1 0">
        <joint name="right_hip" axis="0 1 0" damping="0.7" armature="0.02"/>
        <geom name="right_foot" type="sphere" size="0.02" pos="0 0 -0.3" mass="0.5"/>
      </body>
    </body>
  </worldbody>
</mujoco>
)";

TEST_F(ShippedFilesTest, ARootFrameOnTheFloorIsSpawnedByTheGeometryOfItsPose) {
  const fs::path model = Put("model.xml", kTwoLegs);
  // With both hips turned by 60 degrees the feet are 0.3 cos(60) + 0.02 below the trunk.
  const Result<double> bent =
      sim::HeightOverGround(model, {"left_hip", "right_hip"}, {1.0471976, 1.0471976});
  ASSERT_TRUE(bent.ok()) << bent.error().message;
  EXPECT_NEAR(bent.value(), 0.17, 1e-6);
  EXPECT_NEAR(sim::HeightOverGround(model, {}, {}).value(), 0.32, 1e-9);
  EXPECT_FALSE(sim::HeightOverGround(model, {"tail"}, {0.0}).ok());
}

TEST_F(ShippedFilesTest, WhatTheModelsJointsBringIsShownBesideTheGains) {
  const fs::path model = Put("model.xml", kTwoLegs);
  const Result<std::string> text =
      DescribeText({model, GONOGO_SOURCE_DIR "/gonogo/sim/testdata/frames.onnx", {}, folder_});
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_THAT(text.value(),
              AllOf(HasSubstr("# damping = 0.7  of the model; it acts on top of kd"),
                    HasSubstr("# armature = 0.02  of the model"),
                    HasSubstr("spawn_height = 0.330  # from the geometry"),
                    HasSubstr("model.xml has no actuators: every joint has a motor")));
}

TEST_F(ShippedFilesTest, AFolderIsSortedAndTwoOfAKindAreRefused) {
  Put("model.xml", kTwoLegs);
  Put("deploy.yaml", "step_dt: 0.02\n");
  Put("README.md", "text");
  EXPECT_THAT(SortFiles({folder_}).error().message, HasSubstr("none of the files is a policy"));
  Put("policy.onnx", "");
  const Result<DescribeInput> sorted = SortFiles({folder_});
  ASSERT_TRUE(sorted.ok()) << sorted.error().message;
  EXPECT_EQ(sorted.value().model.filename(), "model.xml");
  EXPECT_EQ(sorted.value().configs.size(), 1U);
  Put("other.onnx", "");
  EXPECT_THAT(SortFiles({folder_}).error().message, HasSubstr("two policies"));
  EXPECT_EQ(SortFiles({folder_, folder_ / "other.onnx"}).value().policy.filename(), "other.onnx");
  EXPECT_THAT(SortFiles({folder_ / "README.md"}).error().message, HasSubstr("README.md: expected"));
}

TEST_F(ShippedFilesTest, AnUnusableTimestepNeverBecomesAStrangeDecimation) {
  std::string model = kTwoLegs;
  model.insert(model.find("<worldbody>"), "<option timestep=\"3.0517578e-05\"/>");
  const Result<std::string> text = DescribeText(
      {Put("model.xml", model), GONOGO_SOURCE_DIR "/gonogo/sim/testdata/frames.onnx", {}, folder_});
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_THAT(text.value(), AllOf(HasSubstr("physics_dt = 0.005  # CHECK"),
                                  HasSubstr("decimation = 4  # CHECK for 50 Hz")));
}

TEST_F(ShippedFilesTest, ATorchScriptPolicyIsConvertedOnTheWay) {
  const std::string scripts = GONOGO_SOURCE_DIR "/gonogo/nn/testdata/torchscript/";
  const Result<Description> made =
      DescribeRobot({Put("model.xml", kTwoLegs), scripts + "encoder.pt", {}, folder_});
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_FALSE(made.value().policy_onnx.empty());
  EXPECT_THAT(made.value().robot_toml, HasSubstr("policy = \"policy.onnx\""));
  const Result<Description> refused =
      DescribeRobot({Put("model.xml", kTwoLegs), scripts + "refused_noise.pt", {}, folder_});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("operator 'torch.randn'"));
}

TEST_F(ShippedFilesTest, WhatStudyNeedsNextIsWrittenToo) {
  const Result<Description> made =
      DescribeRobot({Put("model.xml", kTwoLegs),
                     GONOGO_SOURCE_DIR "/gonogo/sim/testdata/frames.onnx",
                     {},
                     folder_});
  ASSERT_TRUE(made.ok());
  EXPECT_THAT(made.value().audit_toml,
              AllOf(HasSubstr("name = \"model\""), HasSubstr("family = \"near\"")));
  EXPECT_THAT(made.value().robot_toml,
              AllOf(HasSubstr("[task.targets]\nnear = "), HasSubstr("[terrain]\nrough = ")));
}

}  // namespace
}  // namespace gonogo::study
