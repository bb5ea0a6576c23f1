// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/describe/flat_yaml.h"

#include <algorithm>

namespace gonogo::study {
namespace {

constexpr std::string_view kSpace = " \t\r";

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string Unquoted(std::string_view text) {
  text = Trimmed(text);
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
                      text.back() == text.front();
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

/// A line without its comment.
std::string_view Code(std::string_view line) {
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#' && (i == 0 || kSpace.find(line[i - 1]) != std::string_view::npos)) {
      return line.substr(0, i);
    }
  }
  return line;
}

/// Adds the items of "a, b, c"; brackets are passed over.
void AddItems(std::string_view text, std::vector<std::string>& values) {
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find_first_of(",[]", begin), text.size());
    const std::string item = Unquoted(text.substr(begin, end - begin));
    if (!item.empty()) values.push_back(item);
    begin = end + 1;
  }
}

/// Keys around the present place and how far they are indented.
class Nesting {
 public:
  std::string Enter(std::size_t indent, std::string key) {
    while (!open_.empty() && open_.back().first >= indent) open_.pop_back();
    open_.emplace_back(indent, std::move(key));
    std::string path;
    for (const auto& [depth, name] : open_) path += (path.empty() ? "" : ".") + name;
    return path;
  }

 private:
  std::vector<std::pair<std::size_t, std::string>> open_;
};

}  // namespace

std::vector<YamlEntry> ReadFlatYaml(std::string_view text) {
  std::vector<YamlEntry> entries;
  Nesting nesting;
  int open_lists = 0;
  const auto count = [](std::string_view line) {
    return static_cast<int>(std::count(line.begin(), line.end(), '[') -
                            std::count(line.begin(), line.end(), ']'));
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = Code(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view content = Trimmed(line);
    if (content.empty()) continue;
    if (open_lists > 0) {
      AddItems(content, entries.back().values);
      open_lists += count(content);
      continue;
    }
    if (content.starts_with("- ")) {
      if (!entries.empty() && content.find(": ") == std::string_view::npos) {
        AddItems(content.substr(2), entries.back().values);
      }
      continue;
    }
    const std::size_t colon = content.find(':');
    if (colon == std::string_view::npos) continue;
    const std::size_t indent = line.find_first_not_of(kSpace);
    entries.push_back({nesting.Enter(indent, Unquoted(content.substr(0, colon))), {}});
    const std::string_view value = Trimmed(content.substr(colon + 1));
    if (value.starts_with('[')) {
      AddItems(value, entries.back().values);
      open_lists = count(value);
    } else if (!value.empty()) {
      entries.back().values.push_back(Unquoted(value));
    }
  }
  return entries;
}

}  // namespace gonogo::study
