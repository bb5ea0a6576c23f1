// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/symmetry.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "gonogo/base/rng.h"
#include "gonogo/train/recipe/recipe.h"
#include "gonogo/train/walk/expert.h"

namespace gonogo::train {
namespace {

class RobotSymmetry : public ::testing::TestWithParam<const char*> {
 protected:
  std::filesystem::path folder_ = std::filesystem::path(GONOGO_SOURCE_DIR "/robots") / GetParam();
  robot::RobotSpec spec_ = robot::LoadRobotSpec(folder_).value();
  Recipe recipe_ = LoadRecipe(folder_ / "train.toml", spec_).value();

  static std::vector<float> Random(std::size_t size, std::uint64_t seed) {
    Rng rng = RngStream(seed).Generator();
    std::vector<float> values(size);
    for (float& value : values) value = static_cast<float>(rng.Normal());
    return values;
  }
};

TEST_P(RobotSymmetry, ReflectingTwiceChangesNothing) {
  for (const Mirror* mirror : {&recipe_.symmetry.observation, &recipe_.symmetry.action}) {
    const std::vector<float> start = Random(mirror->size(), 1);
    std::vector<float> once(start.size());
    std::vector<float> twice(start.size());
    mirror->Apply(start, once);
    mirror->Apply(once, twice);
    EXPECT_EQ(twice, start);
    EXPECT_NE(once, start);
  }
}

TEST_P(RobotSymmetry, CoversTheWholeObservationAndAction) {
  EXPECT_EQ(static_cast<int>(recipe_.symmetry.observation.size()), spec_.observation_size());
  EXPECT_EQ(static_cast<int>(recipe_.symmetry.action.size()), spec_.joint_count());
}

TEST_P(RobotSymmetry, TheDefaultPoseIsItsOwnMirrorImage) {
  const std::vector<float> pose(spec_.default_pose.begin(), spec_.default_pose.end());
  std::vector<float> mirrored(pose.size());
  recipe_.symmetry.action.Apply(pose, mirrored);
  EXPECT_EQ(mirrored, pose);
}

TEST_P(RobotSymmetry, ABumpOnTheLeftIsSeenOnTheRight) {
  const int scan = spec_.TermOffset(robot::TermKind::kHeightScan);
  std::vector<float> seen(recipe_.symmetry.observation.size());
  std::vector<float> mirrored(seen.size());
  seen[scan + 10 * 17 + 16] = 1.0F;  // front left corner
  recipe_.symmetry.observation.Apply(seen, mirrored);
  EXPECT_EQ(mirrored[scan + 0 * 17 + 16], 1.0F);  // front right corner
}

TEST_P(RobotSymmetry, InputScaleIsTheSameOnBothSides) {
  const std::vector<float> scale = InputScale(spec_);
  const Mirror& mirror = recipe_.symmetry.observation;
  ASSERT_EQ(scale.size(), mirror.size());
  for (std::size_t i = 0; i < scale.size(); ++i) EXPECT_EQ(scale[i], scale[mirror.source[i]]);
  const std::vector<float> centre = InputCentre(spec_, -0.14);
  ASSERT_EQ(centre.size(), mirror.size());
  for (std::size_t i = 0; i < centre.size(); ++i) {
    EXPECT_EQ(centre[i], mirror.sign[i] * centre[mirror.source[i]]);
  }
}

// The strongest check of signs and pairs: the walking start of the mirrored observation must be the
// mirrored walking start.
TEST_P(RobotSymmetry, TheExpertOfTheMirroredObservationIsTheMirroredExpert) {
  const std::shared_ptr<const robot::Policy> expert = MakeExpert(spec_, recipe_, 15.0).value();
  std::vector<float> seen = Random(recipe_.symmetry.observation.size(), 3);
  const int gravity = spec_.TermOffset(robot::TermKind::kProjectedGravity);
  seen[gravity] = 0.1F;
  seen[gravity + 1] = 0.05F;
  seen[gravity + 2] = -0.99F;
  const int joints = spec_.TermOffset(robot::TermKind::kJointPos);
  for (int i = 0; i < spec_.joint_count(); ++i) seen[joints + i] *= 0.2F;
  std::vector<float> mirrored(seen.size());
  recipe_.symmetry.observation.Apply(seen, mirrored);
  std::vector<float> action(spec_.joint_count());
  std::vector<float> expected(action.size());
  std::vector<float> got(action.size());
  robot::PolicyMemory memory;
  expert->Act(seen, action, memory);
  recipe_.symmetry.action.Apply(action, expected);
  expert->Act(mirrored, got, memory);
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got[i], expected[i], 2e-4) << spec_.joints[i];
  }
}

TEST(InputScaleTest, TheRangeOfAChannelSaysWhatIsMuchOfIt) {
  const robot::RobotSpec spec = robot::LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2_gait").value();
  const std::vector<float> scale = InputScale(spec);
  const auto at = static_cast<std::size_t>(spec.TermOffset(robot::TermKind::kCommand));
  EXPECT_FLOAT_EQ(scale[at], 1.5F);              // vx
  EXPECT_FLOAT_EQ(scale[at + 3], 1.5F / 0.04F);  // step_height: 0.03 to 0.11 m
  EXPECT_FLOAT_EQ(scale[at + 4], 1.5F / 0.6F);   // step_frequency: 1.8 to 3 Hz
}

INSTANTIATE_TEST_SUITE_P(Shipped, RobotSymmetry,
                         ::testing::Values("go2", "go2_gait", "anymal_d", "h1"),
                         [](const auto& robot) { return std::string(robot.param); });

}  // namespace
}  // namespace gonogo::train
