// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/control_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/report/testing/example_result.h"
#include "gonogo/report/testing/self_contained.h"
#include "gonogo/report/text/number_text.h"

namespace gonogo::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(ControlPageTest, ListsWhatWasRecoveredForEveryPlantedBonus) {
  const nlohmann::json control = internal::ExampleResult()["controls"][0];
  const std::string html = ControlPage(control);
  EXPECT_THAT(internal::Loads(html), IsEmpty());
  const std::string visible = internal::WithoutScripts(html);
  EXPECT_THAT(visible, HasSubstr("Observable signal"));
  EXPECT_THAT(visible, HasSubstr(Percent(0.0743) + " " + PercentInterval(0.0604, 0.0905)));
  EXPECT_THAT(visible, Not(HasSubstr("Lower bound of")));
}

TEST(ControlPageTest, CountsHowOftenAHiddenSignalWasClaimed) {
  const nlohmann::json control = internal::ExampleResult()["controls"][1];
  EXPECT_THAT(internal::WithoutScripts(ControlPage(control)),
              HasSubstr("Lower bound of the allocation gain above 0.25\u202f%: 0 of 1."));
}

TEST(ControlPageTest, SaysWhichTableAndProtocolItIsAbout) {
  nlohmann::json control = internal::ExampleResult()["controls"][0];
  control["provenance"] = {{"table", "outcomes.csv"},
                           {"protocol", "protocol.kappa = 0.05\nlearner.kind = \"ridge\"\n"}};
  const std::string visible = internal::WithoutScripts(ControlPage(control));
  EXPECT_THAT(visible, HasSubstr("outcomes.csv"));
  EXPECT_THAT(visible, HasSubstr("<th scope=\"row\">protocol.kappa</th>"));
}

TEST(ControlPageTest, SurvivesAControlWithoutPoints) {
  EXPECT_THAT(ControlPage(nlohmann::json::object()), HasSubstr("</html>"));
}

}  // namespace
}  // namespace gonogo::report
