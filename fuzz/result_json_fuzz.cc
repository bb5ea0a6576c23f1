// SPDX-License-Identifier: Apache-2.0
// Whatever a result.json holds, `gonogo report` refuses it with a message or makes a page of it,
// alone and with itself as a control.
#include "fuzz/json_mutator.h"
#include "fuzz/scratch_folder.h"

#include "gonogo/base/check.h"
#include "gonogo/io/json/json.h"
#include "gonogo/report/result_page.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gonogo;
  const Result<nlohmann::json> parsed = io::ParseJson(fuzz::AsText(data, size), "result.json");
  if (!parsed.ok()) return 0;
  const Result<std::string> page = report::ResultPage(parsed.value(), "result.json");
  if (!page.ok()) {
    GONOGO_CHECK(page.error().message.starts_with("result.json"));
    return 0;
  }
  GONOGO_CHECK(page.value().ends_with("</html>\n"));
  nlohmann::json with_control = parsed.value();
  nlohmann::json control = parsed.value();
  control["schema"] = "gonogo.control/1";
  if (!report::AttachControl(control, "control.json", with_control).ok()) return 0;
  (void)report::ResultPage(with_control, "result.json").ok();
  return 0;
}
