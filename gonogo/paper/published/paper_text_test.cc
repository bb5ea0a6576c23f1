// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/paper/published/published.h"

/// Published numbers against the paper's own text, where that is at hand.
namespace gonogo::paper {
namespace {

void Replace(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
}

/// "seven of ten" is 7 of 10.
std::string WithDigits(const std::string& text) {
  static const std::vector<std::string> kWords{"zero", "one",   "two",   "three", "four", "five",
                                               "six",  "seven", "eight", "nine",  "ten"};
  std::string digits;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
    end = std::max(end, at + 1);
    const std::string word = text.substr(at, end - at);
    const auto found = std::find(kWords.begin(), kWords.end(), word);
    digits += found == kWords.end() ? word : std::to_string(found - kWords.begin());
    at = end;
  }
  return digits;
}

/// The paper with its numbers as we write them: "42{,}054" is 42054.
std::string ReadPaper() {
  std::ifstream file(GONOGO_SOURCE_DIR "/../shared/paper.tex");
  std::ostringstream buffer;
  buffer << file.rdbuf();
  std::string text = buffer.str();
  Replace(text, "{,}", "");
  Replace(text, "\\times10^{-5}", "e-05");
  return WithDigits(text);
}

/// The table around a label, or the text from the label to the next heading.
std::string Passage(const std::string& paper, const std::string& label) {
  const std::size_t at = paper.find("\\label{" + label + "}");
  if (at == std::string::npos) return "";
  if (label.starts_with("tab:")) {
    const std::size_t begin = paper.rfind("\\begin{table}", at);
    return paper.substr(begin, paper.find("\\end{table}", at) - begin);
  }
  const std::size_t end = std::min(paper.find("\\section{", at), paper.find("\\subsection{", at));
  return paper.substr(at, end - at);
}

/// As printed, with the minus sign of those that have one.
std::set<std::string> Tokens(const std::string& text) {
  static const std::regex kNumber(R"((^|[^0-9.])(-?[0-9]+(\.[0-9]+)?(e-[0-9]+)?))");
  std::set<std::string> tokens;
  for (std::sregex_iterator it(text.begin(), text.end(), kNumber), end; it != end; ++it) {
    tokens.insert((*it)[2]);
  }
  return tokens;
}

std::string Unsigned(const std::string& token) {
  return token.starts_with('-') ? token.substr(1) : token;
}

/// In a table the sign must be the same; a text says "reduces by 10.5 %".
bool Prints(const std::set<std::string>& printed, const std::string& token, bool with_sign) {
  if (with_sign) return printed.contains(token);
  return printed.contains(Unsigned(token)) || printed.contains("-" + Unsigned(token));
}

TEST(PaperTextTest, EveryPublishedNumberStandsWhereItsLabelSays) {
  const std::string paper = ReadPaper();
  if (paper.empty()) GTEST_SKIP() << "the paper's text is not beside this repository";
  int checked = 0;
  for (const auto& [name, table] : AllPublished()) {
    const std::string passage = Passage(paper, table.label);
    EXPECT_FALSE(passage.empty()) << name << ": no " << table.label;
    const std::set<std::string> printed = Tokens(passage);
    for (const auto& [row, entries] : table.rows) {
      for (const auto& [column, entry] : entries) {
        const bool words = table.units.at(column) == "words";
        const bool with_sign = table.label.starts_with("tab:") && !words;
        for (const std::string& token : Tokens(entry.text)) {
          EXPECT_TRUE(Prints(printed, token, with_sign))
              << name << ", " << row << ", " << column << ": " << token << " is not in "
              << table.label;
          ++checked;
        }
      }
    }
  }
  EXPECT_GT(checked, 300);
}

}  // namespace
}  // namespace gonogo::paper
