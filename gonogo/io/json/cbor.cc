// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/json/cbor.h"

#include <cstdint>
#include <vector>

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

std::optional<nlohmann::json> ParseCbor(std::string_view bytes) {
  if (!CborWalk(bytes).IsOneItem()) return std::nullopt;
  nlohmann::json value = nlohmann::json::from_cbor(bytes, /*strict=*/true,
                                                   /*allow_exceptions=*/false);
  if (value.is_discarded()) return std::nullopt;
  return value;
}

}  // namespace gonogo::io
