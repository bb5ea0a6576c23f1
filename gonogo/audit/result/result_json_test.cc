// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/result/result_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/result/readings.h"

namespace gonogo::audit {
namespace {

AuditResult SmallAudit(IntervalMethod method) {
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kRidge;
  protocol.bootstrap.refits = 6;
  protocol.bootstrap.method = method;
  protocol.min_clusters = 4;
  OutcomeTable table =
      MakePositiveControl({.clusters = 4, .queries_per_cluster = 20}, RngStream(1));
  table.declaration = CanonicalText(protocol);
  table.declaration_sha256 = Fingerprint(protocol);
  return RunAudit(table, protocol, {}, {}).value();
}

TEST(ResultJsonTest, HasTheDocumentedKeys) {
  const AuditResult result = SmallAudit(IntervalMethod::kRefit);
  const nlohmann::json json = ToJson(result);
  for (const char* key : {"schema", "version", "complete", "status", "reasons", "decision",
                          "thresholds", "estimates", "diagnostics", "folds", "replicates"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_EQ(json["schema"], "gonogo.audit-result/1");
  EXPECT_EQ(json["status"], "confirmatory");
  EXPECT_EQ(json["decision"], Name(*result.decision));
  for (const char* key : {"H_global", "H_avail", "H_total", "H_alloc", "H_dep", "q"}) {
    const nlohmann::json& estimate = json["estimates"][key];
    EXPECT_TRUE(estimate["point"].is_number() && estimate["lower"].is_number() &&
                estimate["upper"].is_number())
        << key;
    EXPECT_EQ(json["replicates"][key].size(), 6U);
  }
  EXPECT_EQ(json["folds"].size(), 4U);
  EXPECT_EQ(json["actions"].size(), 3U);
  EXPECT_EQ(json["resolution"].size(), 3U);
}

TEST(ResultJsonTest, WritesNullWhereThereIsNoIntervalOrDecision) {
  const nlohmann::json json = ToJson(SmallAudit(IntervalMethod::kFolds));
  EXPECT_TRUE(json["decision"].is_null());
  EXPECT_EQ(json["status"], "descriptive");
  EXPECT_TRUE(json["estimates"]["H_avail"]["lower"].is_null());
  EXPECT_TRUE(json["estimates"]["H_dep"]["lower"].is_number());
}

TEST(ResultJsonTest, KeepsEveryBitOfItsNumbers) {
  const AuditResult result = SmallAudit(IntervalMethod::kRefit);
  const nlohmann::json again = nlohmann::json::parse(ToJson(result).dump());
  EXPECT_EQ(again["estimates"]["H_dep"]["point"].get<double>(), result.h_dep.point);
  EXPECT_EQ(again["estimates"]["q"]["upper"].get<double>(), result.q.interval->upper);
}

TEST(ResultJsonTest, RulesCarryTheirChannelsAndThresholds) {
  const AuditResult result = SmallAudit(IntervalMethod::kRefit);
  const nlohmann::json rule = ToJson(result)["rules"][0];
  EXPECT_EQ(rule["name"], "paper");
  EXPECT_EQ(rule["channels"][2]["name"], "q");
  EXPECT_EQ(rule["channels"][2]["direction"], "below");
  EXPECT_EQ(rule["channels"][2]["threshold"], 0.05);
  EXPECT_EQ(rule["channels"][0]["state"], Name(result.paper_reading->deployment));
}

TEST(ResultJsonTest, ListsEveryChannelOfEveryRuleWithTheBoundThatDecided) {
  const AuditResult result = SmallAudit(IntervalMethod::kRefit);
  const nlohmann::json channels = ToJson(result)["channels"];
  ASSERT_EQ(channels.size(), 7U);  // four of the calibrated rule, which decides; three of the paper
  const nlohmann::json& first = channels[0];
  EXPECT_EQ(first["rule"], "calibrated");
  EXPECT_EQ(first["decides"], true);
  EXPECT_EQ(first["name"], "H_dep");
  EXPECT_EQ(first["question"], "Does the adapter beat any fixed action?");
  EXPECT_EQ(first["needed"], "> 1.00 %");
  EXPECT_EQ(first["direction"], "above");
  EXPECT_EQ(first["state"], Name(result.reading->deployment));
  const nlohmann::json& last = channels[6];
  EXPECT_EQ(last["rule"], "paper");
  EXPECT_EQ(last["decides"], false);
  EXPECT_EQ(last["name"], "q");
  EXPECT_EQ(last["upper"].get<double>(), result.q.interval->upper);
  EXPECT_EQ(last["state"], Name(result.paper_reading->violation));
  EXPECT_EQ(last["decided_by"]["end"],
            result.paper_reading->violation == Channel::kRefuted ? "lower" : "upper");
}

TEST(ResultJsonTest, StatesNothingOfAChannelWithTooFewClusters) {
  AuditResult result = SmallAudit(IntervalMethod::kRefit);
  result.paper_reading.reset();
  result.reading.reset();
  const nlohmann::json json = ToJson(result);
  ASSERT_FALSE(json["channels"].empty());
  for (const nlohmann::json& channel : json["channels"]) {
    EXPECT_TRUE(channel["state"].is_null());
    EXPECT_TRUE(channel["decided_by"].is_null());
  }
}

TEST(SummaryJsonTest, PutsTheEstimatesBesideTheReading) {
  const AuditResult result = SmallAudit(IntervalMethod::kRefit);
  const nlohmann::json summary = SummaryJson(result);
  EXPECT_EQ(summary["H_alloc"]["point"].get<double>(), result.h_alloc.point);
  EXPECT_EQ(summary["reading"], Name(result.reading->verdict));
}

}  // namespace
}  // namespace gonogo::audit
