// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/text/node.h"

#include <gtest/gtest.h>

namespace gonogo::report {
namespace {

TEST(NodeTest, KnowsItsPlaceEvenWhereNothingIs) {
  const Json json = R"({"a/b": [{"c d": 0.5}]})"_json;
  const ResultNode node = ResultNode(json)["a/b"][0]["c d"];
  EXPECT_EQ(node.place(), "/a~1b/0/c%20d");
  EXPECT_EQ(node.number(), 0.5);
  const ResultNode missing = ResultNode(json)["x"][7]["y"];
  EXPECT_EQ(missing.place(), "/x/7/y");
  EXPECT_FALSE(missing.number().has_value());
  EXPECT_EQ(Percent(missing).plain, "–");
  EXPECT_TRUE(Percent(missing).marks.empty());
}

TEST(NodeTest, CountsWhateverTheKindOfNumber) {
  // Sums of clusters are held as 6.0: a page that counted only integers once said "0 queries".
  const Json json = R"({"queries": 6.0, "clusters": 1, "none": null})"_json;
  const ResultNode node(json);
  EXPECT_EQ(Counted(node["queries"], "query", "queries").plain, "6 queries");
  EXPECT_EQ(Counted(node["clusters"], "cluster").plain, "1 cluster");
  EXPECT_EQ(Counted(node["none"], "cluster").plain, "– clusters");
}

TEST(NodeTest, ShowsSharesPlainInATerminalAndTypesetOnAPage) {
  const Json json = R"({"lower": -0.003, "upper": 0.0078, "level": 0.95})"_json;
  const ResultNode node(json);
  EXPECT_EQ(Percent(node["lower"]).plain, "-0.30 %");
  EXPECT_EQ(Percent(node["lower"]).typeset(), "−0.30\u202f%");
  EXPECT_EQ(PercentInterval(node).plain, "[-0.30, 0.78] %");
  EXPECT_EQ(PercentInterval(node).typeset(), "[−0.30\u202f%, 0.78\u202f%]");
  EXPECT_EQ(PercentInterval(node).marks[1].from, "/upper");
  EXPECT_EQ(ShortPercent(node["level"]).plain, "95 %");
  EXPECT_EQ(Points(Difference(node["upper"], node["lower"])).plain, "1.08 points");
}

TEST(NodeTest, QuotesValuesAsTheyAre) {
  const auto quote = [](const char* text) {
    const Json json = Json::parse(text);
    return Quote(ResultNode(json)).plain;
  };
  EXPECT_EQ(quote("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(quote("-7"), "-7");
  EXPECT_EQ(quote("[1, \"a\", true]"), "1, a, yes");
  EXPECT_EQ(quote("null"), "–");
}

}  // namespace
}  // namespace gonogo::report
