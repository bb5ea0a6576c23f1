// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/base/result.h"

namespace gonogo::io {

namespace internal {

/// "model.json: members is \"two\", expected a whole number of 0 or more".
[[nodiscard]] Error WrongJson(const std::string& file, const std::string& key,
                              const nlohmann::json& found, std::string_view expected);

// Strict, unlike the library's own conversions: no number becomes true, no fraction a whole number.
[[nodiscard]] Status ReadJson(const nlohmann::json& found, const std::string& file,
                              const std::string& key, std::string& value);
[[nodiscard]] Status ReadJson(const nlohmann::json& found, const std::string& file,
                              const std::string& key, bool& value);
[[nodiscard]] Status ReadJson(const nlohmann::json& found, const std::string& file,
                              const std::string& key, double& value);
[[nodiscard]] Status ReadJson(const nlohmann::json& found, const std::string& file,
                              const std::string& key, float& value);
[[nodiscard]] Status ReadJson(const nlohmann::json& found, const std::string& file,
                              const std::string& key, int& value);
[[nodiscard]] Status ReadJson(const nlohmann::json& found, const std::string& file,
                              const std::string& key, std::uint32_t& value);
[[nodiscard]] Status ReadJson(const nlohmann::json& found, const std::string& file,
                              const std::string& key, std::uint64_t& value);
/// Anything at all.
[[nodiscard]] Status ReadJson(const nlohmann::json& found, const std::string& file,
                              const std::string& key, nlohmann::json& value);

template <typename T>
[[nodiscard]] Status ReadJson(const nlohmann::json& found, const std::string& file,
                              const std::string& key, std::vector<T>& values) {
  if (!found.is_array()) return WrongJson(file, key, found, "a list");
  values.clear();
  values.reserve(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    T value{};
    GONOGO_TRY(ReadJson(found[i], file, fmt::format("{}[{}]", key, i), value));
    values.push_back(std::move(value));
  }
  return {};
}

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
    GONOGO_TRY(internal::ReadJson(Find(key), file_, Path(key), value));
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
    return internal::ReadJson(Find(key), file_, Path(key), value);
  }

  [[nodiscard]] bool Has(const std::string& key) const { return json_->contains(key); }
  [[nodiscard]] Result<JsonObject> Object(const std::string& key) const;
  /// The objects of a list.
  [[nodiscard]] Result<std::vector<JsonObject>> Objects(const std::string& key) const;

  /// An error about a value that has the right type and is wrong all the same.
  [[nodiscard]] Error Wrong(const std::string& key, std::string_view expected) const;

 private:
  JsonObject(const nlohmann::json& value, std::string file, std::string key)
      : json_(&value), file_(std::move(file)), key_(std::move(key)) {}
  /// A discarded value when it is missing.
  [[nodiscard]] const nlohmann::json& Find(const std::string& key) const;
  [[nodiscard]] std::string Path(const std::string& key) const;

  const nlohmann::json* json_;
  std::string file_;
  std::string key_;
};

}  // namespace gonogo::io
