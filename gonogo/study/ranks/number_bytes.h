// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include <nlohmann/json.hpp>

namespace gonogo::study {

/// Arrays of numbers on their way from one rank to another travel as they lie in memory: all ranks
/// run the same build.
template <typename T>
[[nodiscard]] nlohmann::json Binary(const T* values, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<std::uint8_t> bytes(count * sizeof(T));
  if (count > 0) std::memcpy(bytes.data(), static_cast<const void*>(values), bytes.size());
  return nlohmann::json::binary(std::move(bytes));
}
template <typename T>
[[nodiscard]] nlohmann::json Binary(const std::vector<T>& values) {
  return Binary(values.data(), values.size());
}

/// Of what `Binary` made.
template <typename T>
[[nodiscard]] std::vector<T> Numbers(const nlohmann::json& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::vector<std::uint8_t>& bytes = value.get_binary();
  std::vector<T> numbers(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(static_cast<void*>(numbers.data()), bytes.data(), bytes.size());
  return numbers;
}

/// A value of JSON with such arrays in it, as bytes.
[[nodiscard]] inline std::string Cbor(const nlohmann::json& value) {
  std::string bytes;
  nlohmann::json::to_cbor(value, bytes);
  return bytes;
}

}  // namespace gonogo::study
