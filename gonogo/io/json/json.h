// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gonogo/base/result.h"

namespace gonogo::io {

/// Reads JSON that somebody else may have written; `name` stands for the file in messages. Refuses
/// what nests deeper than 100 levels: writing it again is recursive, and its indentation quadratic.
[[nodiscard]] Result<nlohmann::json> ParseJson(std::string_view text, const std::string& name);

/// Reads CBOR (RFC 8949) that may come from a damaged or strange file: what `json::to_cbor` writes,
/// that is without tags and with lengths given beforehand. Nothing when it is anything else or
/// nests deeper than 100 levels: the library's own reader calls itself for every level.
[[nodiscard]] std::optional<nlohmann::json> ParseCbor(std::string_view bytes);

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

namespace internal {

/// A value of a JSON file with its place, which messages name: "model.json: members is \"two\",
/// expected a whole number of 0 or more". Strict, unlike the library's own conversions: no number
/// becomes true, no fraction a whole number.
struct JsonValue {
  const nlohmann::json& found;  ///< a discarded value when it is missing
  const std::string& file;
  std::string key;

  [[nodiscard]] Error Wrong(std::string_view expected) const;
  [[nodiscard]] Status Read(std::string& value) const;
  [[nodiscard]] Status Read(bool& value) const;
  [[nodiscard]] Status Read(double& value) const;
  [[nodiscard]] Status Read(float& value) const;
  [[nodiscard]] Status Read(int& value) const;
  [[nodiscard]] Status Read(std::uint32_t& value) const;
  [[nodiscard]] Status Read(std::uint64_t& value) const;
  [[nodiscard]] Status Read(nlohmann::json& value) const;  ///< anything at all

  template <typename T>
  [[nodiscard]] Status Read(std::vector<T>& values) const {
    if (!found.is_array()) return Wrong("a list");
    values.clear();
    values.reserve(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      T value{};
      GONOGO_TRY((JsonValue{found[i], file, fmt::format("{}[{}]", key, i)}.Read(value)));
      values.push_back(std::move(value));
    }
    return {};
  }
};

}  // namespace internal

/// An object of a JSON file that somebody else may have written, or damaged. Every access names
/// the file, the key, what was found and what was expected instead of throwing. Texts, truth
/// values, numbers, lists of them and `nlohmann::json` can be read. The JSON must outlive it.
class JsonObject {
 public:
  /// Refuses JSON that is no object; `file` and `key` stand for it in messages. The top of a file
  /// has no key.
  [[nodiscard]] static Result<JsonObject> Open(const nlohmann::json& value, std::string file,
                                               std::string key = "");

  /// The value of a key that has to be there.
  template <typename T>
  [[nodiscard]] Result<T> Get(const std::string& key) const {
    T value{};
    GONOGO_TRY(Find(key).Read(value));
    return value;
  }
  /// The value of a key that may be missing.
  template <typename T>
  [[nodiscard]] Result<T> Get(const std::string& key, T otherwise) const {
    if (!Has(key)) return otherwise;
    return Get<T>(key);
  }
  /// The same into a place that exists already.
  template <typename T>
  [[nodiscard]] Status Read(const std::string& key, T& value) const {
    return Find(key).Read(value);
  }

  [[nodiscard]] bool Has(const std::string& key) const { return json_->contains(key); }
  [[nodiscard]] Result<JsonObject> Object(const std::string& key) const;
  /// The objects of a list.
  [[nodiscard]] Result<std::vector<JsonObject>> Objects(const std::string& key) const;

  /// An error about a value that has the right type and is wrong all the same.
  [[nodiscard]] Error Wrong(const std::string& key, std::string_view expected) const {
    return Find(key).Wrong(expected);
  }

 private:
  JsonObject(const nlohmann::json& value, std::string file, std::string key)
      : json_(&value), file_(std::move(file)), key_(std::move(key)) {}
  [[nodiscard]] internal::JsonValue Find(const std::string& key) const;

  const nlohmann::json* json_;
  std::string file_;
  std::string key_;
};

}  // namespace gonogo::io
