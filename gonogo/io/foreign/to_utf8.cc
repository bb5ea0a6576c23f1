// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/foreign/to_utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace gonogo::io {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080U;
constexpr std::size_t kLooked = 4096;

/// Bytes of the character that begins here; 0 where it is no UTF-8.
std::size_t CharacterLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const unsigned low = first == 0xe0 ? 0xa0 : 0x80;
    const unsigned high = first == 0xed ? 0x9f : 0xbf;  // no halves of UTF-16
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const unsigned low = first == 0xf0 ? 0x90 : 0x80;
    const unsigned high = first == 0xf4 ? 0x8f : 0xbf;
    return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    std::uint64_t eight = 0;
    if (text.size() >= sizeof eight) {
      std::memcpy(&eight, text.data(), sizeof eight);
      if ((eight & kHighBits) == 0) {
        text.remove_prefix(sizeof eight);
        continue;
      }
    }
    const std::size_t length = CharacterLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

void Append(std::uint32_t code, std::string& out) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0U | (code >> 6U));
  } else if (code < 0x10000) {
    put(0xe0U | (code >> 12U));
    put(0x80U | ((code >> 6U) & 0x3fU));
  } else {
    put(0xf0U | (code >> 18U));
    put(0x80U | ((code >> 12U) & 0x3fU));
    put(0x80U | ((code >> 6U) & 0x3fU));
  }
  put(0x80U | (code & 0x3fU));
}

Result<Recoded> FromUtf16(std::string_view bytes, bool little, const std::string& name) {
  Recoded made{.text = {}, .from = little ? "UTF-16 (little-endian)" : "UTF-16 (big-endian)"};
  const auto broken = [&] {
    return InputError(
        "{}: half a character of UTF-16; the file is cut off or damaged, expected UTF-8", name);
  };
  if (bytes.size() % 2 != 0) return broken();
  const auto unit = [&](std::size_t at) {
    const auto one = static_cast<unsigned char>(bytes[at]);
    const auto two = static_cast<unsigned char>(bytes[at + 1]);
    return static_cast<std::uint32_t>(little ? one | (two << 8) : two | (one << 8));
  };
  for (std::size_t at = 2; at < bytes.size(); at += 2) {
    std::uint32_t code = unit(at);
    if (code >= 0xd800 && code < 0xe000) {
      const bool has_next = code < 0xdc00 && at + 2 < bytes.size();
      const std::uint32_t low = has_next ? unit(at + 2) : 0;
      if (low < 0xdc00 || low >= 0xe000) return broken();
      code = 0x10000 + ((code - 0xd800) << 10U) + (low - 0xdc00);
      at += 2;
    }
    Append(code, made.text);
  }
  return made;
}

/// What Windows has at 0x80 to 0x9f, where Latin-1 has control characters. 0: nothing.
constexpr std::array<std::uint16_t, 32> kWindows = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

Recoded FromWindows(std::string_view bytes) {
  Recoded made{.text = {}, .from = "Windows-1252 (Latin-1)"};
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const bool special = byte >= 0x80 && byte < 0xa0 && kWindows[byte - 0x80U] != 0;
    Append(special ? kWindows[byte - 0x80U] : byte, made.text);
  }
  return made;
}

}  // namespace

Result<std::optional<Recoded>> ToUtf8(std::string_view bytes, const std::string& name) {
  const bool little = bytes.starts_with("\xff\xfe");
  if (little || bytes.starts_with("\xfe\xff")) {
    return std::optional(GONOGO_TRY(FromUtf16(bytes, little, name)));
  }
  if (bytes.substr(0, kLooked).find('\0') != std::string_view::npos) {
    return InputError(
        "{}: has bytes of 0 and is no text, or UTF-16 without a byte order mark: save it as UTF-8",
        name);
  }
  if (IsUtf8(bytes)) return std::optional<Recoded>();
  return std::optional(FromWindows(bytes));
}

}  // namespace gonogo::io
