// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/imports/aslib.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "gonogo/audit/imports/arff.h"
#include "gonogo/io/csv.h"
#include "gonogo/io/file.h"

namespace gonogo::audit {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// The value of a key at the start of a line of `description.txt`, without quotes; of a list, in
/// brackets or on the lines below, the first.
std::optional<std::string> ValueOf(std::string_view text, std::string_view key) {
  bool found = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!found) {
      if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ':') continue;
      line.remove_prefix(key.size() + 1);
    }
    std::string value;
    for (const char c : line.substr(0, line.find_first_of(",]"))) {
      if (std::string_view(" \"'\r\t[").find(c) == std::string_view::npos) value += c;
    }
    if (found && !value.starts_with("-")) return "";
    if (found) return value.substr(1);
    if (!value.empty()) return value;
    found = true;
  }
  return found ? std::optional<std::string>("") : std::nullopt;
}

/// What a scenario measures of its runs.
struct Measure {
  std::string attribute;      ///< of the file of runs
  bool is_runtime = true;     ///< seconds, up to the cutoff
  bool is_penalised = false;  ///< PAR10: failed runs cost ten cutoffs already
  bool more_is_better = false;
  std::optional<double> cutoff = {};  ///< seconds; none: no run was stopped
};

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

Result<Measure> ReadMeasure(std::string_view text, const std::string& file) {
  Measure measure{.attribute = ValueOf(text, "performance_measures").value_or("")};
  if (measure.attribute.empty()) measure.attribute = "runtime";
  const std::string type = Lower(ValueOf(text, "performance_type").value_or("runtime"));
  measure.is_runtime = type.empty() || type == "runtime";
  measure.is_penalised = Lower(measure.attribute).starts_with("par");
  const std::string maximize = Lower(ValueOf(text, "maximize").value_or("false"));
  measure.more_is_better = maximize == "true" || maximize == "yes";
  const std::string written = ValueOf(text, "algorithm_cutoff_time").value_or("");
  const std::optional<double> cutoff = io::ParseNumber(written);
  if (cutoff.has_value() && *cutoff > 0.0 && std::isfinite(*cutoff)) measure.cutoff = *cutoff;
  const bool says_none = written == "?" || (cutoff.has_value() && *cutoff <= 0.0);
  if (!measure.cutoff && !says_none) {
    return InputError(
        "{}: algorithm_cutoff_time is '{}', expected seconds, or 0 or ? where no run was stopped",
        file, written);
  }
  return measure;
}

Result<double> NumberIn(const ArffTable& table, std::size_t row, std::size_t column) {
  const std::string& field = table.rows[row][column];
  if (field == "?") return kMissing;
  const std::optional<double> number = io::ParseNumber(field);
  if (number.has_value() && std::isfinite(*number)) return *number;
  return InputError("{}:{}: {} is '{}', expected a number or ?", table.name, table.lines[row],
                    table.attributes[column], field);
}

/// What repeated runs of one algorithm on one instance add up to.
struct Runs {
  double cost = 0.0;
  std::size_t count = 0;
  std::size_t ok = 0;
};

/// The runs in the order of a file: instances and algorithms are numbered as they appear.
struct RunTable {
  std::map<std::string, std::size_t> query_number;
  std::map<std::string, std::size_t> action_number;
  std::map<std::pair<std::size_t, std::size_t>, Runs> runs;
};

std::size_t NumberOf(const std::string& name, std::map<std::string, std::size_t>& numbers,
                     std::vector<std::string>& names) {
  const auto [found, is_new] = numbers.try_emplace(name, names.size());
  if (is_new) names.push_back(name);
  return found->second;
}

/// The largest and the smallest value of the measure among runs that are ok.
struct Extent {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
};

Result<Extent> ExtentOf(const ArffTable& arff, std::size_t value, std::size_t status) {
  Extent extent;
  for (std::size_t row = 0; row < arff.rows.size(); ++row) {
    const double number = GONOGO_TRY(NumberIn(arff, row, value));
    if (arff.rows[row][status] != "ok" || std::isnan(number)) continue;
    extent.least = std::min(extent.least, number);
    extent.most = std::max(extent.most, number);
  }
  return extent;
}

/// What a run costs, where smaller is better and nothing is below zero.
class CostOfRun {
 public:
  CostOfRun(const Measure& measure, const Extent& extent, double penalty)
      : measure_(measure), extent_(extent), penalty_(penalty) {
    // Of shares such as an accuracy the rest; else the distance from the best that was seen.
    best_ = measure.more_is_better && extent.least >= 0.0 && extent.most <= 1.0 ? 1.0 : extent.most;
    if (!measure.more_is_better) best_ = std::min(0.0, extent.least);
    worst_ = measure.more_is_better ? best_ - extent.least : extent.most - best_;
  }

