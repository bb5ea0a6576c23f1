// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gonogo {

/// UTF-8 without control characters other than tabs and line breaks: what may stand in a JSON file,
/// on a page and on a terminal.
[[nodiscard]] bool IsText(std::string_view bytes);

/// Somebody's bytes as a message shows them: cut to `most` of them, those that are not text as
/// \x1b.
[[nodiscard]] std::string Excerpt(std::string_view bytes, std::size_t most = 60);

}  // namespace gonogo
