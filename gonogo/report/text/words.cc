// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/text/words.h"

#include <fmt/format.h>

namespace gonogo::report {

std::string JoinWords(const std::vector<std::string>& words, const std::string& last) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " " + last + " " : ", ";
    out += words[i];
  }
  return out;
}

std::string Counted(std::size_t count, const std::string& word, const std::string& plural) {
  if (count == 1) return "1 " + word;
  return fmt::format("{} {}", count, plural.empty() ? word + "s" : plural);
}

}  // namespace gonogo::report
