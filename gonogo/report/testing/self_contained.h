// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <regex>
#include <string>
#include <vector>

namespace gonogo::report::internal {

/// The page without the contents of its scripts: what a browser reads as HTML and CSS.
inline std::string WithoutScripts(const std::string& html) {
  std::string out;
  std::size_t from = 0;
  for (;;) {
    const std::size_t open = html.find("<script", from);
    if (open == std::string::npos) return out + html.substr(from);
    const std::size_t body = html.find('>', open) + 1;
    out += html.substr(from, body - from);
    from = html.find("</script>", body);
  }
}

/// The words of the page: what a reader without JavaScript reads, with a bar between cells.
inline std::string WithoutTags(const std::string& html) {
  std::string text =
      std::regex_replace(WithoutScripts(html), std::regex("</t[dh]><t[dh][^>]*>"), "|");
  text = std::regex_replace(text, std::regex("<[^>]*>"), "");
  for (const auto& [entity, letter] :
       {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}}) {
    text = std::regex_replace(text, std::regex(entity), letter);
  }
  return text;
}

/// Everything in the page that would make a browser fetch something; for tests.
inline std::vector<std::string> Loads(const std::string& html) {
  static const std::regex kLoad(
      R"re((src|srcset|href|action|data|poster)\s*=\s*"(?!#|data:)[^"]*"|@import|url\()re");
  const std::string text = WithoutScripts(html);
  std::vector<std::string> loads;
  for (std::sregex_iterator it(text.begin(), text.end(), kLoad), end; it != end; ++it) {
    loads.push_back(it->str());
  }
  return loads;
}

}  // namespace gonogo::report::internal
