// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/published/published.h"

#include <array>
#include <cctype>
#include <charconv>

#include "gonogo/base/check.h"
#include "gonogo/base/nearest.h"
#include "gonogo/io/toml/toml.h"

namespace gonogo::paper {
namespace {

constexpr std::string_view kTrueMinus = "−";

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

void ReadRow(const io::TomlNode& node, const PublishedTable& table, PublishedTable::Row& row) {
  for (const std::string& column : node.Keys()) {
    PublishedTable::Entry& entry = row[column];
    entry.text = node.String(column, "");
    entry.numbers = NumbersIn(entry.text);
    std::vector<std::string> known;
    for (const auto& [name, unit] : table.units) known.push_back(name);
    if (!table.units.contains(column)) {
      node.Fail(column, "a column without a unit" + DidYouMean(column, known));
    }
    if (entry.text.empty()) node.Fail(column, "empty: leave out what the paper does not print");
  }
}

void ReadTable(const io::TomlNode& node, PublishedTable& table) {
  table.label = node.Require("label").String("label", "");
  table.robot = node.String("robot", "");
  const io::TomlNode units = node.Require("units").Table("units");
  for (const std::string& column : units.Keys()) table.units[column] = units.String(column, "");
  const io::TomlNode rows = node.Require("rows").Table("rows");
  for (const std::string& name : rows.Keys()) ReadRow(rows.Table(name), table, table.rows[name]);
}

}  // namespace

std::span<const DataFile> PublishedFiles() {
  static const std::array<DataFile, 9> kFiles{{{"ablation.toml", AblationToml()},
                                               {"archived_audit.toml", ArchivedAuditToml()},
                                               {"compensation.toml", CompensationToml()},
                                               {"confirmatory_audit.toml", ConfirmatoryAuditToml()},
                                               {"coverage.toml", CoverageToml()},
                                               {"frontier.toml", FrontierToml()},
                                               {"response_model.toml", ResponseModelToml()},
                                               {"retrieval.toml", RetrievalToml()},
                                               {"terrain.toml", TerrainToml()}}};
  return kFiles;
}

DataFile RemarksFile() { return {"remarks.toml", RemarksToml()}; }

DataFile FindingsFile() { return {"findings.toml", FindingsToml()}; }

std::vector<double> NumbersIn(std::string_view text) {
  std::vector<double> numbers;
  char before = ' ';
  for (std::size_t at = 0; at < text.size();) {
    if (!IsDigit(text[at])) {
      before = text[at++];
      continue;
    }
    const bool dash = at > 0 && text[at - 1] == '-' &&
                      !(at > 1 && (IsLetter(text[at - 2]) || IsDigit(text[at - 2])));
    const bool minus = dash || text.substr(0, at).ends_with(kTrueMinus);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    GONOGO_CHECK(error == std::errc());
    if (!IsLetter(before)) numbers.push_back(minus ? -value : value);
    at = static_cast<std::size_t>(end - text.data());
    before = ' ';
  }
  return numbers;
}

const PublishedTable::Entry* PublishedTable::Find(std::string_view row,
                                                  std::string_view column) const {
  const auto found = rows.find(row);
  if (found == rows.end()) return nullptr;
  GONOGO_CHECK(units.contains(column));
  const auto entry = found->second.find(column);
  if (entry == found->second.end()) return nullptr;
  entry->second.asked = true;
  return &entry->second;
}

std::optional<std::string> PublishedTable::Text(std::string_view row,
                                                std::string_view column) const {
  const Entry* entry = Find(row, column);
  return entry == nullptr ? std::nullopt : std::optional(entry->text);
}

std::vector<double> PublishedTable::Numbers(std::string_view row, std::string_view column) const {
  const Entry* entry = Find(row, column);
  return entry == nullptr ? std::vector<double>() : entry->numbers;
}

std::optional<double> PublishedTable::Number(std::string_view row, std::string_view column) const {
  const std::vector<double> numbers = Numbers(row, column);
  return numbers.empty() ? std::nullopt : std::optional(numbers.front());
}

std::optional<double> PublishedTable::Share(std::string_view row, std::string_view column) const {
  const std::optional<double> percent = Number(row, column);
  if (!percent) return std::nullopt;
  GONOGO_CHECK(units.find(column)->second == "percent");
  return *percent / 100.0;
}

Status ReadPublished(const DataFile& file, PublishedTables& tables) {
  const io::TomlDocument document =
      GONOGO_TRY(io::TomlDocument::Parse(file.text, std::string(file.name)));
  const io::TomlNode root = document.Root();
  for (const std::string& name : root.Keys()) {
    if (tables.contains(name)) root.Fail(name, "another file has a table of this name");
    ReadTable(root.Table(name), tables[name]);
  }
  return document.Finish();
}

const PublishedTables& AllPublished() {
  static const PublishedTables kTables = [] {
    PublishedTables tables;
    for (const DataFile& file : PublishedFiles()) {
      const Status read = ReadPublished(file, tables);
      GONOGO_CHECK(read.ok());  // it was compiled in: a test reads every file
    }
    return tables;
  }();
  return kTables;
}

const PublishedTable& Published(std::string_view name) {
  const auto found = AllPublished().find(name);
  GONOGO_CHECK(found != AllPublished().end());
  return found->second;
}

const PublishedTable& Published(std::string_view name, std::string_view robot) {
  static const PublishedTable kNothing;
  const PublishedTable& table = Published(name);
  GONOGO_CHECK(!table.robot.empty());
  return table.robot == robot ? table : kNothing;
}

PublishedCoverage FindPublishedCoverage(const std::string& robot, const std::string& family,
                                        const std::string& method) {
  if (family == "harder" && !Published("harder", robot).rows.empty()) {
    const PublishedTable& harder = Published("harder", robot);
    return {.success = harder.Number(method, "success"),
            .effort = harder.Number(method, "effort"),
            .change = harder.Share(method, "change"),
            .height_m = {}};
  }
  const PublishedTable& table = Published("coverage");
  const std::string row = robot + "/" + family + "/" + method;
  return {.success = table.Number(row, "success"),
          .effort = table.Number(row, "effort"),
          .change = table.Share(row, "change"),
          .height_m = table.Number(row, "height")};
}

}  // namespace gonogo::paper
