// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace gonogo::io::internal {

inline constexpr std::size_t kMostKeyParts = 64;

/// The line of the first key of too many parts, 0 when there is none. toml++ makes a table in a
/// table of each part without a limit and destroys them recursively, which a deep key turns into
/// an overflow of the stack. (It does limit nested values.)
[[nodiscard]] std::size_t LineOfDeepKey(std::string_view text);

}  // namespace gonogo::io::internal
