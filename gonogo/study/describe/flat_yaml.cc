// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/describe/flat_yaml.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace gonogo::study {
namespace {

constexpr std::string_view kSpace = " \t\r";
constexpr std::size_t kMostEntries = 20000;
constexpr std::size_t kMostRepeated = 1'000'000;
constexpr int kDeepestFlow = 30;

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

/// The first place from `at` on, outside quotes and brackets, of a character for which `is` holds.
template <typename Condition>
std::size_t FindOutside(std::string_view text, std::size_t at, const Condition& is) {
  int depth = 0;
  char quote = '\0';
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
      continue;
    }
    if (depth == 0 && is(at)) return at;
    if (c == '"' || c == '\'') quote = c;
    if (c == '[' || c == '{' || c == '(') ++depth;
    if (c == ']' || c == '}' || c == ')') --depth;
  }
  return std::string_view::npos;
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

int OpenBrackets(std::string_view text) {
  int open = 0;
  char quote = '\0';
  for (const char c : text) {
    if (quote != '\0') {
      if (c == quote) quote = '\0';
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (c == '[' || c == '{' || c == '(') ++open;
    if (c == ']' || c == '}' || c == ')') --open;
  }
  return open;
}

/// Reads line by line; keys and items of lists around the present place are kept open.
class Reader {
 public:
  explicit Reader(char assigns) : assigns_(assigns) {}

  void Line(std::string_view line) {
    const std::string_view content = Trimmed(line);
    if (content.empty() || content == "---") return;
    if (!pending_.empty()) {
      pending_ += " ";
      pending_ += content;
    } else {
      indent_ = line.find_first_not_of(kSpace);
      pending_ = content;
      brackets_ = 0;
    }
    brackets_ += OpenBrackets(content);
    constexpr std::size_t kLongest = 1 << 20U;
    if (brackets_ > 0 && pending_.size() < kLongest) return;
    const std::string whole = std::move(pending_);
    pending_.clear();
    Content(whole);
  }

  std::vector<YamlEntry> Take() {
    if (!pending_.empty()) Content(std::string(std::move(pending_)));
    return std::move(entries_);
  }

 private:
  /// Keys are at even depths, items of a list at the odd one behind the key they belong to: a list
  /// may stand as far left as its key.
  std::string Enter(std::size_t depth, const std::string& name) {
    while (!open_.empty() && open_.back().first >= depth) open_.pop_back();
    open_.emplace_back(depth, (open_.empty() ? "" : open_.back().second + ".") + name);
    return open_.back().second;
  }

  void Content(std::string_view content) {
    while (content == "-" || content.starts_with("- ")) {
      const std::size_t depth = 2 * indent_ + 1;
      while (!open_.empty() && open_.back().first >= depth) open_.pop_back();
      const std::string_view item = Trimmed(content.substr(1));
      const bool is_map = FindAssignment(item) != std::string_view::npos &&
                          !item.starts_with('[') && !item.starts_with('{');
      if (item.empty() || is_map || item.starts_with('{') || item.starts_with("- ")) {
        const std::string list = open_.empty() ? "" : open_.back().second;
        const std::string place = Enter(depth, fmt::format("{}", items_[list]++));
        if (item.starts_with('{')) return Value(place, item, 0);
        indent_ += content.size() - item.size();
        content = item;
        continue;
      }
      if (entries_.empty()) return;
      return AddScalars(item, entries_.back().values, 0);
    }
    const std::size_t colon = FindAssignment(content);
    if (colon == std::string_view::npos) return;
    std::string_view name = content.substr(0, colon);
    if (assigns_ == '=') name = name.substr(0, name.find(':'));  // a type
    const std::string path = Enter(2 * indent_, Unquoted(name));
    items_[path] = 0;
    Value(path, Trimmed(content.substr(colon + 1)), 0);
  }

  /// Where the value of `key: value` (or `key = value`, or `class key:`) begins.
  [[nodiscard]] std::size_t FindAssignment(std::string_view text) const {
    return FindOutside(text, 0, [&](std::size_t at) {
      if (text[at] != assigns_) return false;
      if (assigns_ == '=') return at + 1 >= text.size() || text[at + 1] != '=';
      return at + 1 == text.size() || text[at + 1] == ' ';
    });
  }

  void Value(const std::string& path, std::string_view value, int depth) {
    if (entries_.size() >= kMostEntries || depth > kDeepestFlow) return;
    entries_.push_back({path, {}});
    if (value.starts_with('&')) {
      const std::size_t end = std::min(value.find(' '), value.size());
      anchors_[std::string(value.substr(1, end - 1))] = entries_.size() - 1;
      value = Trimmed(value.substr(end));
    }
    if (value.starts_with('*')) {
      const auto found = anchors_.find(std::string(value.substr(1)));
      if (found == anchors_.end()) return;
      repeated_ += entries_[found->second].values.size();
      if (repeated_ < kMostRepeated) entries_.back().values = entries_[found->second].values;
      return;
    }
    if (value.starts_with('!') || value == "|" || value == ">") return;
    if (value.starts_with('{')) return Map(path, value, depth);
    AddScalars(value, entries_.back().values, depth);
  }

  /// {a: 1, 'b': [2, 3]}
  void Map(const std::string& path, std::string_view text, int depth) {
    text = text.substr(1, text.size() - (text.ends_with('}') ? 2 : 1));
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(
          FindOutside(text, begin, [&](std::size_t at) { return text[at] == ','; }), text.size());
      const std::string_view pair = text.substr(begin, end - begin);
      const std::size_t colon =
          FindOutside(pair, 0, [&](std::size_t at) { return pair[at] == ':'; });
      if (colon != std::string_view::npos) {
        Value(path + "." + Unquoted(pair.substr(0, colon)), Trimmed(pair.substr(colon + 1)),
              depth + 1);
      }
      begin = end + 1;
    }
  }

  /// One scalar, or those of a list in brackets, also of lists in it.
  void AddScalars(std::string_view text, std::vector<std::string>& values, int depth) {
    text = Trimmed(text);
    const bool list = text.starts_with('[') || text.starts_with('(');
    if (!list) {
      const std::string item = Unquoted(text);
      if (!item.empty()) values.push_back(item);
      return;
    }
    if (depth > kDeepestFlow) return;
    const bool closed = text.size() > 1 && (text.ends_with(']') || text.ends_with(')'));
    text = text.substr(1, text.size() - (closed ? 2 : 1));
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(
          FindOutside(text, begin, [&](std::size_t at) { return text[at] == ','; }), text.size());
      AddScalars(text.substr(begin, end - begin), values, depth + 1);
      begin = end + 1;
    }
  }

  char assigns_;
  std::size_t indent_ = 0;
  int brackets_ = 0;          // open in what is pending
  std::size_t repeated_ = 0;  // values by aliases
  std::string pending_;
  std::vector<std::pair<std::size_t, std::string>> open_;  // depth and path
  std::map<std::string, int> items_;                       // of the list at a path
  std::map<std::string, std::size_t> anchors_;
  std::vector<YamlEntry> entries_;
};

