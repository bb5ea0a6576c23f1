// SPDX-License-Identifier: Apache-2.0
// Policies that others trained elsewhere, run from a robot.toml alone: other joint orders, scales,
// actuators, rates, extra terms, recurrent state. They are not part of this repository; without the
// folder that holds them these tests are skipped.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "gonogo/sim/loop/closed_loop.h"
#include "gonogo/sim/loop/onnx_policy.h"
#include "gonogo/sim/testing/public_robots.h"

namespace gonogo::sim {
namespace {

struct Walk {
  double vx = 0.0;  ///< mean body-frame velocity over 1 s to 10 s
  double vy = 0.0;
  double wz = 0.0;
  double lowest_m = 1e9;
};

class PublicPolicyTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!internal::HavePublicPolicies()) GTEST_SKIP() << internal::kPublicPolicies << " is missing";
  }

  /// Walks for ten seconds on flat ground under one command.
  static Walk Run(const std::string& toml, const robot::Command& command) {
    const std::filesystem::path file =
        std::filesystem::path(testing::TempDir()) /
        (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".toml");
    std::ofstream(file) << toml;
    const Result<robot::RobotSpec> spec = robot::LoadRobotSpec(file);
    EXPECT_TRUE(spec.ok()) << spec.error().message;
    const auto world = World::Create(spec.value(), FlatTerrain());
    EXPECT_TRUE(world.ok()) << world.error().message;
    const auto policy = OnnxPolicy::Load(spec.value());
    EXPECT_TRUE(policy.ok()) << policy.error().message;
    Result<ClosedLoop> loop = ClosedLoop::Create(world.value(), policy.value());
    EXPECT_TRUE(loop.ok()) << loop.error().message;
    std::filesystem::remove(file);
    return Measure(loop.value(), command);
  }

  static Walk Measure(ClosedLoop& loop, const robot::Command& command) {
    Start start;
    start.p_W = {0.0, 0.0, loop.env().spec().spawn_height_m};
    loop.Reset(start);
    Walk walk;
    int samples = 0;
    while (loop.env().state().time_s < 10.0) {
      const Status advanced = loop.Advance(command);
      EXPECT_TRUE(advanced.ok()) << advanced.error().message;
      const robot::RobotState& state = loop.env().state();
      walk.lowest_m = std::min(walk.lowest_m, state.posture_height_m);
      if (state.time_s < 1.0) continue;
      walk.vx += state.v_B[0];
      walk.vy += state.v_B[1];
      walk.wz += state.w_B[2];
      ++samples;
    }
    return {walk.vx / samples, walk.vy / samples, walk.wz / samples, walk.lowest_m};
  }
};

TEST_F(PublicPolicyTest, AnIsaacLabGo2WalksByDescription) {
  const Walk walk = Run(internal::PublicGo2Toml(), {.vx = 0.5});
  EXPECT_NEAR(walk.vx, 0.420, 0.02);  // what others measured in MuJoCo; so below
  EXPECT_GT(walk.lowest_m, 0.2);
}

TEST_F(PublicPolicyTest, APlaygroundGo1WalksByDescription) {
  const Walk walk = Run(internal::PublicGo1Toml(), {.vx = 0.5});
  EXPECT_NEAR(walk.vx, 0.505, 0.02);
  EXPECT_GT(walk.lowest_m, 0.2);
}

TEST_F(PublicPolicyTest, ARecurrentG1WalksByDescription) {
  const Walk walk = Run(internal::PublicG1Toml(), {.vx = 0.5});
  EXPECT_NEAR(walk.vx, 0.475, 0.02);
  EXPECT_GT(walk.lowest_m, 0.6);
}

}  // namespace
}  // namespace gonogo::sim
