// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gonogo::io {

/// Keys and their values as TOML text, in the order in which they are written.
using TomlEntries = std::vector<std::pair<std::string, std::string>>;

/// In quotes, with everything escaped that may not stand in a TOML string.
[[nodiscard]] std::string TomlString(std::string_view text);

/// Shortest text that reads back to the same double and is a TOML float.
[[nodiscard]] std::string TomlReal(double value);

/// "[1, 2]" of items that are TOML text already.
[[nodiscard]] std::string TomlList(std::span<const std::string> items);

/// One part of a dotted key: as it is, or in quotes when it has to be.
[[nodiscard]] std::string TomlKeyPart(std::string_view name);

/// One `key = value` line per entry.
[[nodiscard]] std::string TomlLines(const TomlEntries& entries);

}  // namespace gonogo::io
