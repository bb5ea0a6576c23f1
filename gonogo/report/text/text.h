// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

/// Words that know which of them are numbers of a result. A sentence or a cell of a table is
/// written once; a terminal prints it plain, a page typeset and with the place every number came
/// from.
namespace gonogo::report {

/// A part of a text that a page sets differently, or that was made of a value of the result.
struct Mark {
  std::size_t begin = 0;  ///< in the plain text
  std::size_t size = 0;
  std::string typeset;
  /// Where it comes from: a JSON pointer, "constant", or a function of pointers such as
  /// "size(/folds)" (tests/pages/page_numbers_test.py lists them). Empty: only the look differs.
  std::string from = {};
};

struct Text {
  Text() = default;
  Text(std::string words) : plain(std::move(words)) {}  // NOLINT(google-explicit-constructor)
  Text(const char* words) : plain(words) {}             // NOLINT(google-explicit-constructor)
  Text(std::string words, std::string typeset, std::string from);

  std::string plain;
  std::vector<Mark> marks = {};

  [[nodiscard]] bool empty() const { return plain.empty() && marks.empty(); }
  /// As a page shows it.
  [[nodiscard]] std::string typeset() const;
  Text& operator+=(const Text& other);
};

[[nodiscard]] Text operator+(Text left, const Text& right);
[[nodiscard]] bool operator==(const Text& left, const Text& right);

/// A number that belongs to the sentence and not to the result, such as the 97.5 % of a heading.
[[nodiscard]] Text Constant(std::string words);

/// The pattern with a text for every "{}".
[[nodiscard]] Text Fill(std::string_view pattern, std::initializer_list<Text> texts);

template <typename... Parts>
[[nodiscard]] Text Say(std::string_view pattern, const Parts&... parts) {
  return Fill(pattern, {Text(parts)...});
}

/// "a", "a and b", "a, b and c"; `last` is the word before the last one.
[[nodiscard]] std::string JoinWords(const std::vector<std::string>& words,
                                    const std::string& last = "and");
[[nodiscard]] Text JoinWords(const std::vector<Text>& words, const std::string& last = "and");

/// "1 cluster", "20 clusters"; `word` in the singular, its plural ends in s unless given.
[[nodiscard]] std::string Counted(std::size_t count, const std::string& word,
                                  const std::string& plural = "");

/// The first letter as a sentence begins. The name of a key, such as learner.kind, stays as it is.
[[nodiscard]] Text Capitalised(Text text);

}  // namespace gonogo::report
