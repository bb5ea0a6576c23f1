// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/toml/internal/toml_guard.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace gonogo::io::internal {
namespace {

bool BeyondAscii(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::size_t LinesIn(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

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

/// The letter at the start of `bytes` as TOML escapes it, and its length in bytes; nothing when it
/// is not UTF-8, which toml++ reports by itself.
struct EscapedLetter {
  std::string text;
  std::size_t bytes;
};
std::optional<EscapedLetter> Escaped(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes[0]);
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || bytes.size() < length) return {};
  std::uint32_t letter = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(bytes[i]);
    if ((next & 0xC0U) != 0x80U) return {};
    letter = (letter << 6U) | (next & 0x3FU);
  }
  return EscapedLetter{fmt::format("\\U{:08X}", letter), length};
}

/// A text of many lines between double quotes, with letters beyond ASCII escaped where toml++ may
/// still be skipping the white space after a backslash at the end of a line. Nothing when a
/// backslash stands before such a letter.
std::optional<std::string> WithEscapedStarts(std::string_view quoted) {
  std::string out;
  bool skipping = false;
  for (std::size_t at = 0; at < quoted.size(); ++at) {
    const char c = quoted[at];
    if (c == '\\' && at + 1 < quoted.size()) {
      const char next = quoted[at + 1];
      if (BeyondAscii(next)) return {};
      out += c;
      if (IsSpace(next)) {
        skipping = true;
      } else {
        out += quoted[++at];
      }
    } else if (skipping && BeyondAscii(c)) {
      const std::optional<EscapedLetter> letter = Escaped(quoted.substr(at));
      if (!letter.has_value()) return std::string(quoted);
      out += letter->text;
      at += letter->bytes - 1;
    } else {
      skipping = skipping && IsSpace(c);
      out += c;
    }
  }
  return out;
}

}  // namespace

Result<std::string> GuardedToml(std::string_view text, std::string_view name) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string out;
  std::size_t line = 1;
  std::size_t dots = 0;
  for (std::size_t at = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
       at < text.size();) {
    const char c = text[at];
    std::size_t end = at + 1;
    if (c == '"' || c == '\'') {
      end = EndOfQuoted(text, at);
      const std::string_view quoted = text.substr(at, end - at);
      if (quoted.starts_with("\"\"\"")) {
        const std::optional<std::string> escaped = WithEscapedStarts(quoted);
        if (!escaped.has_value()) {
          return InputError(
              "{}:{}: not valid TOML: the text that starts here has a backslash "
              "before a letter beyond ASCII",
              name, line);
        }
        out += *escaped;
      } else {
        out += quoted;
      }
      line += LinesIn(quoted);
      at = end;
      continue;
    }
    if (c == '#') end = std::min(text.find('\n', at), text.size());
    if (std::string_view("\n,=[]{}").find(c) != std::string_view::npos) dots = 0;
    if (c == '.' && ++dots >= kMostKeyParts) {
      return InputError("{}:{}: a dotted key has more than {} parts", name, line, kMostKeyParts);
    }
    if (BeyondAscii(c)) {
      return InputError("{}:{}: not valid TOML: letters beyond ASCII stand in quotes or comments",
                        name, line);
    }
    if (c == '\n') ++line;
    out += text.substr(at, end - at);
    at = end;
  }
  return out;
}

}  // namespace gonogo::io::internal
