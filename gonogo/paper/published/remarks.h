// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/report/page/page.h"

namespace gonogo::paper {

/// A person's judgement of how our numbers in a section differ from the paper's.
struct Remark {
  std::string section;  ///< id
  /// A number of ours, as printed, that the remark is about. When the section does not show it the
  /// remark was written for other results, and is not shown.
  std::string about;
  std::string text;
};

[[nodiscard]] const std::vector<Remark>& Remarks();

/// Puts the remarks that belong to a section's numbers at its end; in place of one whose number is
/// not there it says so.
void AddRemarks(const std::vector<Remark>& remarks, report::Section& section);

}  // namespace gonogo::paper
