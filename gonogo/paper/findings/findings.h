// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/base/result.h"
#include "gonogo/paper/published/published.h"
#include "gonogo/report/page/page.h"

/// What the paper found, as criteria that numbers of a reproduction meet or miss
/// (`experiments/paper/findings.toml`).
namespace gonogo::paper {

/// A number that a section shows: in a cell, or in the paragraph that contains a text.
struct FindingPlace {
  std::string section;  ///< id
  int table = 1;
  std::vector<std::string> row = {};
  std::string column = {};
  std::string paragraph = {};  ///< instead of table, row and column
  int number = 1;              ///< which of the numbers that stand there
};

enum class Relation : std::uint8_t { kAtLeast, kAtMost, kAbove, kBelow, kText };

/// One comparison: what stands at a place against a constant, another place, or a text.
struct FindingCheck {
  FindingPlace at;
  Relation is = Relation::kAtLeast;
  double value = 0.0;
  std::optional<FindingPlace> than = {};  ///< instead of `value` …
  double times = 1.0;                     ///< … of which this many times is taken
  std::string text = {};                  ///< kText
  int out_of = 0;  ///< not 0: of a count of fewer ("11 of 11") the rest may still decide
};

/// A finding holds when every check of `all` does and every check of one entry of `any`, if there
/// are entries.
struct Finding {
  std::string name;
  std::string claim;      ///< what the paper says, in one sentence
  std::string criterion;  ///< what is compared, in words
  std::string label;      ///< where the paper says it
  std::vector<FindingCheck> all;
  std::vector<std::vector<FindingCheck>> any = {};
};

enum class FindingVerdict : std::uint8_t { kAgrees, kDiffers, kNotRun };
/// "agrees", "differs", "not run".
[[nodiscard]] std::string_view FindingVerdictName(FindingVerdict verdict);

/// What became of a finding.
struct JudgedFinding {
  std::string name;
  FindingVerdict verdict = FindingVerdict::kNotRun;
  std::vector<std::string> numbers;  ///< what stands at its places, in the order of the checks
};

[[nodiscard]] Result<std::vector<Finding>> ReadFindings(const DataFile& file);

/// `experiments/paper/findings.toml`.
[[nodiscard]] const std::vector<Finding>& Findings();

/// A place that no section shows makes a finding one that was not run.
[[nodiscard]] JudgedFinding Judge(const Finding& finding,
                                  std::span<const report::Section> sections);

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
