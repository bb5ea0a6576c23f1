// SPDX-License-Identifier: Apache-2.0
// That no member lacks a key is checked by the compiler (KeysOfAllMembers); that every key is read,
// written and checked, here.
#include "gonogo/audit/protocol/protocol_keys.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::audit {
namespace {

/// Every key occurs, free names too, and every one of them may be changed alone.
Protocol Full() {
  Protocol protocol;
  protocol.reference = "a";
  protocol.actions = {"a", "b"};
  protocol.learner.target = LearnerTarget::kLog;
  protocol.learner.forest.members = 2;
  protocol.table.features = {{"obs", "obs_*"}};
  protocol.table.action_features = {{"phi", "phi_*"}};
  protocol.bootstrap.method = IntervalMethod::kFolds;
  protocol.rule.least_icc = 0.02;
  protocol.rule.min_reference_success = 0.25;
  protocol.rule.looks_at = {20, 40};
  protocol.rule.spending = Spending::kObrienFleming;
  protocol.question = {Deployment::kKnownClusters, 12, Constraint::kSuccess, 2.0};
  protocol.selector.violation_share = 0.25;
  protocol.learner.policy.depth = 3;
  protocol.table.adapter_cost = "spent";
  protocol.feature_sets = {{"obs only", {"obs"}}};
  protocol.collect = ForeignSection{{{"seeds", "[1, 2]"}, {"blend", "0.5"}}};
  return protocol;
}

/// Other values, one of which any key must take.
std::vector<std::string> Others(const std::string& key) {
  if (key == "protocol.actions") return {"[\"a\", \"c\"]"};
  if (key == "protocol.reference") return {"\"b\""};
  std::vector<std::string> others = {"0.75",  "2.5",       "7",       "0",  "1",
                                     "false", "\"other\"", "[\"u\"]", "[3]"};
  for (const io::TomlKeyRow& row : DescribeProtocolKeys()) {
    if (row.key != key) continue;
    // `mse` or `smooth-l1`
    for (std::size_t at = row.allowed.find('`'); at != std::string::npos;) {
      const std::size_t end = row.allowed.find('`', at + 1);
      others.insert(others.begin(), io::TomlString(row.allowed.substr(at + 1, end - at - 1)));
      at = row.allowed.find('`', end + 1);
    }
  }
  return others;
}

TEST(ProtocolKeysTest, AnotherValueOfAKeyChangesItsLineAndNoOther) {
  const io::TomlEntries before = Entries(Full());
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto& [key, text] = before[i];
    bool changed = false;
    for (const std::string& other : Others(key)) {
      if (other == text) continue;
      io::TomlEntries wanted = before;
      wanted[i].second = other;
      const Result<Protocol> read = ParseProtocol(io::TomlLines(wanted), "changed");
      if (!read.ok()) continue;
      EXPECT_FALSE(read.value() == Full()) << key;
      io::TomlEntries after = Entries(read.value());
      if (after.size() + 1 == before.size()) {  // one that came later is left out at its default
        after.insert(after.begin() + static_cast<std::ptrdiff_t>(i), {key, other});
      }
      ASSERT_EQ(after.size(), before.size()) << key;
      for (std::size_t j = 0; j < after.size(); ++j) {
        EXPECT_EQ(after[j].first, before[j].first);
        EXPECT_EQ(after[j].second == before[j].second, i != j) << key << " and " << after[j].first;
      }
      changed = true;
      break;
    }
    EXPECT_TRUE(changed) << "no other value of " << key << " was accepted";
  }
}

TEST(ProtocolKeysTest, EveryCanonicalLineIsAcceptedOnItsOwn) {
  Protocol protocol = Full();
  protocol.bootstrap.method = IntervalMethod::kRefit;
  for (const auto& [key, text] : Entries(protocol)) {
    if (key == "protocol.reference") continue;  // has to be one of the actions
    const Result<Protocol> read = ParseProtocol(io::TomlLines({{key, text}}), "line");
    EXPECT_TRUE(read.ok()) << read.error().message;
  }
}

TEST(ProtocolKeysTest, AWrongTypeIsNamedForEveryKey) {
  for (const auto& [key, text] : Entries(Full())) {
    if (key.starts_with("collect.")) continue;  // whoever reads that section
    const Result<Protocol> read = ParseProtocol(key + " = 1979-05-27\n", "f");
    ASSERT_FALSE(read.ok()) << key;
    EXPECT_THAT(read.error().message, testing::StartsWith("f:1: ")) << key;
    EXPECT_THAT(read.error().message, testing::HasSubstr("found a date or time, expected")) << key;
  }
}

TEST(ProtocolKeysTest, TheDocsDescribeEveryKeyOnceWithItsDefault) {
  std::set<std::string> described;
  for (const io::TomlKeyRow& row : DescribeProtocolKeys()) {
    EXPECT_TRUE(described.insert(row.key).second) << row.key;
    EXPECT_FALSE(row.allowed.empty()) << row.key;
    EXPECT_FALSE(row.meaning.empty()) << row.key;
    EXPECT_EQ(row.meaning.find('|'), std::string::npos) << row.key;
  }
  for (const auto& [key, text] : Entries({})) EXPECT_TRUE(described.contains(key)) << key;
  EXPECT_TRUE(described.contains("protocol.preset"));
  EXPECT_TRUE(described.contains("table.features.<group>"));
}

TEST(ProtocolKeysTest, NamesOfRulesAndLearnersAreThoseOfTheirKeys) {
  EXPECT_EQ(Name(DecisionRule::kPaper), "paper");
  EXPECT_EQ(Name(DecisionRule::kCalibrated), "calibrated");
  EXPECT_EQ(Name(DecisionRule::kLeavePairOut), "leave-pair-out");
  EXPECT_EQ(Name(LearnerKind::kMlp), "mlp");
  EXPECT_EQ(Name(LearnerKind::kRidge), "ridge");
  EXPECT_EQ(Name(LearnerKind::kTrees), "trees");
  EXPECT_EQ(Name(LearnerKind::kForest), "forest");
  EXPECT_EQ(Name(LearnerTarget::kRatio), "ratio");
  EXPECT_EQ(Name(LearnerTarget::kDifference), "difference");
  EXPECT_EQ(Name(LearnerTarget::kLog), "log");
  EXPECT_EQ(LearnerKindNamed("ridge"), LearnerKind::kRidge);
  EXPECT_EQ(LearnerTargetNamed("log"), LearnerTarget::kLog);
  EXPECT_EQ(LearnerTargetNamed("logarithm"), std::nullopt);
}

}  // namespace
}  // namespace gonogo::audit
