// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/report/audit/audit_report.h"
#include "gonogo/report/testing/example_result.h"
#include "gonogo/report/testing/self_contained.h"
#include "gonogo/report/text/number_text.h"

namespace gonogo::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string ControlPage(const Json& control) { return RenderPage(MakeControlPage(control)); }

TEST(ControlPageTest, ListsWhatWasRecoveredForEveryPlantedBonus) {
  const nlohmann::json control = internal::ExampleResult()["controls"][0];
  const std::string html = ControlPage(control);
  EXPECT_THAT(internal::Loads(html), IsEmpty());
  const std::string visible = internal::WithoutTags(html);
  EXPECT_THAT(visible, HasSubstr("Observable signal"));
  EXPECT_THAT(visible, HasSubstr(Percent(0.0743) + "|" + PercentInterval(0.0604, 0.0905)));
  EXPECT_THAT(visible, Not(HasSubstr("lower bound of")));
}

TEST(ControlPageTest, CountsHowOftenAHiddenSignalWasClaimed) {
  const nlohmann::json control = internal::ExampleResult()["controls"][1];
  EXPECT_THAT(internal::WithoutTags(ControlPage(control)),
              HasSubstr("lower bound of H_alloc above 0.25\u202f%: 0 of 1 mappings"));
}

TEST(ControlPageTest, SaysWhichTableAndProtocolItIsAbout) {
  nlohmann::json control = internal::ExampleResult()["controls"][0];
  control["provenance"] = {{"table", "outcomes.csv"},
                           {"protocol", "protocol.kappa = 0.05\nlearner.kind = \"ridge\"\n"}};
  const std::string visible = internal::WithoutTags(ControlPage(control));
  EXPECT_THAT(visible, HasSubstr("outcomes.csv"));
  EXPECT_THAT(visible, HasSubstr("protocol.kappa|0.05"));
}

TEST(ControlPageTest, ATerminalShowsTheSameTable) {
  const Json control = internal::ExampleResult()["controls"][1];
  EXPECT_EQ(PageText(MakeControlPage(control), {}),
            "  gamma   H_dep     H_alloc                   q     reading\n"
            "  5.00 %      –  –   0.03 %  [-0.87, 0.94] %  –  –  no decision\n"
            "  lower bound of H_alloc above 0.25 %: 0 of 1 mappings\n"
            "  What remains is the table's own gain: compare with an audit of the table as it "
            "is.\n");
}

TEST(ControlPageTest, SurvivesAControlWithoutPoints) {
  EXPECT_THAT(ControlPage(nlohmann::json::object()), HasSubstr("</html>"));
}

}  // namespace
}  // namespace gonogo::report
