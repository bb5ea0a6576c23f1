// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/check/term_table.h"

#include <algorithm>
#include <cmath>

namespace gonogo::study {
namespace {

constexpr double kLeastSpread = 1e-2;  // of a normaliser: smaller ones belong to constant inputs

}  // namespace

double Share(long count, long total) {
  return total > 0 ? static_cast<double>(count) / static_cast<double>(total) : 0.0;
}

std::vector<TermRow> TermRows(const robot::RobotSpec& robot, const CheckReport& report) {
  std::vector<TermRow> rows;
  const std::vector<int> starts = robot.TermStarts();
  for (std::size_t t = 0; t < starts.size(); ++t) {
    const robot::ObservationTerm& term = robot.observation[t];
    const auto first = static_cast<std::size_t>(starts[t]);
    TermRow row{
        .name = TermName(term.kind), .first = first, .size = static_cast<std::size_t>(term.size())};
    Spread all;
    long clipped = 0;
    for (std::size_t i = first; i < first + row.size; ++i) {
      all.Add(report.seen.observation[i]);
      clipped += report.seen.clipped[i];
      if (i < report.strength.size()) {
        row.slope = std::max(row.slope.value_or(0.0), report.strength[i]);
      }
      if (!report.expected) continue;
      const double scale = std::abs(report.expected->scale[i]);
      if (scale < kLeastSpread) continue;
      const double off =
          std::abs(report.seen.observation[i].mean - report.expected->mean[i]) / scale;
      row.strangest = std::max(row.strangest.value_or(0.0), off);
    }
    row.mean = all.mean;
    row.spread = all.deviation();
    row.low = all.low;
    row.high = all.high;
    row.at_clip = Share(clipped, all.count);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace gonogo::study
