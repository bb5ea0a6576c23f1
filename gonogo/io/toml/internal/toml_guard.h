// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "gonogo/base/result.h"

namespace gonogo::io::internal {

inline constexpr std::size_t kMostKeyParts = 64;

/// `text` such that toml++ can be given it, meaning the same and with the same lines, or why it
/// cannot. Two habits of toml++ 3.3 and 3.4 are kept from hostile files:
/// - It makes a table in a table of each part of a dotted key without a limit and destroys them
///   recursively, which a deep key turns into an overflow of the stack. (It does limit nested
///   values.)
/// - Its table of white space takes for impossible (undefined behaviour) that it is asked about
///   most letters beyond ASCII. It asks outside quotes and comments, where TOML allows none of
///   them, and in texts of many lines after a backslash.
[[nodiscard]] Result<std::string> GuardedToml(std::string_view text, std::string_view name);

}  // namespace gonogo::io::internal
