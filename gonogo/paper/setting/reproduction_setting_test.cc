// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/setting/reproduction_setting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"

namespace gonogo::paper {
namespace {

TEST(OtherRobotsTest, AnotherRobotLiesBesideTheFirstAndHasModelsOfItsOwn) {
  const ReproductionSetting go2{.robot = "robots/go2", .models = "runs/models", .folder = "runs"};
  const ReproductionSetting h1 = OnOtherRobot(go2, "h1");
  EXPECT_EQ(h1.robot, "robots/h1");
  EXPECT_EQ(h1.models, "runs/models-h1");
  EXPECT_EQ(h1.folder, "runs");
}

TEST(OtherRobotsTest, AFolderTakesThePlaceOfTheRobotItSaysItStandsFor) {
  ReproductionSetting setting{.robot = "robots/go2", .models = {}, .folder = "runs"};
  const std::filesystem::path robots = GONOGO_SOURCE_DIR "/robots";
  ASSERT_TRUE(PlaceRobot(robots / "h1", setting).ok());
  EXPECT_EQ(setting.robot, "robots/go2");
  EXPECT_EQ(OnOtherRobot(setting, "h1").robot, robots / "h1");
  EXPECT_EQ(OnOtherRobot(setting, "anymal_d").robot, "robots/anymal_d") << "beside the Go2";

  const std::filesystem::path mine = std::filesystem::path(testing::TempDir()) / "my_dog";
  std::filesystem::create_directories(mine);
  std::filesystem::copy(
      robots / "go2", mine,
      std::filesystem::copy_options::overwrite_existing | std::filesystem::copy_options::recursive);
  const std::string toml = io::ReadFile(robots / "go2/robot.toml").value();
  const auto named = [&](const std::string& names) {
    std::string changed = toml;
    changed.replace(changed.find("name = \"go2\""), 12, names);
    EXPECT_TRUE(io::WriteFile(mine / "robot.toml", changed).ok());
    return PlaceRobot(mine, setting);
  };
  const Status placed = named("name = \"rex\"\nstands_for = \"go2\"");
  ASSERT_TRUE(placed.ok()) << placed.error().message;
  EXPECT_EQ(setting.robot, mine);
  const Status none = named("name = \"rex\"");
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(
      none.error().message,
      testing::HasSubstr("robot.stands_for is \"rex\", expected one of the paper's robots"));
  std::filesystem::remove_all(mine);
}

TEST(OtherRobotsTest, ARobotThatIsNotThereIsLeftOutByName) {
  const ReproductionSetting missing{.robot = "robots/no-such-robot", .models = {}, .folder = {}};
  EXPECT_FALSE(HasPolicy(missing));
  EXPECT_EQ(LeftOut(missing).text, "no-such-robot is left out: it has no policy.");
}

}  // namespace
}  // namespace gonogo::paper
