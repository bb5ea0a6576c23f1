// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/torchscript/interpreter.h"

#include <charconv>

namespace gonogo::nn::torchscript {
namespace {

using Kind = Expression::Kind;

constexpr long kMostSteps = 200000;
constexpr int kDeepestCalls = 60;  // of calls

}  // namespace

Result<Value> Interpreter::CallMethod(Object& self, const std::string& name,
                                      std::vector<Value> given) {
  const auto type = program_.classes.find(self.type);
  if (type == program_.classes.end()) {
    return InputError("the code of {} is not in the archive", self.type);
  }
  const auto method = type->second.methods.find(name);
  if (method == type->second.methods.end()) {
    return InputError("{} has no method {}", self.type, name);
  }
  given.insert(given.begin(), Value(&self));
  return Run(method->second, std::move(given), {});
}

Result<Value> Interpreter::Run(const Function& function, std::vector<Value> given,
                               const std::map<std::string, Value>& named) {
  if (++depth_ > kDeepestCalls) return InputError("its calls are nested too deeply");
  Variables scope;
  if (given.size() > function.parameters.size()) {
    return InputError("a function is given {} values, it takes {}", given.size(),
                      function.parameters.size());
  }
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Function::Parameter& parameter = function.parameters[i];
    const auto by_name = named.find(parameter.name);
    if (i < given.size()) {
      scope[parameter.name] = std::move(given[i]);
    } else if (by_name != named.end()) {
      scope[parameter.name] = by_name->second;
    } else if (parameter.has_default) {
      scope[parameter.name] = GONOGO_TRY(Evaluate(parameter.preset, scope));
    } else {
      return InputError("a function is not given its '{}'", parameter.name);
    }
  }
  Flow flow;
  const Status done = RunBlock(function.body, scope, flow);
  if (!done.ok() && !located_) {
    located_ = true;
    return InputError("{}{}", function.file, done.error().message);
  }
  GONOGO_TRY(Status(done));
  --depth_;
  return flow.value;
}

Status Interpreter::RunBlock(const std::vector<Statement>& block, Variables& scope, Flow& flow) {
  for (const Statement& statement : block) {
    if (++steps_ > kMostSteps) return InputError(": it has more than {} steps", kMostSteps);
    const Status done = RunStatement(statement, scope, flow);
    if (!done.ok()) {
      if (located_ || done.error().message.starts_with(":")) return done;
      return InputError(":{}: {}", statement.line, done.error().message);
    }
    if (flow.returned) return {};
  }
  return {};
}

Status Interpreter::RunStatement(const Statement& statement, Variables& scope, Flow& flow) {
  switch (statement.kind) {
    case Statement::Kind::kPass:
      return {};
    case Statement::Kind::kExpression:
      GONOGO_TRY(Evaluate(statement.value, scope));
      return {};
    case Statement::Kind::kReturn:
      flow.value = GONOGO_TRY(Evaluate(statement.value, scope));
      flow.returned = true;
      return {};
    case Statement::Kind::kIf: {
      const Value condition = GONOGO_TRY(Evaluate(statement.value, scope));
      return RunBlock(GONOGO_TRY(Truth(condition)) ? statement.body : statement.otherwise, scope,
                      flow);
    }
    case Statement::Kind::kWhile:
    case Statement::Kind::kFor:
      return RunLoop(statement, scope, flow);
    case Statement::Kind::kAssign:
      break;
  }
  Value value = GONOGO_TRY(Evaluate(statement.value, scope));
  if (!statement.unpacks) return Assign(statement.targets[0], std::move(value), scope);
  const auto* sequence = std::get_if<Sequence*>(&value);
  if (sequence == nullptr || (*sequence)->items.size() != statement.targets.size()) {
    return InputError("{} values are expected", statement.targets.size());
  }
  const std::vector<Value> items = (*sequence)->items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    GONOGO_TRY(Assign(statement.targets[i], items[i], scope));
  }
  return {};
}

Status Interpreter::RunLoop(const Statement& statement, Variables& scope, Flow& flow) {
  if (statement.kind == Statement::Kind::kWhile) {
    while (!flow.returned) {
      if (++steps_ > kMostSteps) return InputError("it has more than {} steps", kMostSteps);
      const Value condition = GONOGO_TRY(Evaluate(statement.value, scope));
      if (!GONOGO_TRY(Truth(condition))) return {};
      GONOGO_TRY(RunBlock(statement.body, scope, flow));
    }
    return {};
  }
  const Value over = GONOGO_TRY(Evaluate(statement.value, scope));
  const auto* sequence = std::get_if<Sequence*>(&over);
  if (sequence == nullptr) return InputError("a loop over something that is no list");
  const std::vector<Value> items = (*sequence)->items;
  for (const Value& item : items) {
    if (++steps_ > kMostSteps) return InputError("it has more than {} steps", kMostSteps);
    GONOGO_TRY(Assign(statement.targets[0], item, scope));
    GONOGO_TRY(RunBlock(statement.body, scope, flow));
    if (flow.returned) return {};
  }
  return {};
}

