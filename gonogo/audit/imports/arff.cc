// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/imports/arff.h"

#include <algorithm>
#include <cctype>

#include "gonogo/base/nearest.h"
#include "gonogo/io/file.h"

namespace gonogo::audit {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

bool SameWord(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// Takes a value from the front of `rest`: up to one of `ends`, or quoted. Nothing when a quote
/// stays open.
bool TakeValue(std::string_view& rest, std::string_view ends, std::string& value) {
  value.clear();
  rest = Trim(rest);
  if (!rest.empty() && (rest.front() == '\'' || rest.front() == '"')) {
    const char quote = rest.front();
    std::size_t at = 1;
    for (; at < rest.size() && rest[at] != quote; ++at) {
      if (rest[at] == '\\' && at + 1 < rest.size()) ++at;
      value += rest[at];
    }
    if (at >= rest.size()) return false;
    rest = Trim(rest.substr(at + 1));
    return true;
  }
  const std::size_t end = std::min(rest.find_first_of(ends), rest.size());
  value = Trim(rest.substr(0, end));
  rest = Trim(rest.substr(end));
  return true;
}

/// One line of the data.
Result<std::vector<std::string>> SplitRow(std::string_view line, const std::string& where) {
  std::vector<std::string> fields;
  std::string_view rest = line;
  while (true) {
    std::string value;
    if (!TakeValue(rest, ",", value)) return InputError("{}: a quote is not closed", where);
    fields.push_back(std::move(value));
    if (rest.empty()) return fields;
    if (rest.front() != ',') {
      return InputError("{}: found '{}' behind a quoted value, expected a comma", where, rest);
    }
    rest.remove_prefix(1);
  }
}

}  // namespace

Result<std::size_t> ArffTable::Find(std::string_view attribute) const {
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (SameWord(attributes[i], attribute)) return i;
  }
  return InputError("{}: no attribute '{}'{}", name, attribute, DidYouMean(attribute, attributes));
}

Result<ArffTable> ParseArff(std::string_view text, std::string name) {
  ArffTable table{.name = std::move(name)};
  bool in_data = false;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = Trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty() || line.front() == '%') continue;
    const std::string where = fmt::format("{}:{}", table.name, number);
    if (in_data) {
      std::vector<std::string> fields = GONOGO_TRY(SplitRow(line, where));
      if (fields.size() != table.attributes.size()) {
        return InputError("{}: found {} values, expected {} as declared", where, fields.size(),
                          table.attributes.size());
      }
      table.rows.push_back(std::move(fields));
      table.lines.push_back(number);
      continue;
    }
    const std::size_t blank = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view keyword = line.substr(0, blank);
    if (SameWord(keyword, "@data")) in_data = true;
    if (!SameWord(keyword, "@attribute")) continue;
    std::string_view rest = line.substr(blank);
    std::string attribute;
    if (!TakeValue(rest, " \t", attribute) || attribute.empty()) {
      return InputError("{}: found '{}', expected @attribute NAME TYPE", where, line);
    }
    table.attributes.push_back(std::move(attribute));
  }
  if (!in_data) return InputError("{}: no line @data: is it an ARFF file?", table.name);
  return table;
}

Result<ArffTable> ReadArff(const std::filesystem::path& path) {
  const std::string text = GONOGO_TRY(io::ReadFile(path));
  return ParseArff(text, path.string());
}

}  // namespace gonogo::audit
