// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/json/json.h"

#include "gonogo/base/text.h"

namespace gonogo::io {
namespace {

/// Walks over the items without calling itself.
class CborWalk {
 public:
  explicit CborWalk(std::string_view bytes) : bytes_(bytes) {}

  /// Whether the bytes are one item, with everything in it, and nothing else.
  bool IsOneItem() {
    constexpr std::size_t kDeepest = 100;
    std::vector<std::uint64_t> missing{1};  // items of everything that is open
    while (!missing.empty()) {
      if (missing.back() == 0) {
        missing.pop_back();
        continue;
      }
      --missing.back();
      std::uint64_t inside = 0;
      if (!TakeItem(inside)) return false;
      if (inside > 0) missing.push_back(inside);
      if (missing.size() > kDeepest) return false;
    }
    return bytes_.empty();
  }

 private:
  /// The start of an item and, of a text, all of it; `inside` is how many items it holds.
  bool TakeItem(std::uint64_t& inside) {
    enum Kind : unsigned { kText = 3, kBinary = 2, kArray = 4, kMap = 5, kTag = 6, kOther = 7 };
    if (bytes_.empty()) return false;
    const auto first = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    const unsigned kind = first >> 5U;
    std::uint64_t number = 0;
    if (kind == kTag || !TakeNumber(first & 0x1FU, number)) return false;
    if (kind == kText || kind == kBinary) return Skip(number);
    // A pair of a map is two items; more than there are bytes cannot follow.
    if (kind == kArray || kind == kMap) {
      if (number > bytes_.size()) return false;
      inside = kind == kMap ? 2 * number : number;
    }
    return true;
  }

  bool TakeNumber(unsigned coded, std::uint64_t& number) {
    constexpr unsigned kOneByte = 24;
    constexpr unsigned kEightBytes = 27;
    number = coded;
    if (coded < kOneByte) return true;
    if (coded > kEightBytes) return false;  // reserved, or a length that comes later
    const std::size_t size = std::size_t{1} << (coded - kOneByte);
    if (size > bytes_.size()) return false;
    number = 0;
    for (const char byte : bytes_.substr(0, size)) {
      number = number << 8U | static_cast<unsigned char>(byte);
    }
    bytes_.remove_prefix(size);
    return true;
  }

  bool Skip(std::uint64_t count) {
    if (count > bytes_.size()) return false;
    bytes_.remove_prefix(count);
    return true;
  }

  std::string_view bytes_;
};

}  // namespace

Result<nlohmann::json> ParseJson(std::string_view text, const std::string& name) {
  using nlohmann::json;
  constexpr int kDeepest = 100;
  bool too_deep = false;
  const auto keep = [&](int depth, json::parse_event_t, const json&) {
    too_deep = too_deep || depth > kDeepest;
    return !too_deep;
  };
  json value = json::parse(text, keep, /*allow_exceptions=*/false);
  if (too_deep) return InputError("{}: nests deeper than {} levels", name, kDeepest);
  if (value.is_discarded()) return InputError("{}: not valid JSON", name);
  return value;
}

std::optional<nlohmann::json> ParseCbor(std::string_view bytes) {
  if (!CborWalk(bytes).IsOneItem()) return std::nullopt;
  nlohmann::json value = nlohmann::json::from_cbor(bytes, /*strict=*/true,
                                                   /*allow_exceptions=*/false);
  if (value.is_discarded()) return std::nullopt;
  return value;
}

using nlohmann::json;

namespace internal {
namespace {

/// A whole number within the limits of T.
template <typename T>
Status ReadWhole(const JsonValue& read, std::string_view expected, T& value) {
  const json& found = read.found;
  if (!found.is_number_integer()) return read.Wrong(expected);
  const bool fits = found.is_number_unsigned() ? std::in_range<T>(found.get<std::uint64_t>())
                                               : std::in_range<T>(found.get<std::int64_t>());
  if (!fits) return read.Wrong(expected);
  value = found.get<T>();
  return {};
}

}  // namespace

Error JsonValue::Wrong(std::string_view expected) const {
  const std::string shown =
      found.is_discarded() ? "missing"
                           : Excerpt(found.dump(-1, ' ', false, json::error_handler_t::replace));
  return InputError("{}: {} is {}, expected {}", file, key.empty() ? "the content" : key, shown,
                    expected);
}

Status JsonValue::Read(std::string& value) const {
  if (!found.is_string()) return Wrong("a text");
  value = found.get<std::string>();
  return {};
}

Status JsonValue::Read(bool& value) const {
  if (!found.is_boolean()) return Wrong("true or false");
  value = found.get<bool>();
  return {};
}

Status JsonValue::Read(double& value) const {
  if (!found.is_number()) return Wrong("a number");
  value = found.get<double>();
  return {};
}

Status JsonValue::Read(float& value) const {
  double wide = 0.0;
  GONOGO_TRY(Read(wide));
  value = static_cast<float>(wide);
  return {};
}

Status JsonValue::Read(int& value) const { return ReadWhole(*this, "a whole number", value); }

Status JsonValue::Read(std::uint32_t& value) const {
  return ReadWhole(*this, "a whole number of 0 or more", value);
}

Status JsonValue::Read(std::uint64_t& value) const {
  return ReadWhole(*this, "a whole number of 0 or more", value);
}

Status JsonValue::Read(json& value) const {
  if (found.is_discarded()) return Wrong("something");
  value = found;
  return {};
}

}  // namespace internal

Result<JsonObject> JsonObject::Open(const json& value, std::string file, std::string key) {
  if (!value.is_object()) return internal::JsonValue{value, file, key}.Wrong("an object");
  return JsonObject(value, std::move(file), std::move(key));
}

Result<JsonObject> JsonObject::Object(const std::string& key) const {
  const internal::JsonValue value = Find(key);
  return Open(value.found, file_, value.key);
}

Result<std::vector<JsonObject>> JsonObject::Objects(const std::string& key) const {
  const internal::JsonValue list = Find(key);
  if (!list.found.is_array()) return list.Wrong("a list");
  std::vector<JsonObject> objects;
  for (std::size_t i = 0; i < list.found.size(); ++i) {
    objects.push_back(GONOGO_TRY(Open(list.found[i], file_, fmt::format("{}[{}]", list.key, i))));
  }
  return objects;
}

internal::JsonValue JsonObject::Find(const std::string& key) const {
  static const json kMissing(json::value_t::discarded);
  const auto found = json_->find(key);
  return {found == json_->end() ? kMissing : *found, file_, key_.empty() ? key : key_ + "." + key};
}

}  // namespace gonogo::io
