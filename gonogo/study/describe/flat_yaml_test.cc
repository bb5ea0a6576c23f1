// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/describe/flat_yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::study {
namespace {

using testing::ElementsAre;

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

TEST(FlatYamlTest, ReadsListsOfMapsFlowMapsAndAliases) {
  const std::vector<YamlEntry> entries = ReadFlatYaml(
      "actions:\n"
      "- name: legs\n"
      "  joint_names: &id001\n"
      "  - a\n"
      "  - b\n"
      "- name: arms\n"
      "  joint_names: *id001\n"
      "params: {period: 0.8, ranges: [1, 2]}\n");
  ASSERT_EQ(entries.size(), 8U);
  EXPECT_EQ(entries[1].path, "actions.0.name");
  EXPECT_THAT(entries[2].values, ElementsAre("a", "b"));
  EXPECT_EQ(entries[4].path, "actions.1.joint_names");
  EXPECT_THAT(entries[4].values, ElementsAre("a", "b"));
  EXPECT_EQ(entries[6].path, "params.period");
  EXPECT_THAT(entries[7].values, ElementsAre("1", "2"));
}

TEST(FlatPythonTest, ClassesAreKeysAndFunctionsArePassedOver) {
  const std::vector<YamlEntry> entries = ReadFlatPython(
      "from base import Cfg\n"
      "class RoughCfg( Cfg ):\n"
      "    class control( Cfg.control ):\n"
      "        stiffness = {'hip': 20.,   # N m/rad\n"
      "                     'calf': 30.}\n"
      "        decimation: int = 4\n"
      "    def f(self):\n"
      "        wrong = 1\n"
      "    seed = 3\n");
  std::vector<std::string> paths;
  for (const YamlEntry& entry : entries) paths.push_back(entry.path);
  EXPECT_THAT(paths,
              ElementsAre("RoughCfg", "RoughCfg.control", "RoughCfg.control.stiffness",
                          "RoughCfg.control.stiffness.hip", "RoughCfg.control.stiffness.calf",
                          "RoughCfg.control.decimation", "RoughCfg.seed"));
  EXPECT_THAT(entries[3].values, ElementsAre("20."));
}

}  // namespace
}  // namespace gonogo::study
