// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/reproduction.h"

#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"

namespace gonogo::paper {
namespace {

TEST(ReproductionTest, NothingNeedsWhatComesLaterAndNamesAreDistinct) {
  std::set<std::string> before;
  for (const ReproductionItem& item : ReproductionItems()) {
    for (const std::string& need : item.needs) EXPECT_TRUE(before.contains(need)) << item.name;
    EXPECT_TRUE(before.insert(item.name).second) << item.name;
    EXPECT_GT(item.minutes, 0.0) << item.name;
    EXPECT_TRUE(static_cast<bool>(item.run)) << item.name;
  }
}

TEST(ReproductionTest, AnItemBringsWhatItNeeds) {
  const auto items = ChooseItems({"terrain"}).value();
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].name, "identification");
  EXPECT_EQ(items[1].name, "terrain");
  EXPECT_EQ(ChooseItems({}).value().size(), ReproductionItems().size());
}

TEST(ReproductionTest, ThePapersLabelNamesEveryItemBehindIt) {
  std::vector<std::string> names;
  const std::vector<ReproductionItem> items = ChooseItems({"tab:confirmatory-audit"}).value();
  for (const ReproductionItem& item : items) names.push_back(item.name);
  EXPECT_THAT(names, testing::ElementsAre("identification", "audit-direct", "audit-vgcc",
                                          "audit-mpc", "audit-h1"));
  EXPECT_THAT(ChooseItems({"fig:audit"}).error().message, testing::HasSubstr("drawing"));
}

TEST(ReproductionTest, EveryTableAndFigureOfThePaperHasAnItemOrIsADrawing) {
  std::ifstream paper(GONOGO_SOURCE_DIR "/../shared/paper.tex");
  std::vector<std::string> labels{"tab:model", "fig:frontier", "tab:feature-ablation"};
  for (std::string line; std::getline(paper, line);) {
    for (const char* kind : {"\\label{tab:", "\\label{fig:"}) {
      const std::size_t at = line.find(kind);
      if (at == std::string::npos) continue;
      labels.push_back(line.substr(at + 7, line.find('}', at) - at - 7));
    }
  }
  for (const std::string& label : labels) {
    const auto items = ChooseItems({label});
    const std::string answer = items.ok() ? "drawing" : items.error().message;
    EXPECT_THAT(answer, testing::HasSubstr("drawing")) << label;
  }
}

TEST(ReproductionTest, AnItemIsStaleOnceAPolicyOfItsRobotsComesOrAnAuditIsDeclaredAnew) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "gonogo_reproduction_inputs";
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(io::MakeDirectory(folder / "go2").ok());
  ASSERT_TRUE(io::MakeDirectory(folder / "h1").ok());
  const ReproductionSetting setting{.robot = folder / "go2", .models = {}, .folder = folder};
  const ReproductionItem alone{.name = "alone", .title = ""};
  const ReproductionItem both{.name = "both", .title = "", .other_robots = {"h1"}};
  const std::string alone_before = InputsOf(alone, setting).value();
  const std::string both_before = InputsOf(both, setting).value();
  ASSERT_TRUE(io::WriteFile(folder / "h1/policy.onnx", "weights").ok());
  EXPECT_EQ(InputsOf(alone, setting).value(), alone_before);
  EXPECT_NE(InputsOf(both, setting).value(), both_before);
  ASSERT_TRUE(io::WriteFile(folder / "go2/audit.toml", "[protocol]").ok());
  EXPECT_NE(InputsOf(alone, setting).value(), alone_before);
}

TEST(ReproductionTest, AnUnknownNameIsRefusedWithTheKnownOnes) {
  const auto items = ChooseItems({"terain"});
  ASSERT_FALSE(items.ok());
  EXPECT_THAT(items.error().message, testing::HasSubstr("did you mean 'terrain'"));
  EXPECT_THAT(items.error().message, testing::HasSubstr("audit-direct"));
}

}  // namespace
}  // namespace gonogo::paper
