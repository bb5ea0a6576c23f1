// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/toml/internal/toml_depth.h"

#include <algorithm>
#include <string>

namespace gonogo::io::internal {
namespace {

/// Where a quoted part that starts at `begin` ends: past its closing quotes, or where TOML gives
/// up.
std::size_t EndOfQuoted(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const bool many_lines = text.substr(begin, 3) == std::string(3, quote);
  const std::string closing(many_lines ? 3 : 1, quote);
  for (std::size_t at = begin + closing.size(); at < text.size(); ++at) {
    if (text.substr(at, closing.size()) == closing) {
      at += closing.size();
      // Up to two quotes before the closing ones belong to the text.
      for (int i = 0; many_lines && i < 2 && at < text.size() && text[at] == quote; ++i) ++at;
      return at;
    }
    if (text[at] == '\n' && !many_lines) return at;
    if (text[at] == '\\' && quote == '"') ++at;
  }
  return text.size();
}

}  // namespace

std::size_t LineOfDeepKey(std::string_view text) {
  std::size_t line = 1;
  std::size_t dots = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      const std::size_t end = EndOfQuoted(text, at);
      line += static_cast<std::size_t>(std::ranges::count(text.substr(at, end - at), '\n'));
      at = end;
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (std::string_view("\n,=[]{}").find(c) != std::string_view::npos) dots = 0;
    if (c == '.' && ++dots >= kMostKeyParts) return line;
    if (c == '\n') ++line;
    ++at;
  }
  return 0;
}

}  // namespace gonogo::io::internal
