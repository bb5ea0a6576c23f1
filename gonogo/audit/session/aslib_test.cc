// SPDX-License-Identifier: Apache-2.0
// Tables of algorithm-selection benchmarks, when they lie beside the repository.
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/table/table_reader.h"

namespace gonogo::audit {
namespace {

const std::filesystem::path kScenarios = GONOGO_SOURCE_DIR "/../shared/data/aslib";

/// Ridge instead of the declared learner: the rules are looked at, not the learner.
Result<AuditResult> AuditScenario(const std::string& name, std::size_t refits,
                                  std::uint64_t seed = 20260717) {
  Protocol protocol = GONOGO_TRY(LoadProtocol(kScenarios / name / "audit.toml"));
  protocol.learner.kind = LearnerKind::kRidge;
  protocol.bootstrap.refits = refits;
  protocol.bootstrap.seed = seed;
  const OutcomeTable table = GONOGO_TRY(ReadTable(kScenarios / name / "table.csv", protocol)).table;
  return RunAudit(table, protocol, {}, {});
}

class AslibTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kScenarios)) GTEST_SKIP() << "no tables beside the repository";
  }
};

TEST_F(AslibTest, ASelectorThatLosesToDirectHasNoDeploymentClaim) {
  const Result<AuditResult> result = AuditScenario("ASP-POTASSCO", 20);
  ASSERT_TRUE(result.ok()) << result.error().message;
  const CalibratedAudit& calibrated = *result.value().calibrated;
  ASSERT_TRUE(calibrated.h_total.has_value());
  EXPECT_LT(calibrated.h_total->interval.lower, 0.0);
  EXPECT_NE(calibrated.improvement, Channel::kSatisfied);
  EXPECT_NE(calibrated.verdict, Verdict::kGo);
}

TEST_F(AslibTest, TooFewDomainsAreDescriptive) {
  const Result<AuditResult> result = AuditScenario("IPC2018", 4);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_FALSE(result.value().confirmatory);
  EXPECT_FALSE(result.value().reading.has_value());
}

TEST_F(AslibTest, TheCalibratedAnswerDoesNotDependOnTheBootstrapSeed) {
  std::set<Verdict> answers;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Result<AuditResult> result = AuditScenario("BNSL-2016", 30, seed);
    ASSERT_TRUE(result.ok()) << result.error().message;
    answers.insert(result.value().calibrated->verdict);
  }
  EXPECT_EQ(answers.size(), 1U);
}

}  // namespace
}  // namespace gonogo::audit
