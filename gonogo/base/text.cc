// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/text.h"

#include <algorithm>

#include <fmt/format.h>

namespace gonogo {
namespace {

unsigned Byte(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

/// Bytes of the character at the start; 0 when there is none that belongs in a text. Overlong
/// forms, surrogates and what lies beyond U+10FFFF are none (RFC 3629).
std::size_t CharacterLength(std::string_view bytes) {
  const unsigned lead = Byte(bytes, 0);
  if (lead < 0x80) {
    const bool is_control = lead < 0x20 || lead == 0x7F;
    return is_control && lead != '\t' && lead != '\n' && lead != '\r' ? 0 : 1;
  }
  const std::size_t length = lead >= 0xF0 ? 4 : (lead >= 0xE0 ? 3 : 2);
  if (lead < 0xC2 || lead > 0xF4 || bytes.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((Byte(bytes, i) & 0xC0U) != 0x80) return 0;
  }
  const unsigned second = Byte(bytes, 1);
  const bool outside = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                       (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
  return outside ? 0 : length;
}

}  // namespace

bool IsText(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t length = CharacterLength(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

std::string Excerpt(std::string_view bytes, std::size_t most) {
  if (bytes.size() <= most && IsText(bytes)) return std::string(bytes);
  std::string shown;
  while (!bytes.empty() && shown.size() + 3 < most) {
    const std::size_t length = CharacterLength(bytes);
    if (length == 0) {
      shown += fmt::format("\\x{:02x}", Byte(bytes, 0));
    } else {
      shown += bytes.substr(0, length);
    }
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return bytes.empty() ? shown : shown + "...";
}

}  // namespace gonogo
