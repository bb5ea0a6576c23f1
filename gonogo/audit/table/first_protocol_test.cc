// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/first_protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/protocol/protocol.h"

namespace gonogo::audit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ColumnRoles Roles() {
  ColumnRoles roles;
  roles.cluster = {"site", "why the site"};
  roles.query = {"request", ""};
  roles.action = {"model", ""};
  roles.cost = {"US dollars", "its name"};
  roles.success = {"correct", ""};
  roles.features = {{"length", "a number"}, {"my \"odd\" column", "a number"}};
  roles.unused = {{"language", "holds texts"}};
  roles.actions = {"small", "large \"one\""};
  roles.reference = {"small", "the first"};
  roles.clusters = 3;
  return roles;
}

TEST(FirstProtocolTest, IsAProtocolThatSaysWhatWasGuessed) {
  const Protocol protocol = ParseProtocol(FirstProtocol(Roles(), "routing.csv"), "t").value();
  EXPECT_EQ(protocol.name, "routing");
  EXPECT_EQ(protocol.reference, "small");
  EXPECT_THAT(protocol.actions, ElementsAre("small", "large \"one\""));
  EXPECT_EQ(protocol.table.cluster, "site");
  EXPECT_EQ(protocol.table.cost, "US dollars");
  EXPECT_EQ(protocol.table.time, TableColumns().time);
  ASSERT_EQ(protocol.table.features.size(), 2U);
  EXPECT_EQ(protocol.table.features[0].pattern, "length");
  EXPECT_EQ(protocol.learner.kind, LearnerKind::kRidge);
}

TEST(FirstProtocolTest, LeavesTheDirectionToAPersonWhereTheNameSaysMore) {
  ColumnRoles roles = Roles();
  roles.cost = {"score", ""};
  roles.direction = Direction::kOpen;
  const std::string text = FirstProtocol(roles, "t.csv");
  EXPECT_THAT(text, HasSubstr("\n# reward = \"score\" "));
  EXPECT_THAT(text, HasSubstr("\n# cost = \"score\" "));
  const Protocol open = ParseProtocol(text, "t").value();
  EXPECT_EQ(open.table.reward, "");
  EXPECT_EQ(open.table.cost, "cost");
  roles.direction = Direction::kMore;
  EXPECT_EQ(ParseProtocol(FirstProtocol(roles, "t.csv"), "t").value().table.reward, "score");
}

TEST(FirstProtocolTest, LimitsTimeOnlyWhereSomebodyAskedForIt) {
  ColumnRoles roles = Roles();
  roles.time = {"latency", "its name"};
  EXPECT_EQ(ParseProtocol(FirstProtocol(roles, "t.csv"), "t").value().question.constraint,
            Constraint::kSuccess);
  roles.time_is_limited = true;
  EXPECT_EQ(ParseProtocol(FirstProtocol(roles, "t.csv"), "t").value().question.constraint,
            Constraint::kSuccessAndTime);
  roles.time_is_limited = false;
  roles.success = {};
  EXPECT_EQ(ParseProtocol(FirstProtocol(roles, "t.csv"), "t").value().question.constraint,
            Constraint::kNone);
}

TEST(FirstProtocolTest, GivesEveryReason) {
  const std::string text = FirstProtocol(Roles(), "routing.csv");
  EXPECT_THAT(text, HasSubstr("# why the site\n"));
  EXPECT_THAT(text, HasSubstr("# left out: language: holds texts\n"));
  EXPECT_THAT(text, HasSubstr("fewer decide nothing; the table has 3\n"));
  EXPECT_THAT(text, HasSubstr("# time = \"time\""));
}

}  // namespace
}  // namespace gonogo::audit
