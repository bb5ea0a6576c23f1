// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/torchscript/code.h"

#include <array>
#include <charconv>

#include "gonogo/nn/onnx/torchscript/tokens.h"

namespace gonogo::nn::torchscript {
namespace {

using Kind = Expression::Kind;

constexpr int kDeepest = 100;

/// Operators by how strongly they bind, weakest first.
constexpr std::array<std::string_view, 6> kBinary = {" or ",  " and ",      " == != < > <= >= is ",
                                                     " + - ", " * / // % ", " ** "};

/// Reads one file by recursive descent.
class Parser {
 public:
  Parser(const std::string& file, std::vector<Token> tokens)
      : file_(file), tokens_(std::move(tokens)) {}

  Status ReadFile(const std::string& module, Program& program) {
    while (now().kind != Token::Kind::kEnd) {
      if (IsName("class")) {
        GONOGO_TRY(ReadClass(module, program));
      } else if (IsName("def")) {
        auto [name, function] = GONOGO_TRY(ReadFunction());
        program.functions[module + "." + name] = std::move(function);
      } else {
        return Unexpected();
      }
    }
    return {};
  }

  [[nodiscard]] int line() const { return now().line; }

 private:
  [[nodiscard]] const Token& now() const { return tokens_[at_]; }
  void Next() { at_ += at_ + 1 < tokens_.size() ? 1 : 0; }
  [[nodiscard]] bool IsSign(std::string_view text) const {
    return now().kind == Token::Kind::kSign && now().text == text;
  }
  [[nodiscard]] bool IsName(std::string_view text) const {
    return now().kind == Token::Kind::kName && now().text == text;
  }
  bool Accept(std::string_view sign) {
    if (!IsSign(sign)) return false;
    Next();
    return true;
  }
  Status Expect(std::string_view sign) { return Accept(sign) ? Status() : Unexpected(); }
  Status ExpectKind(Token::Kind kind) {
    if (now().kind != kind) return Unexpected();
    Next();
    return {};
  }
  Result<std::string> TakeName() {
    if (now().kind != Token::Kind::kName) return Unexpected();
    std::string name = now().text;
    Next();
    return name;
  }
  [[nodiscard]] Error Unexpected() const { return InputError("'{}' was not expected", now().text); }

  Status ReadClass(const std::string& module, Program& program) {
    Next();
    Class& read = program.classes[module + "." + GONOGO_TRY(TakeName())];
    GONOGO_TRY(Expect("("));
    while (!IsSign(")") && now().kind != Token::Kind::kEnd) Next();
    GONOGO_TRY(Expect(")"));
    GONOGO_TRY(Expect(":"));
    GONOGO_TRY(ExpectKind(Token::Kind::kLine));
    GONOGO_TRY(ExpectKind(Token::Kind::kIndent));
    while (now().kind != Token::Kind::kDedent && now().kind != Token::Kind::kEnd) {
      if (IsName("def")) {
        auto [name, function] = GONOGO_TRY(ReadFunction());
        read.methods[name] = std::move(function);
        continue;
      }
      GONOGO_TRY(ReadAttribute(read));
    }
    if (now().kind == Token::Kind::kDedent) Next();
    return {};
  }

  /// `name : type`, `name : type = constant`, `name = constant`, `__annotations__["0"] = type`.
  Status ReadAttribute(Class& read) {
    Expression target = GONOGO_TRY(ReadExpression());
    if (Accept(":")) {
      GONOGO_TRY(ReadExpression());
      read.fields.push_back(target.text);
    }
    if (Accept("=")) {
      Expression value = GONOGO_TRY(ReadExpression());
      if (target.kind == Kind::kName) read.constants[target.text] = std::move(value);
    }
    return ExpectKind(Token::Kind::kLine);
  }

  Result<std::pair<std::string, Function>> ReadFunction() {
    Next();
    std::pair<std::string, Function> read;
    read.first = GONOGO_TRY(TakeName());
    read.second.file = file_;
    GONOGO_TRY(Expect("("));
    while (!Accept(")")) {
      Function::Parameter parameter;
      parameter.name = GONOGO_TRY(TakeName());
      if (Accept(":")) GONOGO_TRY(ReadExpression());
      parameter.has_default = Accept("=");
      if (parameter.has_default) parameter.preset = GONOGO_TRY(ReadExpression());
      read.second.parameters.push_back(std::move(parameter));
      if (!Accept(",") && !IsSign(")")) return Unexpected();
    }
    if (Accept("->")) GONOGO_TRY(ReadExpression());
    read.second.body = GONOGO_TRY(ReadBlock());
    return read;
  }

  Result<std::vector<Statement>> ReadBlock() {
    if (++depth_ > kDeepest) return InputError("blocks are nested too deeply");
    GONOGO_TRY(Expect(":"));
    GONOGO_TRY(ExpectKind(Token::Kind::kLine));
    GONOGO_TRY(ExpectKind(Token::Kind::kIndent));
    std::vector<Statement> block;
    while (now().kind != Token::Kind::kDedent && now().kind != Token::Kind::kEnd) {
      Statement statement = GONOGO_TRY(ReadStatement());
      block.push_back(std::move(statement));
    }
    if (now().kind == Token::Kind::kDedent) Next();
    --depth_;
    return block;
  }

