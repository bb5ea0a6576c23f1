// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gonogo::io {

/// For `from_json` functions: a whole number that fits. Throws like the library's own conversions,
/// which make a whole number of any number; what they make of 1e300 is undefined.
template <std::integral T>
void TakeWhole(const nlohmann::json& value, T& number) {
  if (value.is_number_unsigned() && std::in_range<T>(value.get<std::uint64_t>())) {
    number = static_cast<T>(value.get<std::uint64_t>());
    return;
  }
  if (value.is_number_integer() && !value.is_number_unsigned() &&
      std::in_range<T>(value.get<std::int64_t>())) {
    number = static_cast<T>(value.get<std::int64_t>());
    return;
  }
  throw nlohmann::json::type_error::create(
      302,
      fmt::format("expected a whole number from {} to {}", std::numeric_limits<T>::min(),
                  std::numeric_limits<T>::max()),
      &value);
}

/// A list of them.
template <std::integral T>
void TakeWhole(const nlohmann::json& list, std::vector<T>& numbers) {
  if (!list.is_array()) {
    throw nlohmann::json::type_error::create(302, "expected a list of whole numbers", &list);
  }
  numbers.clear();
  for (const nlohmann::json& value : list) TakeWhole(value, numbers.emplace_back());
}

}  // namespace gonogo::io
