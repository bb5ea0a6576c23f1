// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/control_page.h"

#include "gonogo/report/internal/control_blocks.h"
#include "gonogo/report/page.h"

namespace gonogo::report {

std::string ControlPage(const nlohmann::json& control) {
  const bool hidden = internal::TextAt(control, "kind") == "hidden";
  Page page{.title = hidden ? "Hidden signal" : "Observable signal", .kicker = "gonogo control"};
  page.subtitle = hidden ? "A bonus that no feature shows: an honest audit does not find it."
                         : "A bonus whose place the features show: a working audit finds it.";
  page.sections = {
      {.id = "control",
       .title = hidden ? "What was claimed" : "What was recovered",
       .blocks = internal::ControlBlocks(control, internal::NumberAt(control, "threshold"))}};
  page.attachment = Attachment{.file_name = "control.json", .content = control};
  return RenderPage(page);
}

}  // namespace gonogo::report
