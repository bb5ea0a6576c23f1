// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/paper/published/published.h"
#include "gonogo/report/page/page.h"

namespace gonogo::paper {

/// Numbers of ours that a remark was written for, by the place where a section shows them.
struct RemarkedCell {
  int table = 1;                 ///< of the section, counted from 1
  std::vector<std::string> row;  ///< its first cells
  std::string column;            ///< its title; of equal ones the first, which is ours
  std::vector<double> ours;      ///< what the cell printed then: a point, or a point and interval
  double tolerance = 0.0;        ///< how far each may move before the remark is untrue
};

/// A person's judgement of how our numbers in a section differ from the paper's.
struct Remark {
  std::string section;  ///< id
  std::vector<RemarkedCell> about;
  std::string text;
};

[[nodiscard]] Result<std::vector<Remark>> ReadRemarks(const DataFile& file);

/// `experiments/paper/remarks.toml`.
[[nodiscard]] const std::vector<Remark>& Remarks();

/// Whether the section still shows every number the remark was written for.
[[nodiscard]] bool StillTrue(const Remark& remark, const report::Section& section);

/// Puts the remarks that belong to a section's numbers at its end; in place of those whose numbers
/// are not there it says so.
void AddRemarks(const std::vector<Remark>& remarks, report::Section& section);

}  // namespace gonogo::paper