  Result<Statement> ReadStatement() {
    Statement statement;
    statement.line = now().line;
    if (IsName("if") || IsName("while")) {
      statement.kind = IsName("if") ? Statement::Kind::kIf : Statement::Kind::kWhile;
      Next();
      statement.value = GONOGO_TRY(ReadExpression());
      statement.body = GONOGO_TRY(ReadBlock());
      if (IsName("else")) {
        Next();
        statement.otherwise = GONOGO_TRY(ReadBlock());
      }
      return statement;
    }
    if (IsName("for")) {
      statement.kind = Statement::Kind::kFor;
      Next();
      statement.targets.push_back(GONOGO_TRY(ReadPostfix()));
      if (!IsName("in")) return Unexpected();
      Next();
      statement.value = GONOGO_TRY(ReadExpression());
      statement.body = GONOGO_TRY(ReadBlock());
      return statement;
    }
    if (IsName("pass")) {
      Next();
    } else if (IsName("return")) {
      statement.kind = Statement::Kind::kReturn;
      Next();
      statement.value = GONOGO_TRY(ReadList());
    } else {
      GONOGO_TRY(ReadAssignment(statement));
    }
    GONOGO_TRY(ExpectKind(Token::Kind::kLine));
    return statement;
  }

  Status ReadAssignment(Statement& statement) {
    Expression first = GONOGO_TRY(ReadList());
    if (Accept(":")) GONOGO_TRY(ReadExpression());
    if (!Accept("=")) {
      statement.kind = Statement::Kind::kExpression;
      statement.value = std::move(first);
      return {};
    }
    statement.kind = Statement::Kind::kAssign;
    statement.unpacks = first.kind == Kind::kSequence;
    if (statement.unpacks) {
      statement.targets = std::move(first.parts);
    } else {
      statement.targets.push_back(std::move(first));
    }
    for (const Expression& target : statement.targets) {
      if (target.kind != Kind::kName && target.kind != Kind::kAttribute) return Unexpected();
    }
    statement.value = GONOGO_TRY(ReadList());
    return {};
  }

  /// An expression, or a tuple of them without brackets.
  Result<Expression> ReadList() {
    Expression first = GONOGO_TRY(ReadExpression());
    if (!IsSign(",")) return first;
    Expression tuple{.kind = Kind::kSequence, .is_tuple = true};
    tuple.parts.push_back(std::move(first));
    while (Accept(",")) {
      if (IsSign("=") || now().kind == Token::Kind::kLine) break;
      Expression part = GONOGO_TRY(ReadExpression());
      tuple.parts.push_back(std::move(part));
    }
    return tuple;
  }

  Result<Expression> ReadExpression() {
    if (++depth_ > kDeepest) return InputError("an expression is nested too deeply");
    Expression value = GONOGO_TRY(ReadBinary(0));
    if (IsName("if")) {
      Next();
      Expression condition = GONOGO_TRY(ReadBinary(0));
      if (!IsName("else")) return Unexpected();
      Next();
      Expression otherwise = GONOGO_TRY(ReadExpression());
      Expression choice{.kind = Kind::kChoice};
      choice.parts = {std::move(value), std::move(condition), std::move(otherwise)};
      value = std::move(choice);
    }
    --depth_;
    return value;
  }

  [[nodiscard]] bool IsOperator(std::string_view level) const {
    if (now().kind != Token::Kind::kSign && now().kind != Token::Kind::kName) return false;
    return level.find(" " + now().text + " ") != std::string_view::npos;
  }

  Result<Expression> ReadBinary(std::size_t level) {
    if (level == kBinary.size()) return ReadUnary();
    Expression left = GONOGO_TRY(ReadBinary(level + 1));
    while (IsOperator(kBinary[level])) {
      Expression operation{.kind = Kind::kOperation, .text = now().text};
      Next();
      if (operation.text == "is" && IsName("not")) {
        operation.text = "is not";
        Next();
      }
      Expression right = GONOGO_TRY(ReadBinary(level + 1));
      operation.parts = {std::move(left), std::move(right)};
      left = std::move(operation);
    }
    return left;
  }

  Result<Expression> ReadUnary() {
    if (!IsSign("-") && !IsName("not")) return ReadPostfix();
    if (++depth_ > kDeepest) return InputError("an expression is nested too deeply");
    Expression operation{.kind = Kind::kOperation, .text = now().text};
    Next();
    operation.parts.push_back(GONOGO_TRY(ReadUnary()));
    --depth_;
    return operation;
  }

