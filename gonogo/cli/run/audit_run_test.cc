// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/run/audit_run.h"

#include <gtest/gtest.h>

#include "gonogo/audit/result/audit_result.h"

namespace gonogo::cli {
namespace {

using audit::Verdict;

ExitCode CodeOf(const std::optional<Verdict>& decision) {
  audit::AuditResult result;
  result.decision = decision;
  return GateCode(result);
}

TEST(GateCodeTest, LetsOnlyAGoPass) {
  EXPECT_EQ(CodeOf(Verdict::kGo), 0);
  EXPECT_EQ(CodeOf(Verdict::kNoGo), 20);
  EXPECT_EQ(CodeOf(Verdict::kAbstain), 21);
}

TEST(GateCodeTest, TakesADescriptiveResultForAnAbstention) { EXPECT_EQ(CodeOf(std::nullopt), 21); }

TEST(GateCodeTest, ATableThatNoDecisionCanRestOnHasACodeOfItsOwn) {
  audit::AuditResult result;
  result.obstacle = audit::Obstacle{.reason = "the reference fails", .check = {}};
  EXPECT_EQ(GateCode(result), 22);
}

}  // namespace
}  // namespace gonogo::cli
