// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/report/audit/audit_report.h"
#include "gonogo/report/text/node.h"

namespace gonogo::report {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The first of two looks: H_dep waits for its lower bound, q for its upper one.
Json Undecided() {
  return R"({"look": 1, "looks": 2, "clusters": 20, "alpha": 0.0089, "reading": "ABSTAIN",
    "channels": [{"name": "H_dep", "point": 0.012, "lower": 0.0041, "upper": null,
                  "threshold": 0.01, "direction": "above"},
                 {"name": "q", "point": 0.0, "lower": 0.0, "upper": 0.031, "threshold": 0.05,
                  "direction": "below"}],
    "later": [{"clusters": 80, "GO": 0.62, "NO-GO": 0.05}], "then": "go on"})"_json;
}

TEST(LooksTest, ALookIsOneLineWithTheBoundsThatAGoWaitsForAndWhatMayCome) {
  EXPECT_EQ(LookLine(Undecided()),
            "look 1 of 2, 20 clusters: H_dep at least 0.41 % (needs > 1.00 %), q at most 3.10 % "
            "(needs <= 5.00 %), reads ABSTAIN; the next look is at 80 clusters: its chance of a "
            "GO is about 62 %, that of a NO-GO about 5 %, if the estimates stay where they are");
}

TEST(LooksTest, TheChanceOfTheNextLookIsShownOnlyWhereOneFollows) {
  const auto shown = [](const Json& path) { return PageText(MakeAuditPage({{"path", path}}), {}); };
  Json second = Undecided();
  second["look"] = 2;
  second["clusters"] = 80;
  second["reading"] = "GO";
  second["later"] = Json::array();
  second["then"] = "decided";
  const std::string path = shown({Undecided(), second});
  EXPECT_THAT(path, HasSubstr("ABSTAIN     62 %"));
  EXPECT_THAT(path, HasSubstr("no further clusters are needed"));
  EXPECT_THAT(shown(Json::array({second})), Not(HasSubstr("62 %")));
  EXPECT_THAT(shown(Json::array()), Not(HasSubstr("look")));
}

}  // namespace
}  // namespace gonogo::report