Status Interpreter::Assign(const Expression& target, Value value, Variables& scope) {
  if (target.kind == Kind::kName) {
    scope[target.text] = std::move(value);
    return {};
  }
  const Value of = GONOGO_TRY(Evaluate(target.parts[0], scope));
  const auto* object = std::get_if<Object*>(&of);
  if (object == nullptr) return InputError("an attribute of something that is no module");
  if (!std::holds_alternative<ScriptTensor*>(value)) {
    return InputError("it keeps '{}', which is no tensor, from one call to the next", target.text);
  }
  (*object)->attributes[target.text] = std::move(value);
  return {};
}

Result<bool> Interpreter::Truth(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number != 0;
  if (std::holds_alternative<ScriptTensor*>(value)) {
    return InputError("what it does depends on the numbers of a tensor");
  }
  return InputError("a condition that is neither true nor false");
}

Result<Value> Interpreter::Evaluate(const Expression& expression, Variables& scope) {
  switch (expression.kind) {
    case Kind::kLiteral:
      return expression.value;
    case Kind::kName:
      return Name(expression.text, scope);
    case Kind::kAttribute:
      return Attribute(GONOGO_TRY(Evaluate(expression.parts[0], scope)), expression.text);
    case Kind::kCall:
      return EvaluateCall(expression, scope);
    case Kind::kItem:
      return Item(expression, scope);
    case Kind::kSequence: {
      std::vector<Value> items;
      for (const Expression& part : expression.parts) {
        items.push_back(GONOGO_TRY(Evaluate(part, scope)));
      }
      return Value(graph_.heap().NewSequence(std::move(items), expression.is_tuple));
    }
    case Kind::kChoice: {
      const Value condition = GONOGO_TRY(Evaluate(expression.parts[1], scope));
      return Evaluate(expression.parts[GONOGO_TRY(Truth(condition)) ? 0 : 2], scope);
    }
    case Kind::kOperation: {
      static const std::map<std::string, std::string> kNames = {
          {"+", "add"},       {"-", "sub"},       {"*", "mul"},
          {"/", "div"},       {"//", "floordiv"}, {"%", "remainder"},
          {"**", "pow"},      {"==", "eq"},       {"!=", "ne"},
          {"<", "lt"},        {">", "gt"},        {"<=", "le"},
          {">=", "ge"},       {"is", "__is__"},   {"is not", "__isnot__"},
          {"and", "__and__"}, {"or", "__or__"},   {"not", "__not__"}};
      const bool minus = expression.text == "-" && expression.parts.size() == 1;
      std::vector<Value> given;
      for (const Expression& part : expression.parts) {
        given.push_back(GONOGO_TRY(Evaluate(part, scope)));
      }
      const std::string name = minus ? "neg" : kNames.at(expression.text);
      return CallNamed("torch." + name, std::move(given), {});
    }
    case Kind::kOther:
      break;
  }
  return InputError("an expression that is not supported");
}

Result<Value> Interpreter::Name(const std::string& name, Variables& scope) {
  const auto found = scope.find(name);
  if (found != scope.end()) return found->second;
  if (name.starts_with("CONSTANTS.c")) {
    std::size_t index = 0;
    const char* end = name.data() + name.size();
    if (std::from_chars(name.data() + 11, end, index).ptr == end && index < constants_.size()) {
      return constants_[index];
    }
    return InputError("{} is not in the archive", name);
  }
  if (name == "torch.inf") return Value(std::numeric_limits<double>::infinity());
  return Value(Global{name});
}

Result<Value> Interpreter::Attribute(const Value& of, const std::string& name) {
  const auto* object = std::get_if<Object*>(&of);
  if (object == nullptr) return InputError("'{}' of something that is no module", name);
  const auto found = (*object)->attributes.find(name);
  if (found != (*object)->attributes.end()) return found->second;
  const auto type = program_.classes.find((*object)->type);
  if (type != program_.classes.end()) {
    const auto constant = type->second.constants.find(name);
    Variables none;
    if (constant != type->second.constants.end()) return Evaluate(constant->second, none);
  }
  return InputError("{} has no '{}'", (*object)->type, name);
}

