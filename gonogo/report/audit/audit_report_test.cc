// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/audit_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/report/testing/example_result.h"
#include "gonogo/report/testing/self_contained.h"
#include "gonogo/report/text/number_text.h"

namespace gonogo::report {
namespace {

using internal::ExampleResult;
using testing::IsEmpty;

std::string AuditPage(const Json& result) { return RenderPage(MakeAuditPage(result)); }

/// What a reader without JavaScript reads.
std::string VisibleText(const Json& result) { return internal::WithoutTags(AuditPage(result)); }

/// A page is long: on failure, name what is missing and not the page.
testing::AssertionResult Has(const std::string& html, const std::string& text) {
  if (html.find(text) != std::string::npos) return testing::AssertionSuccess() << text;
  return testing::AssertionFailure() << "no \"" << text << "\" in the page";
}

TEST(AuditPageTest, LoadsNothing) {
  EXPECT_THAT(internal::Loads(AuditPage(ExampleResult())), IsEmpty());
}

TEST(AuditPageTest, LeadsWithTheVerdict) {
  EXPECT_TRUE(Has(AuditPage(ExampleResult()), R"(<div class="banner tone-nogo">)"));
  EXPECT_TRUE(Has(VisibleText(ExampleResult()), "2 clusters (terrain), 95 queries, 2 actions"));
}

TEST(AuditPageTest, WritesEveryNumberOfTheResultIntoATable) {
  const std::string html = VisibleText(ExampleResult());
  for (const double fraction :
       {0.0911,  0.0944, 0.0134, 0.0125, 0.0053,  0.0208,             // estimates
        -0.0016, 0.0138, 0.0061,                                      // second rule
        0.0111,  0.0066, 0.0177, 0.0417, -0.0222, 0.0044, -0.0188,    // folds
        -0.0147, 0.0356, 0.0567, 0.0119, 0.0127,  0.0743, 0.0272,     // actions, variants, controls
        0.0037,  0.0004, 0.0006, 0.0049, 0.0612,  0.713,  0.9812}) {  // trust, diagnostics
    EXPECT_TRUE(Has(html, Percent(fraction)));
  }
  for (const auto& [lower, upper] :
       {std::pair{0.0027, 0.0213}, std::pair{-0.0031, 0.0078}, std::pair{0.0604, 0.0905},
        std::pair{-0.0013, 0.0199}, std::pair{0.0029, 0.0081}, std::pair{-0.0087, 0.0094}}) {
    EXPECT_TRUE(Has(html, PercentInterval(lower, upper)));
  }
  for (const char* text :
       {"20260717", "outcomes.csv", "3f2c9d1", "62.30\u202f%", "37.70\u202f%", "86", "point below",
        "for 1 cluster", "Another bootstrap seed", "A reason given", "Column obs_17 is constant"}) {
    EXPECT_TRUE(Has(html, text));
  }
}

TEST(AuditPageTest, NamesEveryDiagnosticInWords) {
  Json result = ExampleResult();
  result["diagnostics"]["covariance_gain"] = 117.25;
  result["diagnostics"]["global_action"] = "slow";
  result["diagnostics"]["of_tomorrow"] = 3;
  const std::string html = VisibleText(result);
  EXPECT_TRUE(Has(html, "Cost per query saved by choosing where to act"));
  EXPECT_TRUE(Has(html, "117.25"));
  EXPECT_TRUE(Has(html, "Best single action"));
  EXPECT_FALSE(Has(html, "global_action"));
  EXPECT_TRUE(Has(html, "of_tomorrow"));
}

TEST(AuditPageTest, KeepsTheEstimatesOfTheTwoRulesApart) {
  Json result = ExampleResult();
  result["rule"] = "calibrated";
  const std::string html = AuditPage(result);
  EXPECT_TRUE(Has(html,
                  "These are the estimates of the paper&#39;s rule; those of the calibrated "
                  "rule stand under “The conditions of a GO”."));
  // The refits scatter around the paper's estimate, so that is where the triangle stands.
  const auto triangle = [](double share) {
    return R"([{"estimate":")" + Percent(share) + R"(","point":)";
  };
  EXPECT_TRUE(Has(html, triangle(0.0053)));
  EXPECT_FALSE(Has(html, triangle(0.0061)));
}

TEST(AuditPageTest, KeepsTheOrderOfTheEstimatesWhereAnIntervalIsMissing) {
  Json result = ExampleResult();
  result["estimates"]["H_avail"].erase("lower");
  EXPECT_TRUE(Has(AuditPage(result),
                  R"("sort":["Available headroom","Allocation gain","Deployment gain"])"));
}

TEST(AuditPageTest, NamesTheBoundThatDecidedEachChannel) {
  const std::string text = VisibleText(ExampleResult());
  EXPECT_TRUE(Has(text, "> 1.00\u202f%|upper 0.78\u202f%|✕ refuted"));
  EXPECT_TRUE(Has(text, "≤ 5.00\u202f%|upper 3.49\u202f%|✓ satisfied"));
  EXPECT_TRUE(Has(text, "Does it choose well?"));
}

TEST(AuditPageTest, RefutesByTheBoundThatTheRuleUsedAndNotByTheInterval) {
  Json result = ExampleResult();
  result["channels"][1]["decided_by"]["value"] = 0.0091;  // wider than the interval's 0.0078
  EXPECT_TRUE(Has(VisibleText(result), "upper 0.91\u202f%|✕ refuted"));
}

TEST(AuditPageTest, ShowsNoStateWhereTooFewClustersWereRead) {
  Json result = ExampleResult();
  for (Json& channel : result["channels"]) {
    channel["state"] = nullptr;
    channel["decided_by"] = nullptr;
  }
  const std::string html = VisibleText(result);
  EXPECT_TRUE(Has(html, "not read"));
  EXPECT_FALSE(Has(html, "satisfied"));
  EXPECT_FALSE(Has(html, "refuted"));
}

TEST(AuditPageTest, ShowsWhatOtherRulesReadInASectionOfItsOwn) {
  const std::string html = VisibleText(ExampleResult());
  const std::size_t conditions = html.find("The conditions of a GO");
  const std::size_t others = html.find("What other rules read");
  ASSERT_NE(others, std::string::npos);
  EXPECT_LT(conditions, others);
  EXPECT_TRUE(Has(html, "None of this decides: the paper's rule does."));
  const std::size_t reading = html.find("The calibrated rule would read ABSTAIN");
  ASSERT_NE(reading, std::string::npos);
  EXPECT_GT(reading, others);
  EXPECT_FALSE(Has(html, "disagree"));
}

TEST(AuditPageTest, EscapesTheNamesOfUsers) {
  Json result = ExampleResult();
  const std::string evil = "<script>alert(1)</script>";
  result["protocol"]["name"] = evil;
  result["protocol"]["reference"] = evil;
  result["actions"][0]["name"] = evil;
  result["folds"][0]["cluster"] = evil;
  result["warnings"][0] = evil;
  result["estimates"][evil] = {{"point", 0.5}};
  result["provenance"][evil] = evil;
  EXPECT_FALSE(Has(AuditPage(result), "<script>alert"));
}

TEST(AuditPageTest, ShowsWhatIsThereWhenAnyPartIsMissing) {
  const Json whole = ExampleResult();
  for (const auto& [key, value] : whole.items()) {
    Json part = whole;
    part.erase(key);
    EXPECT_TRUE(Has(AuditPage(part), "</html>")) << "without " << key;
    part[key] = nullptr;
    EXPECT_TRUE(Has(AuditPage(part), "</html>")) << "with null as " << key;
    part[key] = "not what it should be";
    EXPECT_TRUE(Has(AuditPage(part), "</html>")) << "with a string as " << key;
  }
  EXPECT_TRUE(Has(AuditPage(Json::object()), "No formal decision"));
}

TEST(AuditPageTest, ATableThatNoDecisionCanRestOnSaysWhyAndWhatToCheck) {
  Json result = ExampleResult();
  result["decision"] = nullptr;
  result["status"] = "descriptive";
  result["no_decision"] = {{"reason", "the reference fails"}, {"check", {"Is 1 a success?"}}};
  const Page page = MakeAuditPage(result);
  EXPECT_EQ(page.banner->word.text.plain, "NO DECISION");
  EXPECT_EQ(page.banner->headline.plain,
            "No decision can rest on this table: the reference fails.");
  EXPECT_THAT(RenderPage(page), testing::HasSubstr("Is 1 a success?"));
}

TEST(AuditPageTest, DrawsThePathOfTheBoundsWhereLooksWereTaken) {
  Json result = ExampleResult();
  EXPECT_FALSE(Has(VisibleText(result), "Looks at growing data"));
  result["path"] = R"json([
    {"look": 1, "looks": 2, "clusters": 20, "alpha": 0.0089, "reading": "ABSTAIN", "then": "go on",
     "later": [{"clusters": 80, "GO": 0.62, "NO-GO": 0.05}],
     "channels": [{"name": "H_dep", "point": 0.012, "lower": 0.0041, "upper": null,
                   "threshold": 0.01, "direction": "above"}]},
    {"look": 2, "looks": 2, "clusters": 80, "alpha": 0.0161, "reading": "GO", "then": "decided",
     "later": [],
     "channels": [{"name": "H_dep", "point": 0.013, "lower": 0.0107, "upper": 0.0153,
                   "threshold": 0.01, "direction": "above"}]}])json"_json;
  const std::string html = VisibleText(result);
  for (const std::string& text :
       {std::string("Looks at growing data"), std::string("2 of 2"), Percent(0.0041),
        Percent(0.0107), Percent(0.62, 0), std::string("it is decided")}) {
    EXPECT_TRUE(Has(html, text));
  }
  EXPECT_THAT(internal::Loads(AuditPage(result)), IsEmpty());
}

