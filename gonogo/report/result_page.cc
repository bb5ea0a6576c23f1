// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/result_page.h"

#include "gonogo/report/audit/audit_report.h"
#include "gonogo/report/text/node.h"

namespace gonogo::report {
namespace {

constexpr const char* kAudit = "gonogo.audit-result/1";
constexpr const char* kControl = "gonogo.control/1";
constexpr const char* kCalibration = "gonogo.calibration/1";

std::string SchemaOf(const nlohmann::json& result) {
  return ResultNode(result)["schema"].text("missing");
}

std::string TableSha256(const nlohmann::json& result) {
  return ResultNode(result)["provenance"]["table_sha256"].text();
}

}  // namespace

Result<std::string> ResultPage(const nlohmann::json& result, const std::string& name) {
  const std::string schema = SchemaOf(result);
  if (schema == kAudit) {
    // The page works out no states of its own: it would be a second implementation of the rules.
    if (!ResultNode(result)["channels"].json().is_array()) {
      return InputError(
          "{}: it has no 'channels', so an earlier gonogo wrote it; run the audit again to get the "
          "page of this version",
          name);
    }
    return RenderPage(MakeAuditPage(result));
  }
  if (schema == kControl) return RenderPage(MakeControlPage(result));
  if (schema == kCalibration) return RenderPage(MakeCalibrationPage(result));
  return InputError("{}: schema is '{}', expected '{}', '{}' or '{}'", name, schema, kAudit,
                    kControl, kCalibration);
}

std::string ResultText(const nlohmann::json& result, const TextLook& look) {
  return PageText(SchemaOf(result) == kControl ? MakeControlPage(result) : MakeAuditPage(result),
                  look);
}

Status AttachControl(const nlohmann::json& control, const std::string& name,
                     nlohmann::json& result) {
  if (SchemaOf(result) != kAudit) {
    return InputError("{}: schema of the result it is added to is '{}', expected '{}'", name,
                      SchemaOf(result), kAudit);
  }
  if (SchemaOf(control) != kControl) {
    return InputError("{}: schema is '{}', expected '{}'", name, SchemaOf(control), kControl);
  }
  if (TableSha256(control) != TableSha256(result)) {
    return InputError("{}: the control of table '{}', expected that of table '{}'", name,
                      TableSha256(control), TableSha256(result));
  }
  nlohmann::json& controls = result["controls"];
  if (!controls.is_array()) controls = nlohmann::json::array();
  controls.push_back(control);
  return {};
}

}  // namespace gonogo::report
