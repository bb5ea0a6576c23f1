// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/result_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/report/testing/example_result.h"
#include "gonogo/report/testing/self_contained.h"

namespace gonogo::report {
namespace {

using testing::HasSubstr;
using testing::Not;

/// An audit without controls, and one of its controls, both of table "ab".
struct Files {
  nlohmann::json audit = internal::ExampleResult();
  nlohmann::json control = audit["controls"][0];
  Files() {
    audit.erase("controls");
    audit["schema"] = "gonogo.audit-result/1";
    control["schema"] = "gonogo.control/1";
    audit["provenance"]["table_sha256"] = control["provenance"]["table_sha256"] = "ab";
  }
};

TEST(ResultPageTest, TheSchemaTellsThePage) {
  const Files files;
  EXPECT_THAT(ResultPage(files.audit, "a.json").value(), HasSubstr("gonogo audit"));
  EXPECT_THAT(ResultPage(files.control, "c.json").value(), HasSubstr("gonogo control"));
  EXPECT_THAT(ResultPage({{"schema", "gonogo.calibration/1"}}, "k.json").value(),
              HasSubstr("</html>"));
}

TEST(ResultPageTest, NamesTheFileAndWhatItIsInstead) {
  EXPECT_EQ(ResultPage({{"schema", "gonogo.plan/1"}}, "p.json").error().message,
            "p.json: schema is 'gonogo.plan/1', expected 'gonogo.audit-result/1', "
            "'gonogo.control/1' or 'gonogo.calibration/1'");
  EXPECT_THAT(ResultPage(nlohmann::json::array(), "p.json").error().message,
              HasSubstr("schema is 'missing'"));
}

TEST(ResultPageTest, AnAuditOfAnEarlierVersionIsToBeRunAgain) {
  Files files;
  files.audit.erase("channels");
  const Result<std::string> page = ResultPage(files.audit, "a.json");
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().kind, ErrorKind::kInput);
  EXPECT_THAT(page.error().message, HasSubstr("a.json: it has no 'channels'"));
  EXPECT_THAT(page.error().message, HasSubstr("run the audit again"));
}

TEST(ResultPageTest, AnAuditShowsTheControlsAttachedToIt) {
  Files files;
  const auto shown = [&] {
    return internal::WithoutScripts(ResultPage(files.audit, "a.json").value());
  };
  EXPECT_THAT(shown(), Not(HasSubstr("Calibration controls")));
  ASSERT_TRUE(AttachControl(files.control, "c.json", files.audit).ok());
  EXPECT_THAT(shown(), HasSubstr("Calibration controls"));
}

TEST(ResultPageTest, ControlsThatAreNoListAreReplacedByTheOneAttached) {
  Files files;
  files.audit["controls"] = 5;
  ASSERT_TRUE(AttachControl(files.control, "c.json", files.audit).ok());
  EXPECT_EQ(files.audit["controls"].size(), 1U);
}

TEST(ResultPageTest, AControlOfAnotherTableIsRefused) {
  Files files;
  files.control["provenance"]["table_sha256"] = "cd";
  EXPECT_EQ(AttachControl(files.control, "c.json", files.audit).error().message,
            "c.json: the control of table 'cd', expected that of table 'ab'");
  EXPECT_THAT(AttachControl(files.audit, "a.json", files.audit).error().message,
              HasSubstr("expected 'gonogo.control/1'"));
  EXPECT_THAT(AttachControl(files.control, "c.json", files.control).error().message,
              HasSubstr("expected 'gonogo.audit-result/1'"));
}

}  // namespace
}  // namespace gonogo::report
