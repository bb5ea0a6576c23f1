// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/imports/aslib.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "gonogo/audit/imports/arff.h"
#include "gonogo/io/csv.h"
#include "gonogo/io/file.h"

namespace gonogo::audit {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// The value of a key at the start of a line of `description.txt`, without quotes.
std::optional<std::string> ValueOf(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ':') continue;
    std::string value;
    for (const char c : line.substr(key.size() + 1)) {
      if (c != ' ' && c != '"' && c != '\'' && c != '\r' && c != '\t') value += c;
    }
    return value;
  }
  return {};
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

Result<RunTable> ReadRuns(const ArffTable& arff, double cutoff, double penalty,
                          ImportedTable& table) {
  const std::size_t instance = GONOGO_TRY(arff.Find("instance_id"));
  const std::size_t algorithm = GONOGO_TRY(arff.Find("algorithm"));
  const std::size_t status = GONOGO_TRY(arff.Find("runstatus"));
  const std::size_t runtime = GONOGO_TRY(arff.Find("runtime"));
  RunTable read;
  for (std::size_t row = 0; row < arff.rows.size(); ++row) {
    const std::vector<std::string>& fields = arff.rows[row];
    const std::size_t query = NumberOf(fields[instance], read.query_number, table.queries);
    const std::size_t action = NumberOf(fields[algorithm], read.action_number, table.actions);
    const double seconds = GONOGO_TRY(NumberIn(arff, row, runtime));
    const bool ok = fields[status] == "ok" && seconds <= cutoff;
    Runs& runs = read.runs[{query, action}];
    // A runtime of zero is below what the clock can tell; a cost must be more than nothing.
    runs.cost += ok ? std::max(seconds, 1e-6 * cutoff) : penalty * cutoff;
    runs.ok += ok ? 1 : 0;
    ++runs.count;
  }
  return read;
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
    table.values.insert(table.values.end(), row.begin(), row.end());
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
  const std::string written = ValueOf(text, "algorithm_cutoff_time").value_or("");
  const std::optional<double> cutoff = io::ParseNumber(written);
  if (!cutoff.has_value() || !(*cutoff > 0.0) || !std::isfinite(*cutoff)) {
    return InputError("{}: algorithm_cutoff_time is '{}', expected seconds", description.string(),
                      written);
  }
  ImportedTable table{.name = ValueOf(text, "scenario_id").value_or(folder.filename().string())};
  const std::filesystem::path runs = folder / "algorithm_runs.arff";
  const ArffTable arff = GONOGO_TRY(ReadArff(runs));
  const RunTable read = GONOGO_TRY(ReadRuns(arff, *cutoff, penalty, table));
  if (table.queries.empty()) return InputError("{}: no runs after @data", runs.string());
  GONOGO_TRY(FillOutcomes(read, runs.string(), table));
  GONOGO_TRY(ReadFeatures(folder / "feature_values.arff", read, table));
  GONOGO_TRY(ReadFeatureCosts(folder / "feature_costs.arff", read, table));
  FillMissing(table);
  return table;
}

}  // namespace gonogo::audit
