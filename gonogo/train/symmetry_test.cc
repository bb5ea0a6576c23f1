// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/symmetry.h"

#include <gtest/gtest.h>

#include "gonogo/base/rng.h"
#include "gonogo/train/recipe.h"
#include "gonogo/train/trot_policy.h"

namespace gonogo::train {
namespace {

class Go2Symmetry : public ::testing::Test {
 protected:
  robot::RobotSpec spec_ = robot::LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2").value();
  Recipe recipe_ = LoadRecipe(GONOGO_SOURCE_DIR "/robots/go2/train.toml", spec_).value();

  static std::vector<float> Random(std::size_t size, std::uint64_t seed) {
    Rng rng = RngStream(seed).Generator();
    std::vector<float> values(size);
    for (float& value : values) value = static_cast<float>(rng.Normal());
    return values;
  }
};

TEST_F(Go2Symmetry, ReflectingTwiceChangesNothing) {
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

TEST_F(Go2Symmetry, CoversTheWholeObservationAndAction) {
  EXPECT_EQ(static_cast<int>(recipe_.symmetry.observation.size()), spec_.observation_size());
  EXPECT_EQ(static_cast<int>(recipe_.symmetry.action.size()), spec_.joint_count());
}

TEST_F(Go2Symmetry, TheDefaultPoseIsItsOwnMirrorImage) {
  const std::vector<float> pose(spec_.default_pose.begin(), spec_.default_pose.end());
  std::vector<float> mirrored(pose.size());
  recipe_.symmetry.action.Apply(pose, mirrored);
  EXPECT_EQ(mirrored, pose);
}

TEST_F(Go2Symmetry, ABumpOnTheLeftIsSeenOnTheRight) {
  const int scan = spec_.TermOffset(robot::TermKind::kHeightScan);
  std::vector<float> seen(recipe_.symmetry.observation.size());
  std::vector<float> mirrored(seen.size());
  seen[scan + 10 * 17 + 16] = 1.0F;  // front left corner
  recipe_.symmetry.observation.Apply(seen, mirrored);
  EXPECT_EQ(mirrored[scan + 0 * 17 + 16], 1.0F);  // front right corner
}

TEST_F(Go2Symmetry, InputScaleIsTheSameOnBothSides) {
  const std::vector<float> scale = InputScale(spec_);
  const Mirror& mirror = recipe_.symmetry.observation;
  ASSERT_EQ(scale.size(), mirror.size());
  for (std::size_t i = 0; i < scale.size(); ++i) EXPECT_EQ(scale[i], scale[mirror.source[i]]);
}

// The strongest check of signs and pairs: the trot of the mirrored observation must be the mirrored
// trot.
TEST_F(Go2Symmetry, TheTrotOfTheMirroredObservationIsTheMirroredTrot) {
  recipe_.trot.weight_n = 147.0;
  const TrotPolicy trot = TrotPolicy::Create(spec_, recipe_.trot).value();
  std::vector<float> seen = Random(recipe_.symmetry.observation.size(), 3);
  const int gravity = spec_.TermOffset(robot::TermKind::kProjectedGravity);
  seen[gravity] = 0.1F;
  seen[gravity + 1] = 0.05F;
  seen[gravity + 2] = -0.99F;
  std::vector<float> mirrored(seen.size());
  recipe_.symmetry.observation.Apply(seen, mirrored);
  std::vector<float> action(12);
  std::vector<float> expected(12);
  std::vector<float> got(12);
  robot::PolicyMemory memory;
  trot.Act(seen, action, memory);
  recipe_.symmetry.action.Apply(action, expected);
  trot.Act(mirrored, got, memory);
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(got[i], expected[i], 1e-4) << spec_.joints[i];
}

}  // namespace
}  // namespace gonogo::train
