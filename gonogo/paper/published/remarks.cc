// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/published/remarks.h"

#include "gonogo/report/page/section_text.h"

namespace gonogo::paper {

void AddRemarks(const std::vector<Remark>& remarks, report::Section& section) {
  const std::string shown = report::SectionText(section);
  bool outdated = false;
  for (const Remark& remark : remarks) {
    if (remark.section != section.id) continue;
    if (shown.find(remark.about) == std::string::npos) {
      outdated = true;
    } else {
      section.blocks.emplace_back(report::Paragraph{remark.text});
    }
  }
  if (outdated) {
    section.blocks.emplace_back(report::Paragraph{
        "A remark on this section was written for other results and is left out."});
  }
}

}  // namespace gonogo::paper
