// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/reproduction.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(ReproductionTest, AnUnknownNameIsRefusedWithTheKnownOnes) {
  const auto items = ChooseItems({"terain"});
  ASSERT_FALSE(items.ok());
  EXPECT_THAT(items.error().message, testing::HasSubstr("did you mean 'terrain'"));
  EXPECT_THAT(items.error().message, testing::HasSubstr("audit-direct"));
}

}  // namespace
}  // namespace gonogo::paper
