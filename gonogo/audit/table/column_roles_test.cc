// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/column_roles.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::audit {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

Result<ColumnRoles> RolesOf(const std::string& csv) {
  io::CsvReader reader = io::CsvReader::Parse(csv, "t.csv").value();
  return GuessRoles(reader);
}

/// Two sites with two requests each, three models, none of the usual names.
constexpr const char* kRouting =
    "site,request,model,dollars,seconds,correct,length,tokens_out,language\n"
    "a,1,small,1,0.5,1,10,7,en\n"
    "a,1,large,9,0.9,1,10,8,en\n"
    "a,1,default,5,0.7,1,10,9,en\n"
    "a,2,small,2,0.5,0,20,3,de\n"
    "a,2,large,8,0.8,1,20,4,de\n"
    "a,2,default,5,0.7,1,20,5,de\n"
    "b,3,small,1,0.4,1,15,6,en\n"
    "b,3,large,7,0.9,1,15,7,en\n"
    "b,3,default,4,0.6,0,15,8,en\n";

TEST(ColumnRolesTest, KnowsColumnsByWhatPeopleCallThem) {
  const ColumnRoles roles = RolesOf(kRouting).value();
  EXPECT_EQ(roles.cluster.name, "site");
  EXPECT_EQ(roles.query.name, "request");
  EXPECT_EQ(roles.action.name, "model");
  EXPECT_EQ(roles.cost.name, "dollars");
  EXPECT_EQ(roles.time.name, "seconds");
  EXPECT_EQ(roles.success.name, "correct");
  EXPECT_THAT(roles.actions, ElementsAre("small", "large", "default"));
  EXPECT_EQ(roles.reference.name, "default");
  EXPECT_EQ(roles.clusters, 2U);
  EXPECT_EQ(roles.queries, 3U);
}

TEST(ColumnRolesTest, TakesOnlyWhatIsKnownBeforehandForAFeature) {
  const ColumnRoles roles = RolesOf(kRouting).value();
  EXPECT_THAT(roles.features, ElementsAre(Field(&GuessedColumn::name, "length"),
                                          Field(&GuessedColumn::name, "language")));
  EXPECT_EQ(roles.features[1].reason, "a category of 2 values");
  ASSERT_EQ(roles.unused.size(), 1U);
  EXPECT_EQ(roles.unused[0].name, "tokens_out");
  EXPECT_THAT(roles.unused[0].reason, HasSubstr("an outcome must not be a feature"));
}

TEST(ColumnRolesTest, FindsRolesByContentWhereNamesSayNothing) {
  const ColumnRoles roles = RolesOf(
                                "u,v,w,x\n"
                                "north,n1,left,3\nnorth,n1,right,4\n"
                                "north,n2,left,5\nnorth,n2,right,2\n"
                                "south,s1,left,6\nsouth,s1,right,1\n")
                                .value();
  EXPECT_EQ(roles.cluster.name, "u");
  EXPECT_EQ(roles.query.name, "v");
  EXPECT_EQ(roles.action.name, "w");
  EXPECT_EQ(roles.cost.name, "x");
  EXPECT_EQ(roles.reference.name, "left");
  EXPECT_THAT(roles.time.name, IsEmpty());
}

TEST(ColumnRolesTest, NeverTakesForACostWhatIsBetterWhenThereIsMore) {
  for (const char* name : {"reward", "score", "accuracy", "revenue", "clicks", "success_rate",
                           "Quality", "f1_score", "model_accuracy"}) {
    const ColumnRoles roles = RolesOf(fmt::format("cluster,query,action,{}\n"
                                                  "n,n1,l,0.3\nn,n1,r,0.4\nn,n2,l,5\nn,n2,r,2\n"
                                                  "s,s1,l,6\ns,s1,r,1\n",
                                                  name))
                                  .value();
    EXPECT_EQ(roles.cost.name, name);
    EXPECT_EQ(roles.direction, Direction::kOpen) << name;
  }
  for (const char* name : {"cost_per_click", "quality_loss", "score_error", "price", "tokens"}) {
    const ColumnRoles roles = RolesOf(fmt::format("cluster,query,action,{}\n"
                                                  "n,n1,l,3\nn,n1,r,4\nn,n2,l,5\nn,n2,r,2\n"
                                                  "s,s1,l,6\ns,s1,r,1\n",
                                                  name))
                                  .value();
    EXPECT_EQ(roles.direction, Direction::kLess) << name;
  }
}

