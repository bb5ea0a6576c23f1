// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/internal/toml_section.h"

#include <sstream>

namespace gonogo::robot::internal {
namespace {

std::string Describe(const toml::node& node) {
  std::ostringstream text;
  node.visit([&text](const auto& value) { text << value; });
  return text.str();
}

}  // namespace

void Complaint::Add(const toml::node* where, const std::string& message) {
  if (first.has_value()) return;
  const bool placed = where != nullptr && where->source().begin;
  first = placed ? InputError("{}:{}: {}", file, where->source().begin.line, message)
                 : InputError("{}: {}", file, message);
}

std::string TomlSection::Path(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

bool TomlSection::Has(std::string_view key) const {
  return table_ != nullptr && table_->contains(key);
}

const toml::node* TomlSection::Find(std::string_view key, bool required) {
  asked_.emplace(key);
  const toml::node* node = table_ == nullptr ? nullptr : table_->get(key);
  if (node == nullptr && required) {
    complaint_.Add(table_, fmt::format("{} is missing", Path(key)));
  }
  return node;
}

TomlSection TomlSection::Section(std::string_view key) {
  const toml::node* node = Find(key, false);
  if (node != nullptr && !node->is_table()) {
    complaint_.Add(node, fmt::format("{} is not a table: write [{}]", Path(key), Path(key)));
  }
  return {node == nullptr ? nullptr : node->as_table(), Path(key), complaint_};
}

std::string TomlSection::Text(std::string_view key, const std::optional<std::string>& fallback) {
  const toml::node* node = Find(key, !fallback.has_value());
  if (node != nullptr && node->is_string()) return node->as_string()->get();
  if (node != nullptr) {
    complaint_.Add(node, fmt::format("{} is {}, expected a text", Path(key), Describe(*node)));
  }
  return fallback.value_or("");
}

double TomlSection::Number(std::string_view key, std::optional<double> fallback) {
  const toml::node* node = Find(key, !fallback.has_value());
  if (node != nullptr && node->is_number()) return node->value<double>().value_or(0.0);
  if (node != nullptr) {
    complaint_.Add(node, fmt::format("{} is {}, expected a number", Path(key), Describe(*node)));
  }
  return fallback.value_or(0.0);
}

int TomlSection::Integer(std::string_view key, std::optional<int> fallback) {
  const toml::node* node = Find(key, !fallback.has_value());
  if (node != nullptr && node->is_integer()) return static_cast<int>(node->as_integer()->get());
  if (node != nullptr) {
    complaint_.Add(node,
                   fmt::format("{} is {}, expected a whole number", Path(key), Describe(*node)));
  }
  return fallback.value_or(0);
}

std::vector<std::string> TomlSection::Texts(std::string_view key) {
  const toml::node* node = Find(key, true);
  std::vector<std::string> texts;
  if (node == nullptr) return texts;
  const toml::array* list = node->as_array();
  if (list == nullptr || !list->is_homogeneous(toml::node_type::string)) {
    complaint_.Add(node,
                   fmt::format("{} is {}, expected a list of texts", Path(key), Describe(*node)));
    return texts;
  }
  for (const toml::node& item : *list) texts.push_back(item.as_string()->get());
  return texts;
}

std::vector<double> TomlSection::Numbers(std::string_view key, std::size_t count,
                                         const std::optional<std::vector<double>>& fallback) {
  const toml::node* node = Find(key, !fallback.has_value());
  if (node == nullptr) return fallback.value_or(std::vector<double>(count, 0.0));
  if (node->is_number()) return std::vector<double>(count, node->value<double>().value_or(0.0));
  std::vector<double> numbers;
  const toml::array* list = node->as_array();
  const bool readable = list != nullptr;
  for (std::size_t i = 0; readable && i < list->size(); ++i) {
    if (const auto number = (*list)[i].value<double>()) numbers.push_back(*number);
  }
  if (!readable || numbers.size() != list->size()) {
    complaint_.Add(node,
                   fmt::format("{} is {}, expected {} numbers", Path(key), Describe(*node), count));
    return std::vector<double>(count, 0.0);
  }
  if (numbers.size() != count) {
    complaint_.Add(node, fmt::format("{} has {} values, expected {} (or one for all)", Path(key),
                                     numbers.size(), count));
    return std::vector<double>(count, 0.0);
  }
  return numbers;
}

std::vector<std::vector<double>> TomlSection::Pairs(std::string_view key) {
  const toml::node* node = Find(key, true);
  std::vector<std::vector<double>> pairs;
  const toml::array* list = node == nullptr ? nullptr : node->as_array();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const toml::array* pair = (*list)[i].as_array();
    if (pair == nullptr || pair->size() != 2) break;
    const auto x = (*pair)[0].value<double>();
    const auto y = (*pair)[1].value<double>();
    if (!x || !y) break;
    pairs.push_back({*x, *y});
  }
  if (node != nullptr && (list == nullptr || pairs.size() != list->size())) {
    complaint_.Add(
        node, fmt::format("{} is {}, expected a list of [x, y] pairs", Path(key), Describe(*node)));
  }
  return pairs;
}

void TomlSection::Complain(std::string_view key, const std::string& message) {
  const toml::node* node = table_ == nullptr ? nullptr : table_->get(key);
  complaint_.Add(node != nullptr ? node : table_, fmt::format("{} {}", Path(key), message));
}

void TomlSection::RefuseUnknownKeys() {
  if (table_ == nullptr) return;
  for (const auto& [key, node] : *table_) {
    if (asked_.contains(key.str())) continue;
    std::string known;
    for (const std::string& name : asked_) known += (known.empty() ? "" : ", ") + name;
    complaint_.Add(&node, fmt::format("unknown key {} (known here: {})", Path(key.str()), known));
  }
}

}  // namespace gonogo::robot::internal
