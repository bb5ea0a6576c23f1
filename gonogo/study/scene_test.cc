// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/scene.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"
#include "gonogo/robot/policy.h"
#include "gonogo/sim/world/world.h"
#include "gonogo/study/episode.h"

namespace gonogo::study {
namespace {

const std::filesystem::path kGo2Folder = GONOGO_SOURCE_DIR "/robots/go2";

TEST(SceneTest, NamesItsGroundAndThePolicyByItsBytes) {
  const Result<Scene> scene = OpenScene(kGo2Folder, "rough", 1);
  ASSERT_TRUE(scene.ok()) << scene.error().message;
  EXPECT_EQ(scene.value().robot.name, "go2");
  EXPECT_EQ(scene.value().world->terrain().name, "rough");
  EXPECT_EQ(scene.value().sha256.policy,
            io::Sha256Hex(io::ReadFile(kGo2Folder / "policy.onnx").value()));
  EXPECT_EQ(scene.value().policy->observation_size(), scene.value().robot.observation_size());
}

TEST(SceneTest, TheGroundDependsOnItsSeedAlone) {
  const auto height = [](std::uint64_t seed) {
    return OpenScene(kGo2Folder, "rough", seed).value().world->terrain().Height(0.33, -0.21);
  };
  EXPECT_EQ(height(1), height(1));
  EXPECT_NE(height(1), height(2));
}

TEST(SceneTest, SeedsShareOneGroundOrHaveTheirOwn) {
  const sim::Ground rough = sim::Ground::Parse("rough").value();
  const auto height = [](const Scene& scene) { return scene.world->terrain().Height(0.33, -0.21); };
  const Scene shared = OpenScene(kGo2Folder, {.ground = rough}).value();
  EXPECT_EQ(SceneOf(shared, 2).value().world, shared.world);
  const Scene own = OpenScene(kGo2Folder, {.ground = rough, .seed = {}}).value();
  EXPECT_EQ(height(SceneOf(own, 1).value()), height(shared));
  EXPECT_NE(height(SceneOf(own, 2).value()), height(shared));
}

TEST(SceneTest, APayloadIsDrawnForEverySeedAlsoOnOneGround) {
  const Surroundings loaded{.ground = sim::Ground::Parse("flat").value(),
                            .conditions = sim::Conditions::Parse("payload=-1..3").value()};
  const Scene scene = OpenScene(kGo2Folder, loaded).value();
  const double bare = OpenScene(kGo2Folder, "flat", 1).value().world->mass_kg();
  std::set<double> masses;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    masses.insert(SceneOf(scene, seed).value().world->mass_kg());
  }
  EXPECT_EQ(masses.size(), 3U);
  EXPECT_GE(*masses.begin(), bare - 1.0);
  EXPECT_LE(*masses.rbegin(), bare + 3.0);
}

TEST(SceneTest, AFrictionIsDrawnForEverySeedAndOnIceACommandLeadsLessFar) {
  const auto speed = [](const char* conditions, std::uint64_t seed) {
    const Scene scene =
        OpenScene(kGo2Folder, {.ground = sim::Ground::Parse("flat").value(),
                               .conditions = sim::Conditions::Parse(conditions).value()})
            .value();
    const sim::Start start{.p_W = {0.0, 0.0, scene.robot.spawn_height_m}};
    return RecordDrive(SceneOf(scene, seed).value(), {.vx = 0.5}, 2.0, start).value().velocity[0];
  };
  EXPECT_LT(speed("friction=0.02..0.02", 1), 0.5 * speed("friction=0.8..0.8", 1));
  EXPECT_EQ(speed("friction=0.3..0.6", 1), speed("friction=0.3..0.6", 1));
  EXPECT_NE(speed("friction=0.3..0.6", 1), speed("friction=0.3..0.6", 2));
}

TEST(SceneTest, TheNominalHeightCanBeWhatThePolicyStandsAt) {
  const auto nominal = [](const char* conditions) {
    return OpenScene(kGo2Folder, {.ground = sim::Ground::Parse("flat").value(),
                                  .conditions = sim::Conditions::Parse(conditions).value()})
        .value()
        .robot.posture.nominal_height_m;
  };
  EXPECT_EQ(nominal("nominal=0.35"), 0.35);
  const Scene scene = OpenScene(kGo2Folder, "flat", 1).value();
  EXPECT_EQ(nominal(""), scene.robot.posture.nominal_height_m);
  const double measured = StandingHeight(scene.robot, scene.policy).value();
  EXPECT_EQ(nominal("nominal=measured"), measured);
  EXPECT_GT(measured, 0.2);
  EXPECT_LT(measured, 0.45);
}

TEST(SceneTest, AnUnknownGroundAndAMissingRobotAreErrorsThatNameThem) {
  const Result<Scene> ground = OpenScene(kGo2Folder, "moon", 1);
  ASSERT_FALSE(ground.ok());
  EXPECT_EQ(ground.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(ground.error().message, testing::HasSubstr("\"moon\", expected flat, rough, grid"));
  const Result<Scene> robot = OpenScene("nowhere/robot", "flat", 1);
  ASSERT_FALSE(robot.ok());
  EXPECT_THAT(robot.error().message, testing::HasSubstr("nowhere/robot"));
}

}  // namespace
}  // namespace gonogo::study
