// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/site.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"

namespace gonogo::study {
namespace {

const std::filesystem::path kGo2 = GONOGO_SOURCE_DIR "/robots/go2";

TEST(SiteTest, NamesItsGroundAndThePolicyByItsBytes) {
  const Result<Site> site = OpenSite(kGo2, "rough", 1);
  ASSERT_TRUE(site.ok()) << site.error().message;
  EXPECT_EQ(site.value().robot.name, "go2");
  EXPECT_EQ(site.value().world->terrain().name, "rough");
  EXPECT_EQ(site.value().policy_sha256, io::Sha256Hex(io::ReadFile(kGo2 / "policy.onnx").value()));
  EXPECT_EQ(site.value().policy->observation_size(), site.value().robot.observation_size());
}

TEST(SiteTest, TheGroundDependsOnItsSeedAlone) {
  const auto height = [](std::uint64_t seed) {
    return OpenSite(kGo2, "rough", seed).value().world->terrain().Height(0.33, -0.21);
  };
  EXPECT_EQ(height(1), height(1));
  EXPECT_NE(height(1), height(2));
}

TEST(SiteTest, AnUnknownGroundAndAMissingRobotAreErrorsThatNameThem) {
  const Result<Site> ground = OpenSite(kGo2, "moon", 1);
  ASSERT_FALSE(ground.ok());
  EXPECT_EQ(ground.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(ground.error().message, testing::HasSubstr("\"moon\", expected flat, rough, grid"));
  const Result<Site> robot = OpenSite("nowhere/robot", "flat", 1);
  ASSERT_FALSE(robot.ok());
  EXPECT_THAT(robot.error().message, testing::HasSubstr("nowhere/robot"));
}

}  // namespace
}  // namespace gonogo::study
