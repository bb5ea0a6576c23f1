// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/toml/toml_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gonogo::io {

std::string TomlString(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string TomlReal(double value) {
  std::string text = fmt::format("{}", value);
  const bool whole = std::isfinite(value) && text.find_first_of(".e") == std::string::npos;
  return whole ? text + ".0" : text;
}

std::string TomlList(std::span<const std::string> items) {
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string TomlKeyPart(std::string_view name) {
  const bool bare = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
  return bare ? std::string(name) : TomlString(name);
}

std::string TomlLines(const TomlEntries& entries) {
  std::string text;
  for (const auto& [key, value] : entries) text += fmt::format("{} = {}\n", key, value);
  return text;
}

}  // namespace gonogo::io
