// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/toml.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 1
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <toml++/toml.h>

#include "gonogo/base/nearest.h"
#include "gonogo/io/file.h"

namespace gonogo::io {

struct TomlDocument::State {
  std::string name;
  toml::table root;
  std::optional<Error> first_error;
  std::map<const toml::table*, std::set<std::string, std::less<>>> asked;

  void Record(const toml::node* node, const std::string& key, std::string_view message) {
    if (first_error.has_value()) return;
    const auto line = node == nullptr ? 0 : node->source().begin.line;
    first_error = line == 0 ? InputError("{}: {}: {}", name, key, message)
                            : InputError("{}:{}: {}: {}", name, line, key, message);
  }
};

namespace {

const toml::table* AsTable(const void* table) { return static_cast<const toml::table*>(table); }

std::string Shown(const toml::node& node) {
  std::ostringstream text;
  node.visit([&](const auto& value) { text << value; });
  std::string shown = text.str();
  return shown.size() <= 60 ? shown : shown.substr(0, 57) + "...";
}

/// Where the string that begins at `begin` ends.
std::size_t SkipString(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const bool triple = text.substr(begin, 3) == std::string(3, quote);
  const std::string close(triple ? 3 : 1, quote);
  std::size_t i = begin + close.size();
  while (i < text.size() && text.substr(i, close.size()) != close) {
    if (!triple && text[i] == '\n') break;  // never closed: the parser will say so
    i += quote == '"' && text[i] == '\\' ? 2 : 1;
  }
  return std::min(text.size(), i + close.size());
}

/// Line of the first character outside strings and comments that is not ASCII; 0 if there is none.
/// toml++ 3.3 runs into undefined behaviour on some of them, and TOML allows none.
std::size_t StrayCharacterLine(std::string_view text) {
  std::size_t i = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  while (i < text.size()) {
    if (text[i] == '"' || text[i] == '\'') {
      i = SkipString(text, i);
    } else if (text[i] == '#') {
      i = std::min(text.size(), text.find('\n', i));
    } else if (static_cast<unsigned char>(text[i]) >= 0x80) {
      return 1 + static_cast<std::size_t>(
                     std::count(text.begin(), text.begin() + static_cast<long>(i), '\n'));
    } else {
      ++i;
    }
  }
  return 0;
}

std::string Join(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

std::string Expected(const toml::node& found, std::string_view what) {
  return fmt::format("found {}, expected {}", Shown(found), what);
}

}  // namespace

TomlDocument::TomlDocument(std::unique_ptr<State> state) : state_(std::move(state)) {}
TomlDocument::TomlDocument(TomlDocument&&) noexcept = default;
TomlDocument& TomlDocument::operator=(TomlDocument&&) noexcept = default;
TomlDocument::~TomlDocument() = default;

Result<TomlDocument> TomlDocument::Load(const std::filesystem::path& path) {
  const Result<std::string> text = ReadFile(path);
  if (!text.ok()) return text.error();
  return Parse(text.value(), path.string());
}

Result<TomlDocument> TomlDocument::Parse(std::string_view text, std::string name) {
  if (const std::size_t line = StrayCharacterLine(text); line > 0) {
    return InputError("{}:{}: not valid TOML: a character that is not ASCII outside a string", name,
                      line);
  }
  toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    return InputError("{}:{}: not valid TOML: {}", name, parsed.error().source().begin.line,
                      parsed.error().description());
  }
  auto state = std::make_unique<State>();
  state->name = std::move(name);
  state->root = std::move(parsed).table();
  return TomlDocument(std::move(state));
}

TomlNode TomlDocument::Root() const { return {state_.get(), &state_->root, ""}; }

namespace {

void FindUnknown(TomlDocument::State& state, const toml::table& table, const std::string& path) {
  const auto asked = state.asked.find(&table);
  for (const auto& [key, node] : table) {
    const std::string full = Join(path, key.str());
    if (asked == state.asked.end() || !asked->second.contains(key.str())) {
      std::vector<std::string> known;
      if (asked != state.asked.end()) known.assign(asked->second.begin(), asked->second.end());
      state.Record(&node, full, "unknown key" + DidYouMean(key.str(), known));
      continue;
    }
    // A table nobody opened is free-form (Ignore); one that was opened is checked in its turn.
    if (const toml::table* inner = node.as_table();
        inner != nullptr && state.asked.contains(inner)) {
      FindUnknown(state, *inner, full);
    }
    if (const toml::array* items = node.as_array(); items != nullptr) {
      for (const toml::node& item : *items) {
        const toml::table* inner = item.as_table();
        if (inner != nullptr && state.asked.contains(inner)) FindUnknown(state, *inner, full);
      }
    }
  }
}

}  // namespace

Status TomlDocument::Finish() const {
  FindUnknown(*state_, state_->root, "");
  if (state_->first_error.has_value()) return *state_->first_error;
  return {};
}

namespace {

/// Looks the key up and remembers that somebody asked for it.
const toml::node* Find(TomlDocument::State& state, const void* table, std::string_view key) {
  if (table == nullptr) return nullptr;
  state.asked[AsTable(table)].insert(std::string(key));
  return AsTable(table)->get(key);
}

template <typename T>
std::vector<T> List(TomlDocument::State& state, const toml::node* node, const std::string& path,
                    std::vector<T> fallback, std::string_view what) {
  if (node == nullptr) return fallback;
  const toml::array* items = node->as_array();
  if (items == nullptr) {
    state.Record(node, path, Expected(*node, what));
    return fallback;
  }
  std::vector<T> values;
  for (const toml::node& item : *items) {
    const std::optional<T> value = item.value<T>();
    if (!value.has_value()) {
      state.Record(&item, path, Expected(item, what));
      return fallback;
    }
    values.push_back(*value);
  }
  return values;
}

}  // namespace

bool TomlNode::Has(std::string_view key) const { return Find(*state_, table_, key) != nullptr; }

std::vector<std::string> TomlNode::Keys() const {
  std::vector<std::pair<toml::source_index, std::string>> keys;
  if (table_ != nullptr) {
    for (const auto& [key, node] : *AsTable(table_)) {
      keys.emplace_back(node.source().begin.line, std::string(key.str()));
    }
  }
  std::stable_sort(keys.begin(), keys.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (auto& [line, name] : keys) names.push_back(std::move(name));
  return names;
}

TomlNode TomlNode::Table(std::string_view key) const {
  const toml::node* node = Find(*state_, table_, key);
  const toml::table* inner = node == nullptr ? nullptr : node->as_table();
  if (node != nullptr && inner == nullptr) {
    state_->Record(node, Join(path_, key), Expected(*node, "a table"));
  }
  if (inner != nullptr) state_->asked[inner];
  return {state_, inner, Join(path_, key)};
}

std::vector<TomlNode> TomlNode::Tables(std::string_view key) const {
  std::vector<TomlNode> tables;
  const toml::node* node = Find(*state_, table_, key);
  if (node == nullptr) return tables;
  const toml::array* items = node->as_array();
  if (items == nullptr) {
    state_->Record(node, Join(path_, key), Expected(*node, "an array of tables"));
    return tables;
  }
  for (const toml::node& item : *items) {
    const toml::table* inner = item.as_table();
    if (inner == nullptr) {
      state_->Record(&item, Join(path_, key), Expected(item, "a table"));
      return {};
    }
    state_->asked[inner];
    tables.push_back(
        TomlNode(state_, inner, fmt::format("{}[{}]", Join(path_, key), tables.size())));
  }
  return tables;
}

double TomlNode::Number(std::string_view key, double fallback) const {
  const toml::node* node = Find(*state_, table_, key);
  if (node == nullptr) return fallback;
  if (!node->is_number()) {
    state_->Record(node, Join(path_, key), Expected(*node, "a number"));
    return fallback;
  }
  return *node->value<double>();
}

std::int64_t TomlNode::Integer(std::string_view key, std::int64_t fallback) const {
  const toml::node* node = Find(*state_, table_, key);
  if (node == nullptr) return fallback;
  if (!node->is_integer()) {
    state_->Record(node, Join(path_, key), Expected(*node, "a whole number"));
    return fallback;
  }
  return *node->value<std::int64_t>();
}

bool TomlNode::Bool(std::string_view key, bool fallback) const {
  const toml::node* node = Find(*state_, table_, key);
  if (node == nullptr) return fallback;
  if (!node->is_boolean()) {
    state_->Record(node, Join(path_, key), Expected(*node, "true or false"));
    return fallback;
  }
  return *node->value<bool>();
}

std::string TomlNode::String(std::string_view key, std::string fallback) const {
  const toml::node* node = Find(*state_, table_, key);
  if (node == nullptr) return fallback;
  if (!node->is_string()) {
    state_->Record(node, Join(path_, key), Expected(*node, "a string"));
    return fallback;
  }
  return *node->value<std::string>();
}

std::vector<double> TomlNode::Numbers(std::string_view key, std::vector<double> fallback) const {
  return List<double>(*state_, Find(*state_, table_, key), Join(path_, key), std::move(fallback),
                      "a list of numbers");
}

std::vector<std::string> TomlNode::Strings(std::string_view key,
                                           std::vector<std::string> fallback) const {
  return List<std::string>(*state_, Find(*state_, table_, key), Join(path_, key),
                           std::move(fallback), "a list of strings");
}

std::vector<double> TomlNode::NumbersFor(std::string_view key, std::size_t count,
                                         std::vector<double> fallback) const {
  const toml::node* node = Find(*state_, table_, key);
  if (node == nullptr) return fallback;
  if (node->is_number()) return std::vector<double>(count, *node->value<double>());
  std::vector<double> values = Numbers(key, fallback);
  if (node->is_array() && values.size() != count) {
    Fail(key, fmt::format("found {} numbers, expected {} (or one for all)", values.size(), count));
    return fallback;
  }
  return values;
}

std::vector<std::vector<double>> TomlNode::NumberRows(std::string_view key,
                                                      std::size_t width) const {
  const toml::node* node = Find(*state_, table_, key);
  std::vector<std::vector<double>> rows;
  if (node == nullptr) return rows;
  const std::string what = fmt::format("a list of lists of {} numbers", width);
  const toml::array* items = node->as_array();
  if (items == nullptr) state_->Record(node, Join(path_, key), Expected(*node, what));
  for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
    const toml::node& item = *items->get(i);
    rows.push_back(List<double>(*state_, &item, Join(path_, key), {}, what));
    if (rows.back().size() == width) continue;
    state_->Record(&item, Join(path_, key), Expected(item, what));
    return {};
  }
  return rows;
}

double TomlNode::NumberIn(std::string_view key, double fallback, double low, double high) const {
  const double value = Number(key, fallback);
  if (Has(key) && !(value >= low && value <= high)) {
    Fail(key, fmt::format("found {}, expected a number from {} to {}", value, low, high));
    return fallback;
  }
  return value;
}

std::int64_t TomlNode::IntegerIn(std::string_view key, std::int64_t fallback, std::int64_t low,
                                 std::int64_t high) const {
  const std::int64_t value = Integer(key, fallback);
  if (Has(key) && !(value >= low && value <= high)) {
    Fail(key, fmt::format("found {}, expected a whole number from {} to {}", value, low, high));
    return fallback;
  }
  return value;
}

std::string TomlNode::Choice(std::string_view key, std::string fallback,
                             const std::vector<std::string>& choices) const {
  std::string value = String(key, std::move(fallback));
  if (Has(key) && std::find(choices.begin(), choices.end(), value) == choices.end()) {
    Fail(key, fmt::format("found \"{}\", expected one of {}{}", value, fmt::join(choices, ", "),
                          DidYouMean(value, choices)));
    return choices.front();
  }
  return value;
}

const TomlNode& TomlNode::Require(std::string_view key) const {
  if (!Has(key)) state_->Record(AsTable(table_), Join(path_, key), "this key is required");
  return *this;
}

void TomlNode::Fail(std::string_view key, std::string_view message) const {
  const toml::node* node = Find(*state_, table_, key);
  state_->Record(node != nullptr ? node : AsTable(table_), Join(path_, key), message);
}

void TomlNode::Ignore(std::string_view key) const { (void)Find(*state_, table_, key); }

}  // namespace gonogo::io