TEST(AuditPageTest, CountsQueriesThatTheResultHoldsAsRealNumbers) {
  Json result = ExampleResult();
  for (Json& fold : result["folds"]) fold["queries"] = fold["queries"].get<double>();
  result["table"]["queries"] = 95.0;
  const std::string text = VisibleText(result);
  EXPECT_TRUE(Has(text, "95 queries"));
  EXPECT_TRUE(Has(text, "t-1|48|slow"));
  EXPECT_FALSE(Has(text, "0 queries, "));
}

TEST(AuditPageTest, ATerminalShowsBlocksOfTheSameReport) {
  const std::string text = PageText(MakeAuditPage(ExampleResult()), {});
  EXPECT_TRUE(
      text.starts_with("NO-GO  example: 2 clusters (terrain), 95 queries, 2 actions; declared to "
                       "need 2 clusters, not 20\n"));
  EXPECT_TRUE(Has(text, "  warning: column obs_17 is constant\n"));
  EXPECT_TRUE(Has(text, "  H_alloc  Does it choose well?"));
  EXPECT_FALSE(Has(text, "Distribution of the refits"));
}

TEST(AuditPageTest, ShowsWhereTheAdapterActsIfTheResultSaysIt) {
  nlohmann::json result = ExampleResult();
  EXPECT_THAT(AuditPage(result), testing::Not(testing::HasSubstr("Where it acts")));
  result["choice_map"] = {{"feature", "ground_ahead"},
                          {"actions", {"direct", "low"}},
                          {"bins",
                           {{{"low", 0.0},
                             {"high", 0.01},
                             {"queries", 10},
                             {"share", {0.25, 0.75}},
                             {"saved", 0.2},
                             {"violations", 0.0}}}}};
  const std::string page = AuditPage(result);
  EXPECT_THAT(page, testing::HasSubstr("Where it acts"));
  EXPECT_THAT(page, testing::HasSubstr("75.0"));
  EXPECT_THAT(page, testing::HasSubstr("Where the adapter acts: its held-out choices over"));
}

}  // namespace
}  // namespace gonogo::report
