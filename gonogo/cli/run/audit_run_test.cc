// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/run/audit_run.h"

#include <gtest/gtest.h>

namespace gonogo::cli {
namespace {

using audit::Verdict;

TEST(GateCodeTest, LetsOnlyAGoPass) {
  EXPECT_EQ(GateCode(Verdict::kGo), 0);
  EXPECT_EQ(GateCode(Verdict::kNoGo), 20);
  EXPECT_EQ(GateCode(Verdict::kAbstain), 21);
}

TEST(GateCodeTest, TakesNoDecisionForAnAbstention) { EXPECT_EQ(GateCode(std::nullopt), 21); }

}  // namespace
}  // namespace gonogo::cli
