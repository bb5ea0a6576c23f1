// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gonogo::cli {

/// Columns of a help page.
inline constexpr std::size_t kHelpWidth = 80;

/// A flag or a verb with what it is for: both in one line where there is room, the text wrapped
/// beside or below it.
[[nodiscard]] std::string HelpEntry(const std::string& name, const std::string& text);

/// The text below the flags in at most `kHelpWidth` columns. Lines that begin with two spaces are
/// commands: a remark after them, two spaces apart, moves below the command where it does not fit.
/// Other lines are sentences and flow.
[[nodiscard]] std::string FoldHelp(const std::string& text);

}  // namespace gonogo::cli