  [[nodiscard]] bool IsOk(const std::string& status, double value) const {
    if (status != "ok" || std::isnan(value)) return false;
    const bool is_timed = measure_.is_runtime && !measure_.is_penalised && measure_.cutoff;
    return !is_timed || value <= *measure_.cutoff;
  }

  [[nodiscard]] double Of(bool ok, double value) const {
    // A runtime of zero is below what the clock can tell; a cost must be more than nothing.
    const double least =
        1e-6 * (measure_.is_runtime && measure_.cutoff ? *measure_.cutoff : worst_);
    if (!ok && measure_.is_penalised && !std::isnan(value)) return value;
    if (!ok) return penalty_ * (measure_.is_runtime && measure_.cutoff ? *measure_.cutoff : worst_);
    return std::max(measure_.more_is_better ? best_ - value : value - best_, least);
  }

  void Remark(std::vector<std::string>& remarks) const {
    const std::string& name = measure_.attribute;
    if (measure_.is_penalised) {
      remarks.push_back(
          fmt::format("the cost is '{}' as the scenario has it: --par changes nothing", name));
    }
    if (measure_.more_is_better) {
      remarks.push_back(
          fmt::format("more of '{}' is better: the cost is {} minus it", name, best_));
    } else if (best_ < 0.0) {
      remarks.push_back(
          fmt::format("'{}' goes below zero: the cost is what lies above {}", name, best_));
    }
    if (!measure_.is_penalised && (!measure_.is_runtime || !measure_.cutoff)) {
      remarks.push_back(fmt::format(
          "no run was stopped: a failed one costs {}, --par times the worst that was seen",
          penalty_ * worst_));
    }
  }

 private:
  const Measure& measure_;
  Extent extent_;
  double penalty_;
  double best_ = 0.0;
  double worst_ = 0.0;
};

Result<RunTable> ReadRuns(const ArffTable& arff, const Measure& measure, double penalty,
                          const std::set<std::string>& presolved, ImportedTable& table) {
  const std::size_t instance = GONOGO_TRY(arff.Find("instance_id"));
  const std::size_t algorithm = GONOGO_TRY(arff.Find("algorithm"));
  const std::size_t status = GONOGO_TRY(arff.Find("runstatus"));
  const std::size_t value = GONOGO_TRY(arff.Find(measure.attribute));
  const Extent extent = GONOGO_TRY(ExtentOf(arff, value, status));
  if (extent.least > extent.most)
    return InputError("{}: no run is ok, so there is nothing to compare", arff.name);
  const CostOfRun cost(measure, extent, penalty);
  cost.Remark(table.remarks);
  RunTable read;
  for (std::size_t row = 0; row < arff.rows.size(); ++row) {
    const std::vector<std::string>& fields = arff.rows[row];
    if (presolved.contains(fields[instance])) continue;
    const std::size_t query = NumberOf(fields[instance], read.query_number, table.queries);
    const std::size_t action = NumberOf(fields[algorithm], read.action_number, table.actions);
    const double number = GONOGO_TRY(NumberIn(arff, row, value));
    const bool ok = cost.IsOk(fields[status], number);
    Runs& runs = read.runs[{query, action}];
    runs.cost += cost.Of(ok, number);
    runs.ok += ok ? 1 : 0;
    ++runs.count;
  }
  return read;
}

/// Instances that were solved while their features were computed: no algorithm is chosen there.
Result<std::set<std::string>> ReadPresolved(const std::filesystem::path& path) {
  std::set<std::string> presolved;
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return presolved;
  const ArffTable arff = GONOGO_TRY(ReadArff(path));
  const std::size_t instance = GONOGO_TRY(arff.Find("instance_id"));
  for (const std::vector<std::string>& row : arff.rows) {
    if (std::find(row.begin(), row.end(), "presolved") != row.end())
      presolved.insert(row[instance]);
  }
  return presolved;
}

