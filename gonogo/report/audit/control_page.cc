// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/audit/control_page.h"

#include <sstream>

#include "gonogo/report/audit/audit_tables.h"
#include "gonogo/report/audit/control_blocks.h"
#include "gonogo/report/page/page.h"

namespace gonogo::report {
namespace {

Section ControlProvenance(nlohmann::json provenance) {
  nlohmann::json declared = nlohmann::json::object();
  std::istringstream protocol(internal::TextAt(provenance, "protocol"));
  for (std::string line; std::getline(protocol, line);) {
    const std::size_t equals = line.find(" = ");
    if (equals != std::string::npos) declared[line.substr(0, equals)] = line.substr(equals + 3);
  }
  provenance.erase("protocol");
  Section section{.id = "provenance", .title = "Protocol and provenance"};
  if (!declared.empty()) {
    Table table = internal::FactsTable("Everything declared, key by key", declared);
    table.folded = true;
    section.blocks.emplace_back(std::move(table));
  }
  section.blocks.emplace_back(internal::FactsTable("Where the numbers come from", provenance));
  return section;
}

}  // namespace

std::string ControlPage(const nlohmann::json& control) {
  const bool hidden = internal::TextAt(control, "kind") == "hidden";
  Page page{.title = hidden ? "Hidden signal" : "Observable signal", .kicker = "gonogo control"};
  page.subtitle = hidden ? "A bonus that no feature shows: an honest audit does not find it."
                         : "A bonus whose place the features show: a working audit finds it.";
  page.sections = {
      {.id = "control",
       .title = hidden ? "What was claimed" : "What was recovered",
       .blocks = internal::ControlBlocks(control, internal::NumberAt(control, "threshold"))}};
  if (internal::At(control, "provenance").is_object()) {
    page.sections.push_back(ControlProvenance(control["provenance"]));
  }
  page.attachment = Attachment{.file_name = "control.json", .content = control};
  return RenderPage(page);
}

}  // namespace gonogo::report
