// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/paper/findings/finding.h"

namespace gonogo::paper {

/// Every finding of the paper as one reproduction found it.
struct FindingsColumn {
  std::string label;  ///< which robot, on which ground
  std::vector<JudgedFinding> findings;

  [[nodiscard]] std::size_t count(FindingVerdict verdict) const;
};

/// Judges all findings by what sections show.
[[nodiscard]] FindingsColumn JudgeFindings(std::string label,
                                           std::span<const report::Section> sections);

/// What `gonogo reproduce` writes to findings.json (`gonogo.findings/1`), and back.
[[nodiscard]] nlohmann::json FindingsJson(const FindingsColumn& column);
[[nodiscard]] Result<FindingsColumn> FindingsFromJson(std::string_view text,
                                                      const std::string& place);

/// One row a finding, one column a reproduction.
[[nodiscard]] report::Section FindingsSection(std::span<const FindingsColumn> columns);

}  // namespace gonogo::paper
