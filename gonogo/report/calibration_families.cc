// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/calibration_families.h"

#include <algorithm>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/report/text/number_text.h"

namespace gonogo::report::internal {
namespace {

constexpr const char* kNotRun = "not run";

double ShareOf(const Json& proportion) { return NumberAt(proportion, "share").value_or(0.0); }

/// The extreme of a proportion over the cells of one family and rule.
class Worst {
 public:
  explicit Worst(bool smallest = false) : smallest_(smallest) {}

  void Add(const Json& proportion) {
    const bool worse =
        smallest_ ? ShareOf(proportion) < ShareOf(worst_) : ShareOf(proportion) > ShareOf(worst_);
    if (worst_.is_null() || worse) worst_ = proportion;
  }
  [[nodiscard]] std::string Text() const {
    if (worst_.is_null()) return kNotRun;
    return fmt::format("{} {}", Percent(NumberAt(worst_, "share"), 1),
                       PercentInterval(NumberAt(worst_, "lower"), NumberAt(worst_, "upper")));
  }

 private:
  bool smallest_;
  Json worst_;
};

struct FamilyRow {
  Worst at_threshold;
  Worst at_null;
  Worst false_no_go;
  Worst gain_coverage{true};
  Worst rate_miss;
  std::string efficiency = kNotRun;
  double seconds = 0.0;
  double cells = 0.0;
  std::map<std::size_t, int, std::greater<>> cells_of;  // by their number of data sets

  void Add(const Json& cell, const std::string& rule_name, const Json& rule) {
    const std::string role = TextAt(cell, "role");
    const std::size_t data_sets = CountAt(cell, "data_sets").value_or(0);
    if (data_sets == 0) return;
    cells += 1.0;
    ++cells_of[data_sets];
    seconds += NumberAt(cell, "fit_cpu_seconds").value_or(0.0);
    if (rule_name == "leave-pair-out") {  // it reads the refits of the others, too
      seconds += NumberAt(cell, "pair_fit_cpu_seconds").value_or(0.0);
    }
    if (role == "least favourable") at_threshold.Add(At(rule, "false_GO"));
    if (role == "null") at_null.Add(At(rule, "false_GO"));
    false_no_go.Add(At(rule, "false_NO-GO"));
    const Json& intervals = At(rule, "intervals");
    rate_miss.Add(At(At(intervals, "q"), "upper_miss"));
    for (const char* gain : {"H_dep", "H_alloc"}) {
      gain_coverage.Add(At(At(intervals, gain), "coverage"));
    }
    if (TextAt(cell, "name").ends_with("effect-2x")) {
      efficiency = fmt::format("{} ({} of {})", Percent(NumberAt(rule, "efficiency"), 0),
                               Percent(NumberAt(At(rule, "GO"), "share"), 0),
                               Percent(NumberAt(At(cell, "oracle_GO"), "share"), 0));
    }
  }

  /// "5 × 2000, 4 × 200"
  [[nodiscard]] std::string Size() const {
    std::vector<std::string> parts;
    for (const auto& [data_sets, count] : cells_of) {
      parts.push_back(fmt::format("{} × {}", count, data_sets));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
  }
};

}  // namespace

Table FamilyTable(const Json& calibration) {
  Table table{
      .caption = "Families of worlds: the worst of any cell, with its 95 % Monte-Carlo interval",
      .columns = {{"family"},
                  {"rule"},
                  {"cells × data sets", ColumnKind::kNumber},
                  {"false GO at a threshold", ColumnKind::kNumber},
                  {"false GO at the null", ColumnKind::kNumber},
                  {"false NO-GO", ColumnKind::kNumber},
                  {"lowest coverage of a gain", ColumnKind::kNumber},
                  {"q above its bound", ColumnKind::kNumber},
                  {"efficiency at 2×", ColumnKind::kNumber},
                  {"CPU per audit", ColumnKind::kNumber}}};
  std::vector<std::string> families;
  for (const Json& cell : At(calibration, "cells")) {
    const std::string family = TextAt(cell, "family");
    if (family.empty() || std::count(families.begin(), families.end(), family) > 0) continue;
    families.push_back(family);
  }
  for (const std::string& family : families) {
    for (const char* name : {"paper", "calibrated", "leave-pair-out"}) {
      FamilyRow row;
      bool tune = false;
      for (const Json& cell : At(calibration, "cells")) {
        if (TextAt(cell, "family") != family || !At(At(cell, "rules"), name).is_object()) continue;
        row.Add(cell, name, At(At(cell, "rules"), name));
        tune = At(cell, "may_tune") == true;
      }
      if (row.cells == 0.0) continue;
      table.rows.push_back({family + (tune ? "" : " (confirms)"), std::string(name), row.Size(),
                            row.at_threshold.Text(), row.at_null.Text(), row.false_no_go.Text(),
                            row.gain_coverage.Text(), row.rate_miss.Text(), row.efficiency,
                            fmt::format("{:.0f} ms", 1e3 * row.seconds / row.cells)});
    }
  }
  return table;
}

}  // namespace gonogo::report::internal
