// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/nn/onnx/torchscript/code.h"
#include "gonogo/nn/onnx/torchscript/operators.h"

namespace gonogo::nn::torchscript {

/// Goes through a program's functions with tensors that have shapes but no numbers: what it asks of
/// tensors becomes nodes of the graph, everything else is worked out. Steps and depth are bounded.
class Interpreter {
 public:
  Interpreter(const Program& program, const std::vector<Value>& constants, ScriptGraph& graph)
      : program_(program), constants_(constants), graph_(graph) {}

  /// Calls a method of an object. Errors name the operator, the file and the line.
  [[nodiscard]] Result<Value> CallMethod(Object& self, const std::string& name,
                                         std::vector<Value> given);

 private:
  using Variables = std::map<std::string, Value>;
  struct Flow {
    bool returned = false;
    Value value;
  };

  [[nodiscard]] Result<Value> Run(const Function& function, std::vector<Value> given,
                                  const std::map<std::string, Value>& named);
  [[nodiscard]] Status RunBlock(const std::vector<Statement>& block, Variables& scope, Flow& flow);
  [[nodiscard]] Status RunStatement(const Statement& statement, Variables& scope, Flow& flow);
  [[nodiscard]] Status RunLoop(const Statement& statement, Variables& scope, Flow& flow);
  [[nodiscard]] Status Assign(const Expression& target, Value value, Variables& scope);

  [[nodiscard]] Result<Value> Evaluate(const Expression& expression, Variables& scope);
  [[nodiscard]] Result<Value> Name(const std::string& name, Variables& scope);
  [[nodiscard]] Result<Value> Attribute(const Value& of, const std::string& name);
  [[nodiscard]] Result<Value> Item(const Expression& expression, Variables& scope);
  [[nodiscard]] Result<Value> EvaluateCall(const Expression& expression, Variables& scope);
  [[nodiscard]] Result<Value> CallNamed(const std::string& name, std::vector<Value> given,
                                        std::map<std::string, Value> named);
  [[nodiscard]] Result<bool> Truth(const Value& value);

  const Program& program_;
  const std::vector<Value>& constants_;
  ScriptGraph& graph_;
  long steps_ = 0;
  int depth_ = 0;
  bool located_ = false;
};

}  // namespace gonogo::nn::torchscript
