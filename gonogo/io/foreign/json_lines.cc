// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/foreign/json_lines.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/base/text.h"
#include "gonogo/io/csv.h"

namespace gonogo::io {
namespace {

/// On one line, so that line numbers stay what they are.
std::string Cell(const nlohmann::json& value) {
  if (value.is_null()) return "";
  std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return CsvField(text);
}

}  // namespace

bool IsJsonLines(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

Result<std::string> CsvOfJsonLines(std::string_view text, const std::string& name) {
  std::unordered_map<std::string, std::size_t> column_of;
  std::vector<std::string> columns;
  std::vector<std::vector<std::pair<std::size_t, std::string>>> rows;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::string_view own = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), own.size() + 1));
    auto& row = rows.emplace_back();
    if (own.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const nlohmann::ordered_json object = nlohmann::ordered_json::parse(own, nullptr, false);
    if (!object.is_object()) {
      return InputError(
          "{}:{}: '{}' is no JSON object, expected one on every line: jq -c . FILE writes them so",
          name, line, Excerpt(own));
    }
    for (const auto& [key, value] : object.items()) {
      const auto [known, is_new] = column_of.try_emplace(key, columns.size());
      if (is_new) columns.push_back(key);
      row.emplace_back(known->second, Cell(value));
    }
  }
  std::string csv;
  for (const std::string& column : columns) csv += (csv.empty() ? "" : ",") + CsvField(column);
  for (const auto& row : rows) {
    csv += '\n';
    if (row.empty()) continue;
    std::vector<const std::string*> cells(columns.size(), nullptr);
    for (const auto& [column, cell] : row) cells[column] = &cell;
    // A row of one empty cell would be a blank line.
    if (columns.size() == 1 && cells[0]->empty()) csv += "\"\"";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) csv += ',';
      if (cells[i] != nullptr) csv += *cells[i];
    }
  }
  return csv;
}

}  // namespace gonogo::io
