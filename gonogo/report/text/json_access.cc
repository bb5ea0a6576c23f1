// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/text/json_access.h"

#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "gonogo/report/text/number_text.h"

namespace gonogo::report::internal {

const Json& At(const Json& object, std::string_view key) {
  static const Json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(std::string(key));
  return found == object.end() ? kNull : *found;
}

std::optional<double> NumberAt(const Json& object, std::string_view key) {
  const Json& value = At(object, key);
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}

std::optional<std::size_t> CountAt(const Json& object, std::string_view key) {
  const Json& value = At(object, key);
  const bool below_zero =
      value.is_number_integer() && !value.is_number_unsigned() && value.get<std::int64_t>() < 0;
  if (!value.is_number_integer() || below_zero) return std::nullopt;
  return value.get<std::size_t>();
}

std::string TextAt(const Json& object, std::string_view key, std::string_view otherwise) {
  const Json& value = At(object, key);
  return value.is_string() ? value.get<std::string>() : std::string(otherwise);
}

std::vector<double> Numbers(const Json& array) {
  std::vector<double> out;
  if (!array.is_array()) return out;
  for (const Json& value : array) {
    if (value.is_number() && std::isfinite(value.get<double>())) out.push_back(value.get<double>());
  }
  return out;
}

std::vector<std::string> Texts(const Json& array) {
  std::vector<std::string> out;
  if (!array.is_array()) return out;
  for (const Json& value : array) out.push_back(Display(value));
  return out;
}

void ForEachLeaf(const Json& object,
                 const std::function<void(const std::string&, const Json&)>& visit) {
  if (!object.is_object()) return;
  for (const auto& [key, value] : object.items()) {
    const std::string& prefix = key;
    if (value.is_object()) {
      ForEachLeaf(value, [&](const std::string& name, const Json& leaf) {
        visit(fmt::format("{}.{}", prefix, name), leaf);
      });
    } else {
      visit(key, value);
    }
  }
}

std::string Display(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_integer()) return value.dump();
  if (value.is_number()) return Number(value.get<double>(), 6);
  if (value.is_array()) {
    std::string out;
    for (const Json& item : value) out += (out.empty() ? "" : ", ") + Display(item);
    return out;
  }
  return value.is_null() ? kNoNumber : value.dump();
}

}  // namespace gonogo::report::internal
