// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/text/wrap.h"

#include <algorithm>

#include "gonogo/report/text/text_table.h"

namespace gonogo::report {

std::string Wrap(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::string line;
  const auto finish = [&] {
    if (!line.empty()) out += std::string(indent, ' ') + line + "\n";
    line.clear();
  };
  while (!text.empty()) {
    const std::size_t begin = text.find_first_not_of(" \n");
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    const bool fits = indent + DisplayWidth(line) + 1 + DisplayWidth(word) <= width;
    if (!line.empty() && !fits) finish();
    if (!line.empty()) line += ' ';
    line += word;
  }
  finish();
  return out;
}

}  // namespace gonogo::report
