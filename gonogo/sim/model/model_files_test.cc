// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/model_files.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::sim {
namespace {

using testing::HasSubstr;

class ModelFilesTest : public testing::Test {
 protected:
  ModelFilesTest() { std::filesystem::create_directories(folder_); }
  ~ModelFilesTest() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string Verdict(const std::string& inside) const {
    const Status checked =
        CheckModelFiles("<mujoco>" + inside + "</mujoco>", folder_ / "robot.xml");
    return checked.ok() ? "fine" : checked.error().message;
  }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "model_files_test";
};

TEST_F(ModelFilesTest, FilesOfTheFolderAndBelowItAreFine) {
  EXPECT_EQ(Verdict("<compiler meshdir=\"assets/meshes\"/><asset><mesh file='leg.stl'/>"
                    "<texture fileup=\"./sky/../up.png\"/></asset>"),
            "fine");
  EXPECT_EQ(Verdict("<mesh name=\"../profile=file\" class='a'/>"), "fine");
}

TEST_F(ModelFilesTest, FilesElsewhereAreRefusedByName) {
  EXPECT_THAT(
      Verdict("<asset><mesh file=\"/etc/passwd\"/></asset>"),
      HasSubstr("robot.xml: the model names '/etc/passwd', expected files in its own folder"));
  for (const char* text :
       {"<include file='../other.xml'/>", "<compiler meshdir = \"a/../..\"/>",
        "<hfield file=\"a/../../x\"/>", "<texture\nfileback\n=\n'/x'/>",
        "<mesh file=\"&#46;&#46;/x\"/>", "<a b=\"<!--\"/><mesh file=\"../x\"/><c d=\"-->\"/>"}) {
    EXPECT_THAT(Verdict(text), HasSubstr("the model names")) << text;
  }
}

TEST_F(ModelFilesTest, WhatAnIncludedFileNamesCounts) {
  std::ofstream(folder_ / "one.xml") << "<mujoco><include file=\"two.xml\"/></mujoco>";
  std::ofstream(folder_ / "two.xml")
      << "<mujoco><include file=\"one.xml\"/><asset><mesh file=\"../x.stl\"/></asset></mujoco>";
  EXPECT_THAT(Verdict("<include file=\"one.xml\"/>"), HasSubstr("'../x.stl'"));
  std::filesystem::create_directories(folder_ / "parts");
  std::ofstream(folder_ / "parts" / "three.xml") << "<mujoco><include file='four.xml'/></mujoco>";
  std::ofstream(folder_ / "parts" / "four.xml") << "<mujoco><mesh file='/y.stl'/></mujoco>";
  EXPECT_THAT(Verdict("<asset><model file='parts/three.xml'/></asset>"), HasSubstr("'/y.stl'"));
  EXPECT_EQ(Verdict("<include file=\"missing.xml\"/>"), "fine");  // for the engine to say
}

TEST_F(ModelFilesTest, AUrdfsFoldersCountOnlyWhereTheEngineFollowsThem) {
  const std::string mesh = "<mesh filename=\"package://x/../y.stl\"/>";
  EXPECT_EQ(Verdict(mesh), "fine");
  EXPECT_THAT(Verdict("<compiler strippath=\"false\"/><mesh filename=\"../y.stl\"/>"),
              HasSubstr("'../y.stl'"));
}

TEST_F(ModelFilesTest, AHeightFieldThatNoMemoryHoldsIsRefused) {
  EXPECT_THAT(Verdict("<asset><hfield nrow='100000' ncol=' 100000' size='1 1 1 1'/></asset>"),
              HasSubstr("a height field of 100000 x 100000, expected at most"));
  EXPECT_EQ(Verdict("<asset><hfield nrow='1600' ncol='3200' size='1 1 1 1'/></asset>"), "fine");
}

TEST_F(ModelFilesTest, APersonMayAllowIt) {
  ASSERT_EQ(setenv("GONOGO_MODEL_FILES", "anywhere", 1), 0);
  EXPECT_EQ(Verdict("<include file='../other.xml'/>"), "fine");
  unsetenv("GONOGO_MODEL_FILES");
}

}  // namespace
}  // namespace gonogo::sim
