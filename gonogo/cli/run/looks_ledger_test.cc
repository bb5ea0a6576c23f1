// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/run/looks_ledger.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "gonogo/base/parallel.h"
#include "gonogo/io/file.h"

namespace gonogo::cli {
namespace {

audit::OutcomeTable Table(std::vector<std::string> clusters) {
  return {.actions = {"direct", "other"}, .clusters = std::move(clusters), .cost = {}};
}

class LooksLedgerTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  /// The number of the look.
  std::size_t Look(const std::string& protocol, const std::string& sha,
                   const audit::OutcomeTable& table) const {
    return LooksLedger(directory_).Take(protocol, sha, table).value().earlier + 1;
  }

  std::filesystem::path directory_ =
      std::filesystem::temp_directory_path() / "gonogo_looks_ledger_test";
};

TEST_F(LooksLedgerTest, MoreClustersUnderTheSameProtocolAreAnotherLook) {
  EXPECT_EQ(Look("p", "five", Table({"a", "b"})), 1U);
  EXPECT_EQ(Look("p", "ten", Table({"a", "b", "c", "d"})), 2U);
  EXPECT_EQ(Look("p", "twenty", Table({"a", "b", "c", "d", "e"})), 3U);
}

TEST_F(LooksLedgerTest, TheSameTableAgainIsTheSameLook) {
  EXPECT_EQ(Look("p", "five", Table({"a", "b"})), 1U);
  EXPECT_EQ(Look("p", "ten", Table({"a", "b", "c"})), 2U);
  EXPECT_EQ(Look("p", "ten", Table({"a", "b", "c"})), 2U);
  EXPECT_EQ(Look("p", "five", Table({"a", "b"})), 1U);
}

TEST_F(LooksLedgerTest, OtherProtocolsAndOtherClustersDoNotCount) {
  EXPECT_EQ(Look("p", "one", Table({"a", "b"})), 1U);
  EXPECT_EQ(Look("another", "two", Table({"a", "b", "c"})), 1U);
  EXPECT_EQ(Look("p", "three", Table({"x", "y"})), 1U);
}

TEST_F(LooksLedgerTest, ABrokenFileIsAnErrorAndNotAFreshStart) {
  ASSERT_TRUE(io::WriteFile(directory_ / "looks.json", "{").ok());
  const auto look = LooksLedger(directory_).Take("p", "five", Table({"a"}));
  ASSERT_FALSE(look.ok());
  EXPECT_NE(look.error().message.find("looks.json"), std::string::npos);
}

TEST_F(LooksLedgerTest, AnAuditThatDidNotFinishWasNoLook) {
  EXPECT_EQ(Look("p", "five", Table({"a", "b"})), 1U);
  EXPECT_EQ(Look("p", "ten", Table({"a", "b", "c"})), 2U);
  ASSERT_TRUE(LooksLedger(directory_).Withdraw("p", "ten").ok());
  EXPECT_EQ(Look("p", "twenty", Table({"a", "b", "c", "d"})), 2U);
}

TEST_F(LooksLedgerTest, AuditsAtTheSameTimeAreAllCountedOnce) {
  constexpr std::size_t kAudits = 32;
  std::vector<std::size_t> number(kAudits);
  ParallelFor(8, kAudits, [&](std::size_t i) {
    number[i] = Look("p", std::to_string(i), Table({"a", std::to_string(i)}));
  });
  std::sort(number.begin(), number.end());
  for (std::size_t i = 0; i < kAudits; ++i) EXPECT_EQ(number[i], i + 1);
}

}  // namespace
}  // namespace gonogo::cli