TEST(ColumnRolesTest, APriceIsTheCostAlthoughAScoreStandsBeforeIt) {
  const ColumnRoles roles = RolesOf(
                                "cluster,query,action,score,price_usd\n"
                                "n,n1,l,3,1\nn,n1,r,4,2\nn,n2,l,5,3\nn,n2,r,2,2\ns,s1,l,6,1\n"
                                "s,s1,r,1,4\n")
                                .value();
  EXPECT_EQ(roles.cost.name, "price_usd");
  EXPECT_EQ(roles.direction, Direction::kLess);
  EXPECT_THAT(roles.cost.reason, testing::HasSubstr("of 'score' more is better"));
}

TEST(ColumnRolesTest, ALatencyBesideAScoreIsATimeAndAPersonSaysWhichWayTheScoreGoes) {
  const ColumnRoles roles = RolesOf(
                                "cluster,query,action,latency,score\n"
                                "n,n1,l,3,1\nn,n1,r,4,2\nn,n2,l,5,3\nn,n2,r,2,2\ns,s1,l,6,1\n"
                                "s,s1,r,1,4\n")
                                .value();
  EXPECT_EQ(roles.cost.name, "score");
  EXPECT_EQ(roles.direction, Direction::kOpen);
  EXPECT_EQ(roles.time.name, "latency");
}

TEST(ColumnRolesTest, SaysWhatIsMissing) {
  const auto message = [](const char* csv) { return RolesOf(csv).error().message; };
  EXPECT_THAT(message("a,b\n1,1\n1,1\n"), HasSubstr("t.csv: no two columns tell the rows apart"));
  EXPECT_THAT(message("query,action,cost\nq,a,1\nq,b,2\nr,a,3\nr,b,4\n"),
              HasSubstr("no column says which queries belong together; add a column 'cluster'"));
  EXPECT_THAT(message("cluster,query,action,cost\nc,q,a,x\nc,q,b,y\nc,r,a,x\nc,r,b,y\n"
                      "d,s,a,x\nd,s,b,y\n"),
              HasSubstr("expected the cost there"));
  EXPECT_THAT(message("cluster,query,action,cost\n"), HasSubstr("no rows"));
}

TEST(ColumnRolesTest, FindsOneColumnForEveryAction) {
  const ColumnRoles roles = RolesOf(
                                "site,small_cost,large_cost,small_ok,large_ok,length\n"
                                "a,1,2,1,1,10\na,2,2,0,1,20\nb,3,1,1,1,10\nb,1,5,1,0,30\n")
                                .value();
  EXPECT_EQ(roles.cost.name, "*_cost");
  EXPECT_EQ(roles.success.name, "*_ok");
  EXPECT_THAT(roles.actions, ElementsAre("small", "large"));
  EXPECT_THAT(roles.action.name, IsEmpty());
  EXPECT_THAT(roles.query.name, IsEmpty());
  EXPECT_EQ(roles.queries, 4U);
  EXPECT_THAT(roles.features, ElementsAre(Field(&GuessedColumn::name, "length")));
}

TEST(ColumnRolesTest, NeverTakesAnotherColumnForACostThatCannotBeRead) {
  const char* csv =
      "cluster,query,action,cost,seconds\n"
      "c,q,a,$1,3\nc,q,b,$2,4\nc,r,a,$1,5\nc,r,b,$3,2\nd,s,a,$1,3\nd,s,b,$2,1\n";
  const ColumnRoles roles = RolesOf(csv).value();
  EXPECT_EQ(roles.cost.name, "cost");
  EXPECT_THAT(roles.cost.reason, HasSubstr("not every cell is a number"));
}

TEST(ColumnRolesTest, KnowsDatesBooleansTextsAndWhatIsMissing) {
  std::string csv = "cluster,query,action,cost,when,urgent,prompt,load\n";
  for (int q = 0; q < 8; ++q) {
    for (const char* action : {"a", "b"}) {
      csv +=
          fmt::format("c{},q{},{},{},2024-03-0{},{},text {},{}\n", q / 2, q, action, q + action[0],
                      q + 1, q % 2 == 0 ? "True" : "False", q, q == 3 ? "" : std::to_string(q));
    }
  }
  const ColumnRoles roles = RolesOf(csv).value();
  EXPECT_THAT(roles.features, ElementsAre(Field(&GuessedColumn::name, "urgent"),
                                          Field(&GuessedColumn::name, "load")));
  EXPECT_THAT(roles.features[1].reason, HasSubstr("some are missing"));
  EXPECT_THAT(roles.dates, ElementsAre(Field(&GuessedColumn::name, "when")));
  ASSERT_EQ(roles.unused.size(), 1U);
  EXPECT_THAT(roles.unused[0].reason, HasSubstr("examples/routing/text_vectors.py"));
}

}  // namespace
}  // namespace gonogo::audit
