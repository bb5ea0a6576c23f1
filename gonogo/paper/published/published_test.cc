// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/published/published.h"

#include <filesystem>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"

namespace gonogo::paper {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::filesystem::path kFolder = GONOGO_SOURCE_DIR "/experiments/paper";

std::string ErrorOf(std::string_view text) {
  PublishedTables tables;
  const Status read = ReadPublished({"made_up.toml", text}, tables);
  return read.ok() ? "" : read.error().message;
}

TEST(PublishedFilesTest, EveryFileOfTheFolderIsCompiledInAsItIs) {
  std::set<std::string> compiled{std::string(RemarksFile().name), std::string(FindingsFile().name)};
  for (const DataFile& file : PublishedFiles()) {
    EXPECT_TRUE(compiled.insert(std::string(file.name)).second) << file.name;
    EXPECT_EQ(io::ReadFile(kFolder / file.name).value(), file.text) << file.name;
  }
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    EXPECT_TRUE(compiled.erase(entry.path().filename().string()) == 1 ||
                entry.path().extension() != ".toml")
        << entry.path();
  }
  EXPECT_THAT(compiled, IsEmpty());
}

TEST(PublishedFilesTest, EveryFileIsReadWithoutAComplaint) {
  PublishedTables tables;
  for (const DataFile& file : PublishedFiles()) {
    const Status read = ReadPublished(file, tables);
    EXPECT_TRUE(read.ok()) << read.error().message;
  }
  EXPECT_EQ(tables.size(), AllPublished().size());
}

TEST(PublishedFilesTest, AMistakeIsNamedWithItsPlace) {
  const std::string head = "[a]\nlabel = \"tab:a\"\nunits = {success = \"share\"}\n";
  EXPECT_EQ(ErrorOf(head + "[a.rows]\nvgcc = {success = \"0.8\"}\n"), "");
  EXPECT_THAT(ErrorOf(head + "[a.rows]\nvgcc = {succes = \"0.8\"}\n"),
              HasSubstr("did you mean 'success'"));
  EXPECT_THAT(ErrorOf(head + "[a.rows]\nvgcc = {success = 0.8}\n"), HasSubstr("made_up.toml:5"));
  EXPECT_THAT(ErrorOf(head + "[a.rows]\nvgcc = {success = \"\"}\n"), HasSubstr("leave out"));
  EXPECT_THAT(ErrorOf(head + "lable = \"\"\n[a.rows]\n"), HasSubstr("lable"));
  EXPECT_THAT(ErrorOf("[a]\nunits = {}\n[a.rows]\n"), HasSubstr("label"));
}

TEST(PublishedTableTest, APercentageIsAShareOnlyWhenAskedForOne) {
  const PublishedTable& table = Published("coverage");
  EXPECT_DOUBLE_EQ(table.Number("h1/harder/vgcc", "change").value(), -4.7);
  EXPECT_DOUBLE_EQ(table.Share("h1/harder/vgcc", "change").value(), -0.047);
  EXPECT_EQ(table.Text("anymal_d/harder/direct", "height"), "0.500");
  EXPECT_DEATH((void)table.Share("h1/harder/vgcc", "success"), "percent");
}

TEST(PublishedTableTest, WhatThePaperDoesNotPrintIsNotThere) {
  const PublishedTable& table = Published("coverage");
  EXPECT_FALSE(table.Has("h1/moderate/vgcc"));
  EXPECT_EQ(table.Number("h1/moderate/vgcc", "success"), std::nullopt);
  EXPECT_EQ(table.Text("h1/harder/direct", "change"), std::nullopt);
  EXPECT_DEATH((void)table.Text("h1/harder/direct", "charge"), "contains");
}

TEST(PublishedTableTest, ATableOfOneRobotHasNoRowsForAnother) {
  EXPECT_EQ(Published("objective-audit", "go2").Number("mpc", "cot"), std::nullopt);
  EXPECT_DOUBLE_EQ(Published("objective-audit", "go2").Number("vgcc", "cot").value(), 0.737);
  EXPECT_EQ(Published("objective-audit", "h1").Number("vgcc", "cot"), std::nullopt);
}

TEST(PublishedTableTest, AnIntervalFollowsItsPoint) {
  EXPECT_THAT(Published("confirmatory-audit").Numbers("H1/direct", "h_dep"),
              ElementsAre(-0.35, -0.81, 0.71));
}

TEST(NumbersInTest, ReadsNumbersAsPeoplePrintThem) {
  EXPECT_THAT(NumbersIn("0.60 [-0.18, 1.22]"), ElementsAre(0.6, -0.18, 1.22));
  EXPECT_THAT(NumbersIn("−21.9\u202f%"), ElementsAre(-21.9));
  EXPECT_THAT(NumbersIn("+0.012"), ElementsAre(0.012));
  EXPECT_THAT(NumbersIn("67 of 96"), ElementsAre(67, 96));
  EXPECT_THAT(NumbersIn("1.53e-05"), ElementsAre(1.53e-05));
  EXPECT_THAT(NumbersIn("scale-0.90"), ElementsAre(0.9)) << "a hyphen, not a minus";
  EXPECT_THAT(NumbersIn("2-10 cm"), ElementsAre(2, 10));
  EXPECT_THAT(NumbersIn("Go2, H1"), IsEmpty());
  EXPECT_THAT(NumbersIn("–"), IsEmpty());
}

}  // namespace
}  // namespace gonogo::paper