Result<Value> Interpreter::Item(const Expression& expression, Variables& scope) {
  const Value of = GONOGO_TRY(Evaluate(expression.parts[0], scope));
  const auto* sequence = std::get_if<Sequence*>(&of);
  if (sequence == nullptr || expression.parts.size() != 2) {
    return InputError("an element of something that is no list");
  }
  const Value at = GONOGO_TRY(Evaluate(expression.parts[1], scope));
  const auto* index = std::get_if<std::int64_t>(&at);
  const auto size = static_cast<std::int64_t>((*sequence)->items.size());
  if (index == nullptr || *index < -size || *index >= size) {
    return InputError("a list of {} has no such element", size);
  }
  return (*sequence)->items[static_cast<std::size_t>(*index < 0 ? *index + size : *index)];
}

Result<Value> Interpreter::EvaluateCall(const Expression& expression, Variables& scope) {
  const Expression& callee = expression.parts[0];
  // The first argument of these is a type.
  const bool typed =
      callee.kind == Kind::kName && (callee.text == "annotate" || callee.text == "unchecked_cast");
  if (callee.kind == Kind::kName && callee.text == "uninitialized") return Value(None{});
  std::vector<Value> given;
  std::map<std::string, Value> named;
  const std::size_t by_place = expression.parts.size() - expression.names.size();
  for (std::size_t i = typed ? 2 : 1; i < expression.parts.size(); ++i) {
    Value value = GONOGO_TRY(Evaluate(expression.parts[i], scope));
    if (i < by_place) {
      given.push_back(std::move(value));
    } else {
      named[expression.names[i - by_place]] = std::move(value);
    }
  }
  if (typed) return given.empty() ? Result<Value>(Value(None{})) : given[0];
  if (callee.kind == Kind::kAttribute) {
    const Value of = GONOGO_TRY(Evaluate(callee.parts[0], scope));
    const auto* object = std::get_if<Object*>(&of);
    if (object == nullptr || !named.empty()) {
      return InputError("a call of '{}' that is not supported", callee.text);
    }
    return CallMethod(**object, callee.text, std::move(given));
  }
  const Value function = GONOGO_TRY(Evaluate(callee, scope));
  const auto* global = std::get_if<Global>(&function);
  if (global == nullptr) return InputError("a call of something that is no function");
  return CallNamed(global->name, std::move(given), std::move(named));
}

Result<Value> Interpreter::CallNamed(const std::string& name, std::vector<Value> given,
                                     std::map<std::string, Value> named) {
  if (name == "getattr" && given.size() == 2 && std::holds_alternative<std::string>(given[1])) {
    return Attribute(given[0], std::get<std::string>(given[1]));
  }
  const bool conversion = name == "int" || name == "float" || name == "bool";
  if (conversion && given.size() == 1) {
    if (std::holds_alternative<ScriptTensor*>(given[0])) {
      return InputError("operator '{}' asks for the numbers of a tensor", name);
    }
    if (name == "bool") return Value(GONOGO_TRY(Truth(given[0])));
    if (std::holds_alternative<std::string>(given[0])) {  // float("inf")
      const bool minus = std::get<std::string>(given[0]).starts_with("-");
      const double infinity = std::numeric_limits<double>::infinity();
      return Value(minus ? -infinity : infinity);
    }
    const Call call{graph_, name, given, {}};
    const double number = GONOGO_TRY(call.NumberAt(0, "value"));
    if (name == "float") return Value(number);
    if (!(std::abs(number) < 1e15)) return InputError("a number is too large");
    return Value(static_cast<std::int64_t>(number));
  }
  if (name == "range") {
    constexpr std::int64_t kLongest = 10000;
    const Call call{graph_, name, given, {}};
    const std::int64_t begin = given.size() > 1 ? GONOGO_TRY(call.WholeAt(0, "start")) : 0;
    const std::int64_t end = GONOGO_TRY(call.WholeAt(given.size() > 1 ? 1 : 0, "end"));
    if (given.size() > 2 || begin < -kLongest || end > kLongest) {
      return InputError("a range that is too long or has a step");
    }
    std::vector<Value> items;
    for (std::int64_t i = begin; i < end; ++i) items.emplace_back(i);
    return Value(graph_.heap().NewSequence(std::move(items), false));
  }
  if (const auto function = program_.functions.find(name); function != program_.functions.end()) {
    return Run(function->second, std::move(given), named);
  }
  const std::size_t dot = name.rfind('.');
  const bool known = name.starts_with("torch.") || name.starts_with("ops.prim.");
  if (!known) return InputError("'{}' is not supported", name);
  Call call{graph_, name.substr(dot + 1), std::move(given), std::move(named)};
  const Result<Value> result = CallOperator(call);
  if (!result.ok()) return InputError("operator '{}': {}", name, result.error().message);
  return result;
}

}  // namespace gonogo::nn::torchscript
