// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/json/json_object.h"

#include <utility>

#include "gonogo/base/text.h"

namespace gonogo::io {

using nlohmann::json;

namespace internal {
namespace {

/// What stands in a file, cut short; a discarded value was not there.
std::string Show(const json& found) {
  if (found.is_discarded()) return "missing";
  return Excerpt(found.dump(-1, ' ', false, json::error_handler_t::replace));
}

/// A whole number within the limits of T.
template <typename T>
Status ReadWhole(const json& found, const std::string& file, const std::string& key,
                 std::string_view expected, T& value) {
  if (!found.is_number_integer()) return WrongJson(file, key, found, expected);
  const bool fits = found.is_number_unsigned() ? std::in_range<T>(found.get<std::uint64_t>())
                                               : std::in_range<T>(found.get<std::int64_t>());
  if (!fits) return WrongJson(file, key, found, expected);
  value = found.get<T>();
  return {};
}

}  // namespace

Error WrongJson(const std::string& file, const std::string& key, const json& found,
                std::string_view expected) {
  return InputError("{}: {} is {}, expected {}", file, key.empty() ? "the content" : key,
                    Show(found), expected);
}

Status ReadJson(const json& found, const std::string& file, const std::string& key,
                std::string& value) {
  if (!found.is_string()) return WrongJson(file, key, found, "a text");
  value = found.get<std::string>();
  return {};
}

Status ReadJson(const json& found, const std::string& file, const std::string& key, bool& value) {
  if (!found.is_boolean()) return WrongJson(file, key, found, "true or false");
  value = found.get<bool>();
  return {};
}

Status ReadJson(const json& found, const std::string& file, const std::string& key, double& value) {
  if (!found.is_number()) return WrongJson(file, key, found, "a number");
  value = found.get<double>();
  return {};
}

Status ReadJson(const json& found, const std::string& file, const std::string& key, float& value) {
  double wide = 0.0;
  GONOGO_TRY(ReadJson(found, file, key, wide));
  value = static_cast<float>(wide);
  return {};
}

Status ReadJson(const json& found, const std::string& file, const std::string& key, int& value) {
  return ReadWhole(found, file, key, "a whole number", value);
}

Status ReadJson(const json& found, const std::string& file, const std::string& key,
                std::uint32_t& value) {
  return ReadWhole(found, file, key, "a whole number of 0 or more", value);
}

Status ReadJson(const json& found, const std::string& file, const std::string& key,
                std::uint64_t& value) {
  return ReadWhole(found, file, key, "a whole number of 0 or more", value);
}

Status ReadJson(const json& found, const std::string& file, const std::string& key, json& value) {
  if (found.is_discarded()) return WrongJson(file, key, found, "something");
  value = found;
  return {};
}

}  // namespace internal

Result<JsonObject> JsonObject::Open(const json& value, std::string file, std::string key) {
  if (!value.is_object()) return internal::WrongJson(file, key, value, "an object");
  return JsonObject(value, std::move(file), std::move(key));
}

Result<JsonObject> JsonObject::Object(const std::string& key) const {
  return Open(Find(key), file_, Path(key));
}

Result<std::vector<JsonObject>> JsonObject::Objects(const std::string& key) const {
  const json& list = Find(key);
  if (!list.is_array()) return internal::WrongJson(file_, Path(key), list, "a list");
  std::vector<JsonObject> objects;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string place = fmt::format("{}[{}]", Path(key), i);
    JsonObject object = GONOGO_TRY(Open(list[i], file_, place));
    objects.push_back(std::move(object));
  }
  return objects;
}

Error JsonObject::Wrong(const std::string& key, std::string_view expected) const {
  return internal::WrongJson(file_, Path(key), Find(key), expected);
}

const json& JsonObject::Find(const std::string& key) const {
  static const json kMissing(json::value_t::discarded);
  const auto found = json_->find(key);
  return found == json_->end() ? kMissing : *found;
}

std::string JsonObject::Path(const std::string& key) const {
  return key_.empty() ? key : key_ + "." + key;
}

}  // namespace gonogo::io
