// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/check_table.h"

#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/controls.h"
#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/testing/synthetic_refits.h"

namespace gonogo::audit {
namespace {

using testing::HasSubstr;

/// 4 clusters of 3 queries, 3 actions.
OutcomeTable SmallTable() {
  OutcomeTable table = MakePositiveControl({.clusters = 4, .queries_per_cluster = 3}, RngStream(1));
  table.choice.assign(table.num_queries(), 1);
  table.action_features.push_back(
      {.name = "phi", .columns = {"p"}, .values = FeatureMatrix::Constant(36, 1, 0.5F)});
  return table;
}

Protocol Ridge() {
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kRidge;
  protocol.bootstrap.refits = 5;
  protocol.feature_sets = {{"all", {"obs", "target"}}};
  return protocol;
}

template <typename T>
std::string MessageOf(const Result<T>& result) {
  if (result.ok()) return "no error";
  EXPECT_EQ(result.error().kind, ErrorKind::kInput);
  return result.error().message;
}

/// What the check says about a damaged table; every way into an audit has to say the same.
std::string ErrorOf(const std::function<void(OutcomeTable&)>& damage) {
  OutcomeTable table = SmallTable();
  damage(table);
  const std::string message = MessageOf(CheckTable(table));
  const PlantedSignal signal{"target_y", "left", "right"};
  const std::vector<double> gammas = {0.1};
  EXPECT_EQ(MessageOf(MakeTable(table)), message);
  EXPECT_EQ(MessageOf(RunAudit(table, Ridge(), {}, {.jobs = 1})), message);
  EXPECT_EQ(MessageOf(AuditChoices(table, Ridge())), message);
  EXPECT_EQ(MessageOf(RunAblation(table, Ridge(), {.jobs = 1})), message);
  EXPECT_EQ(MessageOf(SweepObservable(table, Ridge(), signal, gammas, {.jobs = 1})), message);
  EXPECT_EQ(MessageOf(RepeatHidden(table, Ridge(), signal, 0.1, 1, {.jobs = 1})), message);
  return message;
}

TEST(CheckTableTest, LetsASoundTableThrough) {
  EXPECT_EQ(MessageOf(CheckTable(SmallTable())), "no error");
  EXPECT_TRUE(RunAudit(SmallTable(), Ridge(), {}, {.jobs = 1}).ok());
  EXPECT_EQ(MakeTable(SmallTable()).value().cost, SmallTable().cost);
}

TEST(CheckTableTest, QueriesMayStayWithoutNames) {
  EXPECT_TRUE(CheckTable(internal::MakeSyntheticTable({}, 1)).ok());
}

TEST(CheckTableTest, RefusesAnEmptyTable) {
  EXPECT_EQ(MessageOf(CheckTable({})), "table: found 0 action(s), expected at least two");
  EXPECT_EQ(MessageOf(RunAudit({}, Ridge(), {}, {})), MessageOf(CheckTable({})));
}

TEST(CheckTableTest, RefusesAShortCostVector) {
  EXPECT_EQ(ErrorOf([](OutcomeTable& table) { table.cost.resize(20); }),
            "table: cost has 20 values, expected 12 queries x 3 actions");
  EXPECT_EQ(ErrorOf([](OutcomeTable& table) { table.cost.clear(); }),
            "table: cost has 0 values, expected 12 queries x 3 actions");
  EXPECT_EQ(ErrorOf([](OutcomeTable& table) { table.cost.push_back(1.0); }),
            "table: cost has 37 values, expected 12 queries x 3 actions");
}

TEST(CheckTableTest, RefusesOtherArraysOfTheWrongLength) {
  EXPECT_THAT(ErrorOf([](OutcomeTable& table) { table.time.pop_back(); }),
              HasSubstr("time has 35 values"));
  EXPECT_THAT(ErrorOf([](OutcomeTable& table) { table.success.pop_back(); }),
              HasSubstr("success has 35 values"));
  EXPECT_THAT(ErrorOf([](OutcomeTable& table) { table.eligible.assign(35, 1); }),
              HasSubstr("eligible has 35 values"));
  EXPECT_EQ(ErrorOf([](OutcomeTable& table) { table.queries.pop_back(); }),
            "table: queries has 11 names, expected 12, as cluster_begin ends there");
  EXPECT_EQ(ErrorOf([](OutcomeTable& table) { table.choice.pop_back(); }),
            "table: choice has 11 values, expected 12, one per query");
}

TEST(CheckTableTest, RefusesHalfTheFeatureRows) {
  EXPECT_EQ(ErrorOf([](OutcomeTable& table) {
              table.features[0].values.conservativeResize(6, Eigen::NoChange);
            }),
            "table: features 'obs' has 6 rows, expected 12, one per query");
  EXPECT_EQ(ErrorOf([](OutcomeTable& table) {
              table.action_features[0].values.conservativeResize(12, Eigen::NoChange);
            }),
            "table: action_features 'phi' has 12 rows, expected 36, one per query and action");
  EXPECT_EQ(ErrorOf([](OutcomeTable& table) { table.features[1].columns.pop_back(); }),
            "table: features 'target' names 1 columns, expected 2");
}

TEST(CheckTableTest, RefusesNumbersThatAreNone) {
  EXPECT_EQ(ErrorOf([](OutcomeTable& table) { table.cost[table.cell(7, 1)] = std::nan(""); }),
            "table: cost of query '7' and action 'left' is nan, expected a finite number, 0 or "
            "more");
  EXPECT_THAT(ErrorOf([](OutcomeTable& table) { table.time[0] = -1.0; }),
              HasSubstr("time of query '0' and action 'direct' is -1, expected a finite number"));
  EXPECT_THAT(ErrorOf([](OutcomeTable& table) { table.features[1].values(3, 1) = INFINITY; }),
              HasSubstr("features 'target' row 3, column 'target_y' is inf, expected a finite"));
}

TEST(CheckTableTest, RefusesAReferenceThatCannotBeDividedBy) {
  EXPECT_THAT(ErrorOf([](OutcomeTable& table) { table.cost[table.cell(2, kDirect)] = 0.0; }),
              HasSubstr("cost of query '2' and action 'direct' is 0, expected more than 0"));
  EXPECT_EQ(MessageOf(CheckTable([] {
              OutcomeTable table = SmallTable();
              table.cost[table.cell(2, 1)] = 0.0;
              return table;
            }())),
            "no error");
}

TEST(CheckTableTest, RefusesFlagsThatAreNeitherZeroNorOne) {
  EXPECT_THAT(ErrorOf([](OutcomeTable& table) { table.success[4] = 2; }),
              HasSubstr("success of query '1' and action 'left' is 2, expected 0 or 1"));
  EXPECT_THAT(ErrorOf([](OutcomeTable& table) {
                table.eligible.assign(36, 1);
                table.eligible[3] = 0;
              }),
              HasSubstr("eligible of query '1' and action 'direct' is 0, expected 1"));
}

TEST(CheckTableTest, RefusesOffsetsThatOverlapOrLeaveAClusterEmpty) {
  EXPECT_EQ(ErrorOf([](OutcomeTable& table) {
              table.cluster_begin = {0, 6, 3, 9, 12};
            }),
            "table: cluster_begin[2] is 3, expected more than cluster_begin[1] = 6: cluster "
            "'cluster-01' needs a query and none of another one's");
  EXPECT_THAT(ErrorOf([](OutcomeTable& table) { table.cluster_begin[2] = 3; }),
              HasSubstr("cluster_begin[2] is 3, expected more than cluster_begin[1] = 3"));
  EXPECT_THAT(ErrorOf([](OutcomeTable& table) { table.cluster_begin[0] = 1; }),
              HasSubstr("cluster_begin[0] is 1, expected 0"));
  EXPECT_THAT(ErrorOf([](OutcomeTable& table) { table.cluster_begin.pop_back(); }),
              HasSubstr("cluster_begin has 4 offsets, expected 5"));
  EXPECT_THAT(ErrorOf([](OutcomeTable& table) { table.cluster_begin.back() = SIZE_MAX; }),
              HasSubstr("cost has 36 values"));
}

TEST(CheckTableTest, RefusesAChoiceThatIsNoAction) {
  EXPECT_EQ(ErrorOf([](OutcomeTable& table) { table.choice[5] = 3; }),
            "table: choice of query '5' is 3, expected the index of an action, below 3");
}

TEST(CheckTableTest, RefusesNamesThatOccurTwiceOrAreNone) {
  EXPECT_EQ(ErrorOf([](OutcomeTable& table) { table.clusters[2] = table.clusters[0]; }),
            "table: clusters[2] is 'cluster-00' like clusters[0], expected every name once");
  EXPECT_THAT(ErrorOf([](OutcomeTable& table) { table.actions[2] = "left"; }),
              HasSubstr("actions[2] is 'left' like actions[1]"));
  EXPECT_THAT(ErrorOf([](OutcomeTable& table) { table.queries[2] = ""; }),
              HasSubstr("queries[2] is '', expected a name"));
  EXPECT_THAT(ErrorOf([](OutcomeTable& table) { table.features[0].columns[1] = "\xFF"; }),
              HasSubstr("features 'obs' columns[1] is '\\xff', expected UTF-8 text"));
  EXPECT_THAT(ErrorOf([](OutcomeTable& table) { table.features[1].name = "obs"; }),
              HasSubstr("feature groups[1] is 'obs' like feature groups[0]"));
  EXPECT_THAT(ErrorOf([](OutcomeTable& table) { table.provenance = "\xFF"; }),
              HasSubstr("provenance is '\\xff', expected UTF-8 text"));
}

TEST(CheckTableTest, APartMayHoldOneCluster) {
  const OutcomeTable one =
      MakePositiveControl({.clusters = 1, .queries_per_cluster = 3}, RngStream(1));
  EXPECT_TRUE(CheckTable(one, TableScope::kPart).ok());
  EXPECT_EQ(MessageOf(CheckTable(one, TableScope::kWhole, "t.h5")),
            "t.h5: found 1 cluster(s), expected at least two independent ones");
}

TEST(CheckTableTest, ABonusThatMakesACostNegativeIsRefused) {
  const PlantedSignal signal{"target_y", "left", "right"};
  const std::vector<double> gammas = {1.5};
  EXPECT_THAT(MessageOf(SweepObservable(SmallTable(), Ridge(), signal, gammas, {.jobs = 1})),
              HasSubstr("expected a finite number, 0 or more"));
}

TEST(RunAuditTest, RefusesAProtocolWithoutRefitsOrLevel) {
  Protocol protocol = Ridge();
  protocol.bootstrap.refits = 0;
  EXPECT_EQ(MessageOf(RunAudit(SmallTable(), protocol, {}, {})),
            "bootstrap.refits is 0, expected at least 1");
  protocol = Ridge();
  protocol.bootstrap.level = 1.0;
  EXPECT_THAT(MessageOf(AuditChoices(SmallTable(), protocol)), HasSubstr("bootstrap.level is 1"));
}

}  // namespace
}  // namespace gonogo::audit