template <typename Line>
void ForLines(std::string_view text, const Line& line) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    line(Code(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::vector<YamlEntry> ReadFlatYaml(std::string_view text) {
  Reader reader(':');
  ForLines(text, [&](std::string_view line) { reader.Line(line); });
  return reader.Take();
}

std::vector<YamlEntry> ReadFlatPython(std::string_view text) {
  Reader reader('=');
  std::size_t function = std::string_view::npos;  // indent of the one that is passed over
  bool in_text = false;
  ForLines(text, [&](std::string_view line) {
    const std::string_view content = Trimmed(line);
    for (std::size_t at = content.find("\"\"\""); at != std::string_view::npos;
         at = content.find("\"\"\"", at + 3)) {
      in_text = !in_text;
    }
    if (content.empty() || in_text || content.ends_with("\"\"\"")) return;
    const std::size_t indent = line.find_first_not_of(kSpace);
    if (function != std::string_view::npos && indent > function) return;
    function = content.starts_with("def ") ? indent : std::string_view::npos;
    if (!content.starts_with("class ")) return reader.Line(line);
    const std::string_view name = content.substr(6, content.find_first_of("(:", 6) - 6);
    reader.Line(std::string(indent, ' ') + std::string(Trimmed(name)) + " =");
  });
  return reader.Take();
}

std::optional<std::vector<double>> NumbersOf(const std::vector<std::string>& values) {
  std::vector<double> numbers;
  for (const std::string& text : values) {
    if (text == "true" || text == "True" || text == "false" || text == "False") {
      numbers.push_back(text == "true" || text == "True" ? 1.0 : 0.0);
      continue;
    }
    double number = 0.0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = failure == std::errc() && end == text.data() + text.size();
    if (!whole || std::isnan(number)) return std::nullopt;
    numbers.push_back(number);
  }
  if (numbers.empty()) return std::nullopt;
  return numbers;
}

}  // namespace gonogo::study
