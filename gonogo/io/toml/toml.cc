// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/toml/toml.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

// toml++ asserts, or has the compiler assume, that a key starts like one, and then reports that it
// does not: neither is wanted. It looks for NDEBUG before it looks for an assertion of ours.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include "gonogo/base/nearest.h"
#include "gonogo/base/text.h"
#include "gonogo/io/file.h"
#include "gonogo/io/toml/internal/toml_guard.h"
#include "gonogo/io/toml/toml_text.h"

namespace gonogo::io {

struct TomlDocument::State {
  std::string name;
  toml::table root;
  std::optional<Error> first_error;
  std::map<const toml::table*, std::set<std::string, std::less<>>> asked;

  void Record(const toml::node* node, const std::string& key, std::string_view message) {
    if (first_error.has_value()) return;
    const auto line = node == nullptr ? 0 : node->source().begin.line;
    const std::string place = line == 0 ? name : fmt::format("{}:{}", name, line);
    first_error = InputError("{}: {}: {}", place, Excerpt(key), message);
  }
};

namespace {

const toml::table* AsTable(const void* table) { return static_cast<const toml::table*>(table); }

// Not by toml++'s own formatters: version 3.3 counts columns with the logarithm of a number, which
// is undefined for those below one.
std::string Shown(const toml::node& node) {
  if (const auto* text = node.as_string()) return fmt::format("'{}'", Excerpt(text->get()));
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* list = node.as_array()) {
    std::string items;
    for (std::size_t i = 0; i < list->size() && items.size() <= 60; ++i) {
      items += fmt::format("{}{}", i == 0 ? "" : ", ", Shown((*list)[i]));
    }
    return fmt::format("[{}]", Excerpt(items));
  }
  return node.is_table() ? "a table" : "a date or time";
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
  const std::string text = GONOGO_TRY(ReadFile(path));
  return Parse(text, path.string());
}

Result<TomlDocument> TomlDocument::Parse(std::string_view text, std::string name) {
  const std::string guarded = GONOGO_TRY(internal::GuardedToml(text, name));
  toml::parse_result parsed = toml::parse(guarded);
  if (!parsed) {
    return InputError("{}:{}: not valid TOML: {}", name, parsed.error().source().begin.line,
                      Excerpt(parsed.error().description(), 300));
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
    // Of a table that was only looked for, not opened, nobody knows the keys.
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
T Value(TomlDocument::State& state, const void* table, const std::string& path,
        std::string_view key, T fallback, bool (toml::node::*fits)() const noexcept,
        std::string_view what) {
  const toml::node* node = Find(state, table, key);
  if (node == nullptr) return fallback;
  if ((node->*fits)()) return *node->value<T>();
  state.Record(node, Join(path, key), Expected(*node, what));
  return fallback;
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

/// Appends the canonical text of a value; returns the part of it that has none.
const toml::node* AppendText(const toml::node& node, std::string& text) {
  if (const auto* list = node.as_array()) {
    text += "[";
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (i > 0) text += ", ";
      if (const toml::node* odd = AppendText((*list)[i], text); odd != nullptr) return odd;
    }
    text += "]";
  } else if (const auto* words = node.as_string()) {
    text += TomlString(words->get());
  } else if (const auto* whole = node.as_integer()) {
    text += fmt::format("{}", whole->get());
  } else if (const auto* real = node.as_floating_point()) {
    text += TomlReal(real->get());
  } else if (const auto* flag = node.as_boolean()) {
    text += flag->get() ? "true" : "false";
  } else {
    return &node;
  }
  return nullptr;
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
  return Value(*state_, table_, path_, key, fallback, &toml::node::is_number, "a number");
}

std::int64_t TomlNode::Integer(std::string_view key, std::int64_t fallback) const {
  return Value(*state_, table_, path_, key, fallback, &toml::node::is_integer, "a whole number");
}

bool TomlNode::Bool(std::string_view key, bool fallback) const {
  return Value(*state_, table_, path_, key, fallback, &toml::node::is_boolean, "true or false");
}

std::string TomlNode::String(std::string_view key, std::string fallback) const {
  return Value(*state_, table_, path_, key, std::move(fallback), &toml::node::is_string,
               "a string");
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
    const bool open = high == std::numeric_limits<double>::max();
    Fail(key, open ? fmt::format("found {}, expected a number of {} or more", value, low)
                   : fmt::format("found {}, expected a number from {} to {}", value, low, high));
    return fallback;
  }
  return value;
}

std::int64_t TomlNode::IntegerIn(std::string_view key, std::int64_t fallback, std::int64_t low,
                                 std::int64_t high) const {
  const std::int64_t value = Integer(key, fallback);
  if (Has(key) && !(value >= low && value <= high)) {
    const bool open = high == std::numeric_limits<std::int64_t>::max();
    Fail(key,
         open ? fmt::format("found {}, expected a whole number of {} or more", value, low)
              : fmt::format("found {}, expected a whole number from {} to {}", value, low, high));
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
  if (Has(key)) return *this;
  std::string message = "this key is required";
  const std::array<std::string, 1> wanted{std::string(key)};
  for (const std::string& name : Keys()) {
    if (DidYouMean(name, wanted).empty()) continue;
    message += fmt::format("; '{}' looks like a misspelling of it", name);
  }
  state_->Record(AsTable(table_), Join(path_, key), message);
  return *this;
}

void TomlNode::Fail(std::string_view key, std::string_view message) const {
  const toml::node* node = Find(*state_, table_, key);
  state_->Record(node != nullptr ? node : AsTable(table_), Join(path_, key), message);
}

std::string TomlNode::ValueText(std::string_view key) const {
  const toml::node* node = Find(*state_, table_, key);
  if (node == nullptr) return "";
  std::string text;
  if (const toml::node* odd = AppendText(*node, text); odd != nullptr) {
    state_->Record(odd, Join(path_, key),
                   Expected(*odd, "a string, a number, true, false, or a list of these"));
  }
  return text;
}

}  // namespace gonogo::io
