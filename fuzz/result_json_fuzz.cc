// SPDX-License-Identifier: Apache-2.0
// Whatever a result.json holds, `gonogo report` refuses it with a message or makes a page of it:
// texts of even length alone, the others with themselves as a control, because a page is most of
// the time of an input.
#include "fuzz/json_mutator.h"
#include "fuzz/scratch_folder.h"

#include "gonogo/base/check.h"
#include "gonogo/io/json/json.h"
#include "gonogo/report/result_page.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gonogo;
  Result<nlohmann::json> parsed = io::ParseJson(fuzz::AsText(data, size), "result.json");
  if (!parsed.ok()) return 0;
  nlohmann::json& result = parsed.value();
  if (size % 2 == 1 && result.is_object()) {
    nlohmann::json control = result;
    control["schema"] = "gonogo.control/1";
    (void)report::AttachControl(control, "control.json", result).ok();
  }
  const Result<std::string> page = report::ResultPage(result, "result.json");
  if (page.ok()) {
    GONOGO_CHECK(page.value().ends_with("</html>\n"));
  } else {
    GONOGO_CHECK(page.error().message.starts_with("result.json"));
  }
  return 0;
}
