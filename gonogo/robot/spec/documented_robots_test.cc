// SPDX-License-Identifier: Apache-2.0
// The descriptions of docs/howto/robot-forms.md are what it says they are.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "gonogo/robot/spec/spec.h"

namespace gonogo::robot {
namespace {

TEST(DocumentedRobotsTest, LoadAndHaveTheSizesTheTextNames) {
  std::ifstream stream(GONOGO_SOURCE_DIR "/docs/howto/robot-forms.md");
  std::stringstream page;
  page << stream.rdbuf();
  const std::string text = page.str();
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "documented_robots";
  std::filesystem::create_directories(folder);
  std::vector<int> sizes;
  std::size_t end = 0;
  for (std::size_t at = text.find("```toml\n"); at != std::string::npos;
       at = text.find("```toml\n", end)) {
    end = text.find("```\n", at + 8);
    std::string toml = text.substr(at + 8, end - at - 8);
    const std::string here = "\"../../robots/";
    toml.replace(toml.find(here), here.size(), "\"" GONOGO_SOURCE_DIR "/robots/");
    std::ofstream(folder / "robot.toml") << toml;
    const Result<RobotSpec> spec = LoadRobotSpec(folder);
    ASSERT_TRUE(spec.ok()) << spec.error().message;
    sizes.push_back(spec.value().observation_size());
  }
  std::filesystem::remove_all(folder);
  EXPECT_EQ(sizes, (std::vector<int>{1020, 1470, 294}));
  EXPECT_NE(text.find("takes 1020"), std::string::npos);
  EXPECT_NE(text.find("takes 1470"), std::string::npos);
  EXPECT_NE(text.find("the observation has 294"), std::string::npos);
}

}  // namespace
}  // namespace gonogo::robot
