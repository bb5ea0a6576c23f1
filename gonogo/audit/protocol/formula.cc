// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/protocol/formula.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "gonogo/base/check.h"
#include "gonogo/base/text.h"

namespace gonogo::audit {
namespace {

constexpr std::size_t kDeepest = 100;  // parentheses and signs within each other

/// Bytes above 127 are letters of some language.
bool StartsName(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalpha(byte) != 0 || c == '_' || byte >= 0x80U;
}

bool ContinuesName(char c) {
  return StartsName(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.';
}

}  // namespace

/// Descends from sums over products to operands.
class FormulaParser {
 public:
  explicit FormulaParser(std::string_view text) : text_(text) {}

  Result<Formula> Parse() {
    GONOGO_TRY(Sum());
    SkipSpaces();
    if (at_ < text_.size()) return Unexpected("an operator (+ - * /) or the end");
    return std::move(formula_);
  }

 private:
  using Kind = Formula::Kind;

  [[nodiscard]] Error Unexpected(std::string_view expected) const {
    if (at_ >= text_.size()) {
      return InputError("formula '{}', position {}: it ends here, expected {}", Excerpt(text_),
                        at_ + 1, expected);
    }
    return InputError("formula '{}', position {}: found '{}', expected {}", Excerpt(text_), at_ + 1,
                      text_[at_], expected);
  }

  void SkipSpaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool Takes(char sign) {
    SkipSpaces();
    if (at_ >= text_.size() || text_[at_] != sign) return false;
    ++at_;
    return true;
  }

  Status Sum() {
    GONOGO_TRY(Product());
    while (true) {
      const bool adds = Takes('+');
      if (!adds && !Takes('-')) return {};
      GONOGO_TRY(Product());
      formula_.steps_.push_back({adds ? Kind::kAdd : Kind::kSubtract});
    }
  }

  Status Product() {
    GONOGO_TRY(Operand());
    while (true) {
      const bool multiplies = Takes('*');
      if (!multiplies && !Takes('/')) return {};
      GONOGO_TRY(Operand());
      formula_.steps_.push_back({multiplies ? Kind::kMultiply : Kind::kDivide});
    }
  }

  Status Operand() {
    if (++depth_ > kDeepest) return Unexpected("less than 100 parentheses within each other");
    GONOGO_TRY(OperandAtDepth());
    --depth_;
    return {};
  }

  Status OperandAtDepth() {
    if (Takes('-')) {
      GONOGO_TRY(Operand());
      formula_.steps_.push_back({Kind::kNegate});
      return {};
    }
    if (Takes('(')) {
      GONOGO_TRY(Sum());
      return Takes(')') ? Status() : Unexpected("an operator (+ - * /) or ')'");
    }
    if (Takes('`')) {
      const std::size_t end = text_.find('`', at_);
      if (end == std::string_view::npos || end == at_) {
        return Unexpected("the name of a column and another backtick");
      }
      AddColumn(text_.substr(at_, end - at_));
      at_ = end + 1;
      return {};
    }
    if (at_ < text_.size() && StartsName(text_[at_])) {
      const std::size_t begin = at_;
      while (at_ < text_.size() && ContinuesName(text_[at_])) ++at_;
      AddColumn(text_.substr(begin, at_ - begin));
      return {};
    }
    return Number();
  }

  Status Number() {
    double number = 0.0;
    const char* const first = text_.data() + at_;
    const auto [end, code] = std::from_chars(first, text_.data() + text_.size(), number);
    if (code != std::errc()) return Unexpected("a number, the name of a column, '-' or '('");
    at_ += static_cast<std::size_t>(end - first);
    formula_.steps_.push_back({Kind::kNumber, number});
    return {};
  }

  void AddColumn(std::string_view name) {
    std::vector<std::string>& columns = formula_.columns_;
    const auto known = std::find(columns.begin(), columns.end(), name);
    formula_.steps_.push_back(
        {Kind::kColumn, 0.0, static_cast<std::size_t>(known - columns.begin())});
    if (known == columns.end()) columns.emplace_back(name);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  Formula formula_;
};

Result<Formula> Formula::Parse(std::string_view text) { return FormulaParser(text).Parse(); }

Formula Formula::Column(std::string name) {
  Formula formula;
  formula.columns_ = {std::move(name)};
  formula.steps_ = {{Kind::kColumn}};
  return formula;
}

double Formula::Evaluate(std::span<const double> values) const {
  GONOGO_CHECK(values.size() == columns_.size());
  std::vector<double> stack;
  for (const Step& step : steps_) {
    if (step.kind == Kind::kNumber || step.kind == Kind::kColumn) {
      stack.push_back(step.kind == Kind::kNumber ? step.number : values[step.column]);
      continue;
    }
    const double last = stack.back();
    if (step.kind == Kind::kNegate) {
      stack.back() = -last;
      continue;
    }
    stack.pop_back();
    double& value = stack.back();
    switch (step.kind) {
      case Kind::kAdd:
        value += last;
        break;
      case Kind::kSubtract:
        value -= last;
        break;
      case Kind::kMultiply:
        value *= last;
        break;
      default:
        value /= last;
        break;
    }
  }
  return stack.back();
}

}  // namespace gonogo::audit