Status FillOutcomes(const RunTable& read, const std::string& file, ImportedTable& table) {
  for (std::size_t query = 0; query < table.queries.size(); ++query) {
    for (std::size_t action = 0; action < table.actions.size(); ++action) {
      const auto found = read.runs.find({query, action});
      if (found == read.runs.end()) {
        return InputError(
            "{}: no run of algorithm '{}' on instance '{}', expected one of every algorithm on "
            "every instance",
            file, table.actions[action], table.queries[query]);
      }
      const Runs& runs = found->second;
      table.cost.push_back(runs.cost / static_cast<double>(runs.count));
      table.success.push_back(2 * runs.ok > runs.count ? 1 : 0);
    }
  }
  return {};
}

bool IsKey(const std::string& attribute) {
  return attribute == "instance_id" || attribute == "repetition";
}

/// Mean over repetitions of every other attribute, per instance; NaN where all are missing.
Result<std::vector<std::vector<double>>> MeansPerQuery(const ArffTable& arff, const RunTable& read,
                                                       const std::vector<std::size_t>& columns) {
  const std::size_t instance = GONOGO_TRY(arff.Find("instance_id"));
  std::vector<std::vector<double>> sum(read.query_number.size(),
                                       std::vector<double>(columns.size(), 0.0));
  std::vector<std::vector<double>> count = sum;
  for (std::size_t row = 0; row < arff.rows.size(); ++row) {
    const auto query = read.query_number.find(arff.rows[row][instance]);
    if (query == read.query_number.end()) continue;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const double value = GONOGO_TRY(NumberIn(arff, row, columns[j]));
      if (std::isnan(value)) continue;
      sum[query->second][j] += value;
      count[query->second][j] += 1.0;
    }
  }
  for (std::size_t query = 0; query < sum.size(); ++query) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      sum[query][j] = count[query][j] > 0.0 ? sum[query][j] / count[query][j] : kMissing;
    }
  }
  return sum;
}

std::vector<std::size_t> ValueColumns(const ArffTable& arff) {
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < arff.attributes.size(); ++j) {
    if (!IsKey(arff.attributes[j])) columns.push_back(j);
  }
  return columns;
}

Status ReadFeatures(const std::filesystem::path& path, const RunTable& read, ImportedTable& table) {
  const ArffTable arff = GONOGO_TRY(ReadArff(path));
  const std::vector<std::size_t> columns = ValueColumns(arff);
  for (const std::size_t column : columns) table.features.push_back(arff.attributes[column]);
  const auto means = GONOGO_TRY(MeansPerQuery(arff, read, columns));
  for (const std::vector<double>& row : means) {
    for (const double value : row) {
      table.values.push_back(std::isnan(value) ? "" : fmt::format("{}", value));
    }
  }
  return {};
}

/// An unknown cost of a step counts as nothing: the step was not run.
Status ReadFeatureCosts(const std::filesystem::path& path, const RunTable& read,
                        ImportedTable& table) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return {};
  const ArffTable arff = GONOGO_TRY(ReadArff(path));
  const auto means = GONOGO_TRY(MeansPerQuery(arff, read, ValueColumns(arff)));
  for (const std::vector<double>& row : means) {
    double sum = 0.0;
    for (const double value : row) sum += std::isnan(value) ? 0.0 : value;
    table.adapter_cost.push_back(sum);
  }
  return {};
}

}  // namespace

Result<ImportedTable> ReadAslib(const std::filesystem::path& folder, double penalty) {
  const std::filesystem::path description = folder / "description.txt";
  const std::string text = GONOGO_TRY(io::ReadFile(description));
  const Measure measure = GONOGO_TRY(ReadMeasure(text, description.string()));
  const std::set<std::string> presolved =
      GONOGO_TRY(ReadPresolved(folder / "feature_runstatus.arff"));
  ImportedTable table{.name = ValueOf(text, "scenario_id").value_or(folder.filename().string())};
  const std::filesystem::path runs = folder / "algorithm_runs.arff";
  const ArffTable arff = GONOGO_TRY(ReadArff(runs));
  const RunTable read = GONOGO_TRY(ReadRuns(arff, measure, penalty, presolved, table));
  if (!presolved.empty()) {
    table.remarks.push_back(
        fmt::format("{} instance(s) were solved while their features were computed and are left "
                    "out: no algorithm is "
                    "chosen there",
                    presolved.size()));
  }
  if (table.queries.empty()) return InputError("{}: no runs after @data", runs.string());
  GONOGO_TRY(FillOutcomes(read, runs.string(), table));
  GONOGO_TRY(ReadFeatures(folder / "feature_values.arff", read, table));
  GONOGO_TRY(ReadFeatureCosts(folder / "feature_costs.arff", read, table));
  return table;
}

}  // namespace gonogo::audit
