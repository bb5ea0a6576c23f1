// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/result/result_json.h"

namespace gonogo::audit {
namespace {

Protocol RidgeUnder(DecisionRule rule) {
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kRidge;
  protocol.bootstrap.refits = 60;
  protocol.rule.kind = rule;
  return protocol;
}

TEST(CalibratedAuditTest, EveryAuditWritesBothRulesAndNamesTheOneThatDecides) {
  const OutcomeTable table = MakePositiveControl({}, RngStream(1));
  for (const DecisionRule rule : {DecisionRule::kPaper, DecisionRule::kCalibrated}) {
    const AuditResult result = RunAudit(table, RidgeUnder(rule), {}, {}).value();
    ASSERT_TRUE(result.calibrated.has_value());
    EXPECT_EQ(result.calibrated->verdict, Verdict::kGo);
    const nlohmann::json json = ToJson(result);
    EXPECT_EQ(json["rule"], Name(rule));
    ASSERT_EQ(json["rules"].size(), 2U);
    EXPECT_EQ(json["rules"][1]["name"], "calibrated");
    EXPECT_EQ(json["rules"][1]["channels"].size(), 4U);
    EXPECT_FALSE(json["rules"][1]["trust"].empty());
  }
}

TEST(CalibratedAuditTest, TheDeclaredRuleDecides) {
  // An adapter cost above the gain: only the calibrated rule charges it.
  const OutcomeTable table = MakePositiveControl({}, RngStream(1));
  Protocol protocol = RidgeUnder(DecisionRule::kCalibrated);
  double mean_cost = 0.0;
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    mean_cost += table.cost[table.cell(query, kDirect)] / static_cast<double>(table.num_queries());
  }
  protocol.rule.adapter_cost = 0.5 * mean_cost;
  const AuditResult calibrated = RunAudit(table, protocol, {}, {}).value();
  EXPECT_EQ(calibrated.reading->verdict, Verdict::kNoGo);
  EXPECT_EQ(calibrated.paper_reading->verdict, Verdict::kGo);
  protocol.rule.kind = DecisionRule::kPaper;
  EXPECT_EQ(RunAudit(table, protocol, {}, {}).value().reading->verdict, Verdict::kGo);
}

TEST(CalibratedAuditTest, GivenChoicesGetPlainClusterIntervals) {
  OutcomeTable table = MakePositiveControl({}, RngStream(2));
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    table.choice.push_back(static_cast<ActionIndex>(query % 3));
  }
  const AuditResult result = AuditChoices(table, RidgeUnder(DecisionRule::kCalibrated)).value();
  ASSERT_TRUE(result.calibrated && result.calibrated->h_dep);
  EXPECT_NEAR(result.calibrated->h_total->point, result.h_total.point, 1e-12);
  EXPECT_EQ(result.calibrated->flip_rate, 0.0);
}

TEST(CalibratedAuditTest, TooFewClustersLeaveTheDecisionOpenForBothRules) {
  Protocol protocol = RidgeUnder(DecisionRule::kCalibrated);
  const OutcomeTable table = MakePositiveControl({.clusters = 6}, RngStream(3));
  const AuditResult result = RunAudit(table, protocol, {}, {}).value();
  EXPECT_FALSE(result.reading.has_value());
  const nlohmann::json json = ToJson(result);
  EXPECT_TRUE(json["rules"][0]["decision"].is_null());
  EXPECT_TRUE(json["rules"][1]["decision"].is_null());
}

TEST(CalibratedAuditTest, TheRuleIsPartOfTheDeclaration) {
  const Protocol paper = RidgeUnder(DecisionRule::kPaper);
  const Protocol calibrated = RidgeUnder(DecisionRule::kCalibrated);
  EXPECT_NE(Fingerprint(paper), Fingerprint(calibrated));
  const Result<Protocol> parsed = ParseProtocol(CanonicalText(calibrated), "audit.toml");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed.value(), calibrated);
  EXPECT_FALSE(ParseProtocol("[rule]\nkind = \"lenient\"\n", "audit.toml").ok());
}

}  // namespace
}  // namespace gonogo::audit
