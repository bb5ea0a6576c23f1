// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gonogo::report {

/// The words of a text in lines of at most `width` columns, every one indented by `indent` spaces
/// and ended by a line break. A longer word has a line of its own.
[[nodiscard]] std::string Wrap(std::string_view text, std::size_t width, std::size_t indent = 0);

}  // namespace gonogo::report
