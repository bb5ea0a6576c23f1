// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gonogo/audit/result/audit_result.h"
#include "gonogo/paper/published/published.h"
#include "gonogo/report/page/page.h"
#include "gonogo/stats/interval.h"

/// Numbers as the paper's tables print them; "–" for what the paper does not print.
namespace gonogo::paper {

[[nodiscard]] std::string Fixed(std::optional<double> value, int decimals = 3);
/// With its sign: "+0.012".
[[nodiscard]] std::string Signed(std::optional<double> value, int decimals = 3);
/// A relative change with its sign: −0.105 → "−10.5 %".
[[nodiscard]] std::string SignedPercent(std::optional<double> fraction, int decimals = 1);
/// "0.797 [0.760, 0.835]".
[[nodiscard]] std::string WithInterval(double value, const stats::Interval& interval,
                                       int decimals = 3);

/// A share in percent, without the sign: 0.0123 → "1.23".
[[nodiscard]] std::string Percent(double share);
/// In percent: "0.60 [-0.18, 1.22]".
[[nodiscard]] std::string WithInterval(const audit::Estimate& estimate);

/// What the paper prints, or "–".
[[nodiscard]] std::string TextOrNone(const std::optional<std::string>& text);
/// What the paper prints, or nothing.
[[nodiscard]] std::string TextOrBlank(const std::optional<std::string>& text);

/// How a picture of the reproduction is drawn, without its data (`experiments/paper/charts.json`).
[[nodiscard]] nlohmann::json ChartSpec(const std::string& name);

/// "400 on five": episodes and seeds of a study of the paper.
[[nodiscard]] std::string PublishedSize(std::string_view table);

/// An empty table: `texts` text columns, then number columns.
[[nodiscard]] report::Table NumberTable(std::string caption, const std::vector<std::string>& titles,
                                        std::size_t texts = 1);
/// The paper's row of that name above ours, if it has one: the name, "paper", and what it prints in
/// these columns.
void AddPublishedRow(const PublishedTable& paper, const std::string& name,
                     std::initializer_list<const char*> columns, report::Table& table);

/// Where a section shows something.
struct SectionPlace {
  int table = 1;                      ///< of the section, counted from 1
  std::vector<std::string> row = {};  ///< its first cells, with or without what follows in brackets
  std::string column = {};            ///< its title; of equal ones the first, which is ours
};

/// The text of a cell; empty when there is none.
[[nodiscard]] std::string CellText(const report::Section& section, const SectionPlace& place);

/// The first paragraph that contains a text; empty when there is none.
[[nodiscard]] std::string ParagraphText(const report::Section& section, const std::string& part);

}  // namespace gonogo::paper
