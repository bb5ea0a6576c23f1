// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/nn/onnx/torchscript/value.h"

/// \file
/// The code text of a TorchScript archive: the part of Python that PyTorch prints. Types are read
/// and forgotten.

namespace gonogo::nn::torchscript {

struct Expression {
  enum class Kind {
    kLiteral,    ///< `value`
    kName,       ///< `text`, with its dots: "torch.linear" or a variable
    kAttribute,  ///< `text` of parts[0]
    kCall,       ///< parts[0] with the other parts; the last `names.size()` of them have names
    kItem,       ///< parts[0] [parts[1]]
    kSequence,   ///< list or tuple of parts
    kOperation,  ///< `text` on one or two parts, such as "+"
    kChoice,     ///< parts[0] if parts[1] else parts[2]
    kOther,      ///< what is read but never worked out, such as a type with arguments
  };
  Kind kind = Kind::kOther;
  Value value;
  std::string text;
  bool is_tuple = false;
  std::vector<std::string> names;
  std::vector<Expression> parts;
};

struct Statement {
  enum class Kind { kAssign, kExpression, kReturn, kIf, kWhile, kFor, kPass };
  Kind kind = Kind::kPass;
  int line = 0;
  std::vector<Expression> targets;  ///< kAssign: names or attributes, several for a tuple; kFor
  bool unpacks = false;             ///< kAssign: the value is taken apart
  Expression value;                 ///< assigned, returned, the condition, or what is gone through
  std::vector<Statement> body;
  std::vector<Statement> otherwise;
};

struct Function {
  struct Parameter {
    std::string name;
    bool has_default = false;
    Expression preset;
  };
  std::string file;
  std::vector<Parameter> parameters;
  std::vector<Statement> body;
};

struct Class {
  std::map<std::string, Expression> constants;
  std::map<std::string, Function> methods;
  std::vector<std::string> fields;  ///< attributes, in their order: those of a named tuple
};

/// All code of an archive; keys are names with their modules, such as "__torch__.Policy".
struct Program {
  std::map<std::string, Class> classes;
  std::map<std::string, Function> functions;
};

/// Adds what a file "code/__torch__/….py" says. Errors name the file and the line.
[[nodiscard]] Status ReadCode(const std::string& file, std::string_view text, Program& program);

}  // namespace gonogo::nn::torchscript
