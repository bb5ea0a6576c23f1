// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/looks_ledger.h"

#include <gtest/gtest.h>

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

  /// What a run does: counts, then writes itself down.
  std::size_t Look(const std::string& protocol, const std::string& sha,
                   const audit::OutcomeTable& table) const {
    LooksLedger ledger = LooksLedger::Open(directory_).value();
    const std::size_t earlier = ledger.EarlierLooks(protocol, sha, table);
    EXPECT_TRUE(ledger.Record(protocol, sha, table).ok());
    return earlier + 1;
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
  const auto ledger = LooksLedger::Open(directory_);
  ASSERT_FALSE(ledger.ok());
  EXPECT_NE(ledger.error().message.find("looks.json"), std::string::npos);
}

}  // namespace
}  // namespace gonogo::cli
