// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/torchscript/tokens.h"

#include <cctype>

namespace gonogo::nn::torchscript {
namespace {

bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Splits a text into tokens, line by line.
class Tokeniser {
 public:
  explicit Tokeniser(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> Run() {
    while (at_ < text_.size()) {
      if (new_line_ && !Indent()) continue;
      const char c = text_[at_];
      if (c == '\n') {
        EndLine();
      } else if (c == ' ' || c == '\r') {
        ++at_;
      } else if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (IsLetter(c)) {
        Name();
      } else if (IsDigit(c)) {
        Number();
      } else if (c == '"' || c == '\'') {
        GONOGO_TRY(Text(c));
      } else {
        GONOGO_TRY(Sign());
      }
    }
    if (!new_line_) Add(Token::Kind::kLine, "");
    for (; indents_.size() > 1; indents_.pop_back()) Add(Token::Kind::kDedent, "");
    Add(Token::Kind::kEnd, "");
    return std::move(tokens_);
  }

 private:
  void Add(Token::Kind kind, std::string text) {
    tokens_.push_back({kind, std::move(text), line_});
  }

  /// False for a line without code.
  bool Indent() {
    std::size_t spaces = 0;
    while (at_ + spaces < text_.size() && text_[at_ + spaces] == ' ') ++spaces;
    const std::size_t code = at_ + spaces;
    if (code >= text_.size() || text_[code] == '\n' || text_[code] == '#') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      if (at_ < text_.size()) ++at_;
      ++line_;
      return false;
    }
    at_ = code;
    new_line_ = false;
    if (spaces > indents_.back()) {
      indents_.push_back(spaces);
      Add(Token::Kind::kIndent, "");
    }
    while (spaces < indents_.back()) {
      indents_.pop_back();
      Add(Token::Kind::kDedent, "");
    }
    return true;
  }

  void EndLine() {
    ++at_;
    if (brackets_ == 0) {
      Add(Token::Kind::kLine, "");
      new_line_ = true;
    }
    ++line_;
  }

  void Name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (IsLetter(text_[at_]) || IsDigit(text_[at_]) ||
            (text_[at_] == '.' && at_ + 1 < text_.size() && IsLetter(text_[at_ + 1])))) {
      ++at_;
    }
    Add(Token::Kind::kName, std::string(text_.substr(begin, at_ - begin)));
  }

  void Number() {
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool exponent =
          (c == '-' || c == '+') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E');
      if (!IsDigit(c) && c != '.' && c != 'e' && c != 'E' && !exponent) break;
      ++at_;
    }
    Add(Token::Kind::kNumber, std::string(text_.substr(begin, at_ - begin)));
  }

  Status Text(char quote) {
    std::string text;
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      text += text_[at_];
    }
    if (at_ >= text_.size() || text_[at_] != quote) {
      return InputError("line {}: a text does not end", line_);
    }
    ++at_;
    Add(Token::Kind::kText, std::move(text));
    return {};
  }

  Status Sign() {
    for (const std::string_view two : {"->", "==", "!=", "<=", ">=", "//", "**"}) {
      if (text_.substr(at_, 2) == two) {
        at_ += 2;
        Add(Token::Kind::kSign, std::string(two));
        return {};
      }
    }
    const char c = text_[at_++];
    if (std::string_view("()[]{}:,=.+-*/%<>").find(c) == std::string_view::npos) {
      return InputError("line {}: character 0x{:02x} is none that TorchScript uses", line_,
                        static_cast<unsigned char>(c));
    }
    if (c == '(' || c == '[' || c == '{') ++brackets_;
    if ((c == ')' || c == ']' || c == '}') && brackets_ > 0) --brackets_;
    Add(Token::Kind::kSign, std::string(1, c));
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  int brackets_ = 0;
  bool new_line_ = true;
  std::vector<std::size_t> indents_{0};
  std::vector<Token> tokens_;
};

}  // namespace

Result<std::vector<Token>> Tokenise(std::string_view text) { return Tokeniser(text).Run(); }

}  // namespace gonogo::nn::torchscript
