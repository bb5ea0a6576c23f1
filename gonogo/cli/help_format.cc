// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/help_format.h"

#include <sstream>

#include "gonogo/report/text/text_table.h"

namespace gonogo::cli {
namespace {

constexpr std::size_t kTextColumn = 26;

/// A command with its remark.
std::string FoldCommand(const std::string& line) {
  if (report::DisplayWidth(line) <= kHelpWidth) return line + "\n";
  const std::size_t begin = line.find_first_not_of(' ');
  const std::size_t gap = line.find("  ", begin);
  std::string command = line.substr(begin, gap == std::string::npos ? gap : gap - begin);
  std::string out;
  std::size_t indent = 2;
  // A shell goes on after a backslash.
  while (indent + command.size() > kHelpWidth) {
    const std::size_t space = command.rfind(' ', kHelpWidth - indent - 2);
    if (space == std::string::npos || space == 0) break;
    out += std::string(indent, ' ') + command.substr(0, space) + " \\\n";
    command.erase(0, space + 1);
    indent = 6;
  }
  out += std::string(indent, ' ') + command + "\n";
  if (gap != std::string::npos) out += report::Wrap(line.substr(gap), kHelpWidth, 6);
  return out;
}

}  // namespace

std::string HelpEntry(const std::string& name, const std::string& text) {
  const std::string left = "  " + name;
  std::string wrapped = report::Wrap(text, kHelpWidth, kTextColumn);
  if (wrapped.empty()) return left + "\n";
  const std::size_t width = report::DisplayWidth(left);
  if (width + 1 > kTextColumn) return left + "\n" + wrapped;
  return left + wrapped.substr(width);
}

std::string FoldHelp(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  std::string sentences;
  const auto flush = [&] {
    out += report::Wrap(sentences, kHelpWidth);
    sentences.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    const bool is_command = line.starts_with("  ");
    const bool is_heading = line.ends_with(':') && line.find(' ') == std::string::npos;
    if (!is_command && !is_heading && !line.empty()) {
      sentences += line + " ";
      continue;
    }
    flush();
    out += is_command ? FoldCommand(line) : line + "\n";
  }
  flush();
  return out;
}

}  // namespace gonogo::cli
