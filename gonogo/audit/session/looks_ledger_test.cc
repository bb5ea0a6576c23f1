// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/session/looks_ledger.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "gonogo/base/parallel/parallel.h"
#include "gonogo/io/file.h"

namespace gonogo::audit {
namespace {

using Clusters = std::map<std::string, std::string>;

class LooksLedgerTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] LooksLedger::Look Take(const std::string& declaration, const Clusters& clusters,
                                       const std::string& table = "table.csv") const {
    return LooksLedger(folder_).Take({declaration, table, clusters}).value();
  }
  /// The number of the look.
  [[nodiscard]] std::size_t Number(const std::string& declaration, const Clusters& clusters) const {
    return Take(declaration, clusters).earlier.count + 1;
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / "gonogo_looks_ledger_test";
};

TEST_F(LooksLedgerTest, MoreClustersUnderTheSameDeclarationAreAnotherLook) {
  EXPECT_EQ(Number("d", {{"a", "1"}, {"b", "2"}}), 1U);
  EXPECT_EQ(Number("d", {{"a", "1"}, {"b", "2"}, {"c", "3"}}), 2U);
  EXPECT_EQ(Number("d", {{"a", "1"}, {"b", "2"}, {"c", "3"}, {"e", "4"}}), 3U);
}

TEST_F(LooksLedgerTest, ALookSaysWhichOneWasBeforeItAndWhereThatIsWritten) {
  EXPECT_TRUE(Take("d", {{"a", "1"}, {"b", "2"}}, "first.csv").earlier.which.empty());
  const LooksLedger::Look second = Take("d", {{"a", "1"}, {"b", "2"}, {"c", "3"}}, "second.csv");
  EXPECT_NE(second.earlier.which.find("2 clusters of first.csv"), std::string::npos);
  EXPECT_NE(second.earlier.which.find("looks.json"), std::string::npos);
}

TEST_F(LooksLedgerTest, TheSameDataAgainAreTheSameLook) {
  const Clusters fewer{{"a", "1"}, {"b", "2"}};
  const Clusters more{{"a", "1"}, {"b", "2"}, {"c", "3"}};
  EXPECT_EQ(Number("d", fewer), 1U);
  EXPECT_EQ(Number("d", more), 2U);
  EXPECT_EQ(Number("d", more), 2U);
  EXPECT_EQ(Number("d", fewer), 1U);
}

TEST_F(LooksLedgerTest, ACorrectedCellIsNoLookButIsTold) {
  EXPECT_EQ(Number("d", {{"a", "1"}, {"b", "2"}}), 1U);
  const LooksLedger::Look corrected = Take("d", {{"a", "1"}, {"b", "corrected"}});
  EXPECT_EQ(corrected.earlier.count, 0U);
  EXPECT_NE(corrected.remark.find("1 clusters were audited before with other values"),
            std::string::npos);
}

TEST_F(LooksLedgerTest, APartOfWhatWasAuditedIsNoLookButIsTold) {
  EXPECT_EQ(Number("d", {{"a", "1"}, {"b", "2"}, {"c", "3"}}), 1U);
  const LooksLedger::Look part = Take("d", {{"a", "1"}, {"b", "2"}});
  EXPECT_EQ(part.earlier.count, 0U);
  EXPECT_NE(part.remark.find("a part of the 3"), std::string::npos);
}

TEST_F(LooksLedgerTest, TablesThatShareOnlyNamesOfClustersDoNotCount) {
  EXPECT_EQ(Number("d", {{"a", "1"}, {"b", "2"}}), 1U);
  EXPECT_EQ(Number("d", {{"a", "x"}, {"b", "y"}, {"c", "z"}}), 1U);
}

TEST_F(LooksLedgerTest, OtherDeclarationsDoNotCount) {
  EXPECT_EQ(Number("d", {{"a", "1"}, {"b", "2"}}), 1U);
  EXPECT_EQ(Number("another", {{"a", "1"}, {"b", "2"}, {"c", "3"}}), 1U);
}

TEST_F(LooksLedgerTest, ABrokenFileIsAnErrorAndNotAFreshStart) {
  for (const char* text : {"{", "{}", R"({"schema": 5, "looks": []})",
                           R"({"schema": "gonogo.looks/2", "looks": [{"declaration": 1}]})"}) {
    ASSERT_TRUE(io::WriteFile(folder_ / "looks.json", text).ok());
    const auto look = LooksLedger(folder_).Take({"d", "table.csv", {{"a", "1"}}});
    ASSERT_FALSE(look.ok()) << text;
    EXPECT_EQ(look.error().kind, ErrorKind::kInput);
    EXPECT_NE(look.error().message.find("looks.json"), std::string::npos);
  }
}

TEST_F(LooksLedgerTest, AnAuditThatDidNotFinishWasNoLook) {
  EXPECT_EQ(Number("d", {{"a", "1"}}), 1U);
  const Clusters unfinished{{"a", "1"}, {"b", "2"}};
  EXPECT_EQ(Number("d", unfinished), 2U);
  ASSERT_TRUE(LooksLedger(folder_).Withdraw({"d", "table.csv", unfinished}).ok());
  EXPECT_EQ(Number("d", {{"a", "1"}, {"b", "2"}, {"c", "3"}}), 2U);
}

TEST_F(LooksLedgerTest, AuditsAtTheSameTimeAreAllCountedOnce) {
  constexpr std::size_t kAudits = 32;
  std::vector<std::size_t> number(kAudits);
  ParallelFor(8, kAudits, [&](std::size_t i) {
    number[i] = Number("d", {{"shared", "1"}, {std::to_string(i), "2"}});
  });
  std::sort(number.begin(), number.end());
  for (std::size_t i = 0; i < kAudits; ++i) EXPECT_EQ(number[i], i + 1);
}

}  // namespace
}  // namespace gonogo::audit
