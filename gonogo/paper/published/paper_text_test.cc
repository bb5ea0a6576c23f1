// SPDX-License-Identifier: Apache-2.0
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

std::string Replaced(const std::string& text, const char* pattern, const char* by) {
  return std::regex_replace(text, std::regex(pattern), by);
}

/// The paper with its numbers as we write them: "42{,}054" is 42054, "seven of ten" is 7 of 10.
std::string ReadPaper() {
  std::ifstream file(GONOGO_SOURCE_DIR "/../shared/paper.tex");
  std::ostringstream buffer;
  buffer << file.rdbuf();
  std::string text = Replaced(buffer.str(), R"(\{,\})", "");
  text = Replaced(text, R"(\\times10\^\{-5\})", "e-05");
  const char* words[] = {"zero", "one",   "two",   "three", "four", "five",
                         "six",  "seven", "eight", "nine",  "ten"};
  for (int i = 0; i <= 10; ++i) {
    text = Replaced(text, (R"(\b)" + std::string(words[i]) + R"(\b)").c_str(),
                    std::to_string(i).c_str());
  }
  return text;
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
