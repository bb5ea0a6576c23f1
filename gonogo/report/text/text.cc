// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/text/text.h"

#include <fmt/format.h>

#include "gonogo/base/check.h"

namespace gonogo::report {
namespace {

template <typename Words>
Words Joined(const std::vector<Words>& words, const std::string& last) {
  Words out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " " + last + " " : std::string(", ");
    out += words[i];
  }
  return out;
}

}  // namespace

Text::Text(std::string words, std::string typeset, std::string from)
    : plain(std::move(words)), marks{{0, plain.size(), std::move(typeset), std::move(from)}} {}

std::string Text::typeset() const {
  std::string out;
  std::size_t done = 0;
  for (const Mark& mark : marks) {
    out += plain.substr(done, mark.begin - done) + mark.typeset;
    done = mark.begin + mark.size;
  }
  return out + plain.substr(done);
}

Text& Text::operator+=(const Text& other) {
  for (Mark mark : other.marks) {
    mark.begin += plain.size();
    marks.push_back(std::move(mark));
  }
  plain += other.plain;
  return *this;
}

Text operator+(Text left, const Text& right) { return std::move(left += right); }

bool operator==(const Text& left, const Text& right) { return left.plain == right.plain; }

Text Constant(std::string words) {
  std::string typeset = words;
  return {std::move(words), std::move(typeset), "constant"};
}

Text Fill(std::string_view pattern, std::initializer_list<Text> texts) {
  Text out;
  for (const Text& text : texts) {
    const std::size_t gap = pattern.find("{}");
    GONOGO_CHECK(gap != std::string_view::npos);
    out += std::string(pattern.substr(0, gap));
    out += text;
    pattern.remove_prefix(gap + 2);
  }
  GONOGO_CHECK(pattern.find("{}") == std::string_view::npos);
  return out += std::string(pattern);
}

std::string JoinWords(const std::vector<std::string>& words, const std::string& last) {
  return Joined(words, last);
}

Text JoinWords(const std::vector<Text>& words, const std::string& last) {
  return Joined(words, last);
}

std::string Counted(std::size_t count, const std::string& word, const std::string& plural) {
  if (count == 1) return "1 " + word;
  return fmt::format("{} {}", count, plural.empty() ? word + "s" : plural);
}

Text Capitalised(Text text) {
  const bool is_key = text.plain.substr(0, text.plain.find(' ')).find('.') != std::string::npos;
  const auto raise = [](std::string& words) {
    if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') words[0] -= 'a' - 'A';
  };
  if (is_key) return text;
  raise(text.plain);
  if (!text.marks.empty() && text.marks[0].begin == 0) raise(text.marks[0].typeset);
  return text;
}

}  // namespace gonogo::report
