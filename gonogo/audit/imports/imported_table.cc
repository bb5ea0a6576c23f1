// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/imports/imported_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "gonogo/io/csv.h"
#include "gonogo/io/toml/toml_text.h"

namespace gonogo::audit {
namespace {

/// The name, with "f_" before it unless it begins so, and with everything but letters, digits and
/// dots replaced.
std::string ColumnName(const std::string& feature) {
  std::string name = feature.starts_with("f_") ? feature : "f_" + feature;
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain && c != '.') c = '_';
  }
  return name;
}

}  // namespace

const std::string& CheapestAction(const ImportedTable& table) {
  std::vector<double> sums(table.actions.size(), 0.0);
  for (std::size_t cell = 0; cell < table.cost.size(); ++cell) {
    sums[cell % sums.size()] += table.cost[cell];
  }
  const auto best = std::min_element(sums.begin(), sums.end()) - sums.begin();
  return table.actions[static_cast<std::size_t>(best)];
}

std::string LongCsv(const ImportedTable& table) {
  std::string csv = "cluster,query,action,cost";
  if (!table.success.empty()) csv += ",success";
  if (!table.adapter_cost.empty()) csv += ",adapter_cost";
  for (const std::string& feature : table.features) {
    csv.append(1, ',').append(io::CsvField(ColumnName(feature)));
  }
  csv += '\n';
  const std::size_t width = table.features.size();
  for (std::size_t query = 0; query < table.queries.size(); ++query) {
    std::string features;
    if (!table.adapter_cost.empty()) features += fmt::format(",{}", table.adapter_cost[query]);
    for (std::size_t j = 0; j < width; ++j) {
      features.append(1, ',').append(io::CsvField(table.values[query * width + j]));
    }
    const std::string start =
        io::CsvField(table.clusters[query]) + "," + io::CsvField(table.queries[query]) + ",";
    for (std::size_t action = 0; action < table.actions.size(); ++action) {
      const std::size_t cell = table.cell(query, action);
      csv += start + io::CsvField(table.actions[action]) + fmt::format(",{}", table.cost[cell]);
      if (!table.success.empty()) csv += table.success[cell] != 0 ? ",1" : ",0";
      csv += features + '\n';
    }
  }
  return csv;
}

std::string ProtocolFor(const ImportedTable& table, const std::string& reference,
                        const std::string& unit) {
  std::vector<std::string> actions = {io::TomlString(reference)};
  for (const std::string& action : table.actions) {
    if (action != reference) actions.push_back(io::TomlString(action));
  }
  std::string text = fmt::format(
      "# Written by gonogo import. Whoever wants a decision declares this before the outcomes "
      "exist; an audit of outcomes that were there first is descriptive.\n"
      "[protocol]\nname = {}\nreference = {}\nactions = {}\ncluster = {}\n"
      "[learner]\nkind = \"ridge\"\ntarget = \"difference\"\n",
      io::TomlString(table.name), io::TomlString(reference), io::TomlList(actions),
      io::TomlString(unit));
  if (!table.features.empty()) text += "[table]\nfeatures = { query = \"f_*\" }\n";
  return text;
}

}  // namespace gonogo::audit