  Result<Expression> ReadPostfix() {
    Expression value = GONOGO_TRY(ReadPrimary());
    while (true) {
      if (Accept("(")) {
        Expression call{.kind = Kind::kCall};
        call.parts.push_back(std::move(value));
        while (!Accept(")")) GONOGO_TRY(ReadArgument(call));
        value = std::move(call);
      } else if (Accept("[")) {
        Expression item{.kind = Kind::kItem};
        item.parts.push_back(std::move(value));
        while (!Accept("]")) {
          item.parts.push_back(GONOGO_TRY(ReadExpression()));
          if (!Accept(",") && !IsSign("]")) return Unexpected();
        }
        value = std::move(item);
      } else if (Accept(".")) {
        Expression attribute{.kind = Kind::kAttribute, .text = GONOGO_TRY(TakeName())};
        attribute.parts.push_back(std::move(value));
        value = std::move(attribute);
      } else {
        return value;
      }
    }
  }

  Status ReadArgument(Expression& call) {
    const bool named = now().kind == Token::Kind::kName && at_ + 1 < tokens_.size() &&
                       tokens_[at_ + 1].kind == Token::Kind::kSign && tokens_[at_ + 1].text == "=";
    if (named) {
      call.names.push_back(now().text);
      Next();
      Next();
    } else if (!call.names.empty()) {
      return Unexpected();
    }
    call.parts.push_back(GONOGO_TRY(ReadExpression()));
    if (!Accept(",") && !IsSign(")")) return Unexpected();
    return {};
  }

  Result<Expression> ReadPrimary() {
    const Token token = now();
    switch (token.kind) {
      case Token::Kind::kNumber:
        Next();
        return ReadNumber(token.text);
      case Token::Kind::kText:
        Next();
        return Expression{.kind = Kind::kLiteral, .value = token.text};
      case Token::Kind::kName:
        Next();
        if (token.text == "None") return Expression{.kind = Kind::kLiteral, .value = None{}};
        if (token.text == "True") return Expression{.kind = Kind::kLiteral, .value = true};
        if (token.text == "False") return Expression{.kind = Kind::kLiteral, .value = false};
        return ReadDotted(token.text);
      default:
        break;
    }
    if (Accept("{")) {
      while (!Accept("}")) {
        GONOGO_TRY(ReadExpression());
        if (!Accept(":") && !Accept(",") && !IsSign("}")) return Unexpected();
      }
      return Expression{};
    }
    const bool tuple = IsSign("(");
    if (!tuple && !IsSign("[")) return Unexpected();
    Next();
    Expression sequence{.kind = Kind::kSequence, .is_tuple = tuple};
    bool comma = false;
    while (!Accept(tuple ? ")" : "]")) {
      sequence.parts.push_back(GONOGO_TRY(ReadExpression()));
      const bool more = Accept(",");
      comma = comma || more;
      if (!more && !IsSign(tuple ? ")" : "]")) return Unexpected();
    }
    if (tuple && sequence.parts.size() == 1 && !comma) return std::move(sequence.parts[0]);
    return sequence;
  }

  /// "self.actor" is an attribute of a variable, "torch.linear" a name with its module.
  static Expression ReadDotted(const std::string& text) {
    const std::size_t dot = text.find('.');
    const std::string first = text.substr(0, dot);
    if (dot == std::string::npos || first == "torch" || first == "ops" || first == "__torch__" ||
        first == "CONSTANTS") {
      return {.kind = Kind::kName, .text = text};
    }
    Expression value{.kind = Kind::kName, .text = first};
    for (std::size_t begin = dot; begin != std::string::npos;) {
      const std::size_t end = text.find('.', begin + 1);
      Expression attribute{.kind = Kind::kAttribute,
                           .text = text.substr(begin + 1, end - begin - 1)};
      attribute.parts.push_back(std::move(value));
      value = std::move(attribute);
      begin = end;
    }
    return value;
  }

  static Result<Expression> ReadNumber(const std::string& text) {
    const char* end = text.data() + text.size();
    const auto reads = [&](auto& number) {
      const auto read = std::from_chars(text.data(), end, number);
      return read.ec == std::errc() && read.ptr == end;
    };
    std::int64_t whole = 0;
    if (reads(whole)) return Expression{.kind = Kind::kLiteral, .value = whole};
    double number = 0.0;
    if (reads(number)) return Expression{.kind = Kind::kLiteral, .value = number};
    return InputError("'{}' is no number", text);
  }

  const std::string& file_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Status ReadCode(const std::string& file, std::string_view text, Program& program) {
  // "code/__torch__/torch/nn/functional.py" is the module __torch__.torch.nn.functional.
  std::string module = file.substr(file.find("__torch__"));
  module.resize(module.size() - 3);
  for (char& c : module) c = c == '/' ? '.' : c;
  Result<std::vector<Token>> tokens = Tokenise(text);
  if (!tokens.ok()) return InputError("{}: {}", file, tokens.error().message);
  Parser parser(file, std::move(tokens).value());
  const Status read = parser.ReadFile(module, program);
  if (!read.ok()) return InputError("{}: line {}: {}", file, parser.line(), read.error().message);
  return {};
}

}  // namespace gonogo::nn::torchscript
