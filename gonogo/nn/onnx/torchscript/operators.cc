// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/torchscript/operators.h"

#include <algorithm>

namespace gonogo::nn::torchscript {
namespace {

Error Missing(const std::string& key, const char* expected) {
  return InputError("its argument '{}' is not {}", key, expected);
}

}  // namespace

const Value* Call::Argument(std::size_t place, const std::string& key) const {
  if (place < given.size()) return &given[place];
  const auto found = named.find(key);
  return found == named.end() ? nullptr : &found->second;
}

bool Call::Has(std::size_t place, const std::string& key) const {
  const Value* value = Argument(place, key);
  return value != nullptr && !std::holds_alternative<None>(*value);
}

Result<ScriptTensor*> Call::TensorAt(std::size_t place, const std::string& key) const {
  const Value* value = Argument(place, key);
  if (value == nullptr || !std::holds_alternative<ScriptTensor*>(*value)) {
    return Missing(key, "a tensor");
  }
  return std::get<ScriptTensor*>(*value);
}

Result<ScriptTensor*> Call::NumberOrTensor(std::size_t place, const std::string& key) const {
  const Value* value = Argument(place, key);
  if (value != nullptr && std::holds_alternative<ScriptTensor*>(*value)) {
    return std::get<ScriptTensor*>(*value);
  }
  return graph.Number(GONOGO_TRY(NumberAt(place, key)));
}

Result<std::vector<ScriptTensor*>> Call::TensorsAt(std::size_t place,
                                                   const std::string& key) const {
  const Value* value = Argument(place, key);
  const auto* list = value == nullptr ? nullptr : std::get_if<Sequence*>(value);
  if (list == nullptr || (*list)->items.empty()) return Missing(key, "a list of tensors");
  std::vector<ScriptTensor*> tensors;
  for (const Value& item : (*list)->items) {
    const auto* tensor = std::get_if<ScriptTensor*>(&item);
    if (tensor == nullptr) return Missing(key, "a list of tensors");
    tensors.push_back(*tensor);
  }
  return tensors;
}

Result<std::int64_t> Call::WholeAt(std::size_t place, const std::string& key,
                                   std::optional<std::int64_t> otherwise) const {
  if (!Has(place, key) && otherwise) return *otherwise;
  const Value* value = Argument(place, key);
  const auto* number = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
  if (number == nullptr) return Missing(key, "a whole number");
  return *number;
}

Result<double> Call::NumberAt(std::size_t place, const std::string& key,
                              std::optional<double> otherwise) const {
  if (!Has(place, key) && otherwise) return *otherwise;
  const Value* value = Argument(place, key);
  if (value != nullptr) {
    if (const auto* whole = std::get_if<std::int64_t>(value)) return static_cast<double>(*whole);
    if (const auto* number = std::get_if<double>(value)) return *number;
  }
  return Missing(key, "a number");
}

Result<bool> Call::TruthAt(std::size_t place, const std::string& key,
                           std::optional<bool> otherwise) const {
  if (!Has(place, key) && otherwise) return *otherwise;
  const Value* value = Argument(place, key);
  const auto* truth = value == nullptr ? nullptr : std::get_if<bool>(value);
  if (truth == nullptr) return Missing(key, "True or False");
  return *truth;
}

Result<Shape> Call::WholesAt(std::size_t place, const std::string& key) const {
  const Value* value = Argument(place, key);
  if (value != nullptr && std::holds_alternative<std::int64_t>(*value)) {
    return Shape{std::get<std::int64_t>(*value)};
  }
  const auto* list = value == nullptr ? nullptr : std::get_if<Sequence*>(value);
  if (list == nullptr) return Missing(key, "a list of whole numbers");
  Shape numbers;
  for (const Value& item : (*list)->items) {
    const auto* number = std::get_if<std::int64_t>(&item);
    if (number == nullptr) return Missing(key, "a list of whole numbers");
    numbers.push_back(*number);
  }
  return numbers;
}

Result<std::int64_t> Call::AxisAt(std::size_t place, const std::string& key, std::int64_t rank,
                                  std::optional<std::int64_t> otherwise) const {
  const std::int64_t axis = GONOGO_TRY(WholeAt(place, key, otherwise));
  if (axis < -rank || axis >= rank) {
    return InputError("axis {} of a tensor with {} axes", axis, rank);
  }
  return axis < 0 ? axis + rank : axis;
}

Result<Shape> Broadcast(const Shape& a, const Shape& b) {
  Shape shape(std::max(a.size(), b.size()), 1);
  for (const Shape* one : {&a, &b}) {
    for (std::size_t i = 0; i < one->size(); ++i) {
      std::int64_t& dim = shape[shape.size() - one->size() + i];
      if ((*one)[i] == 1 || (*one)[i] == dim) continue;
      if (dim != 1) return InputError("shapes {} and {} do not fit", ToString(a), ToString(b));
      dim = (*one)[i];
    }
  }
  return shape;
}

Result<ScriptTensor*> Combine(ScriptGraph& graph, std::string_view op, ScriptTensor* a,
                              ScriptTensor* b) {
  Shape shape = GONOGO_TRY(Broadcast(a->shape, b->shape));
  return graph.Apply(op, {a, b}, std::move(shape));
}

Result<Value> CallOperator(const Call& call) {
  const bool on_tensor =
      !call.given.empty() &&
      (std::holds_alternative<ScriptTensor*>(call.given[0]) ||
       (call.given.size() > 1 && std::holds_alternative<ScriptTensor*>(call.given[1])));
  const auto find = [&](const std::string& name) -> Operator {
    for (const OperatorTable* table :
         {&PlainOperators(), &ElementwiseOperators(), &LayoutOperators(), &LayerOperators()}) {
      // Arithmetic of numbers and of tensors has the same names.
      const bool plain = table == &PlainOperators();
      const auto found = table->find(name);
      if (found == table->end()) continue;
      if (plain && on_tensor && ElementwiseOperators().contains(name)) continue;
      return found->second;
    }
    return nullptr;
  };
  if (const Operator found = find(call.name)) return found(call);
  if (call.name.ends_with("_") && !call.name.ends_with("__") && on_tensor) {
    const Operator found =
        ElementwiseOperators().contains(call.name.substr(0, call.name.size() - 1))
            ? find(call.name.substr(0, call.name.size() - 1))
            : nullptr;
    if (found != nullptr) {
      const Value value = GONOGO_TRY(found(call));
      ScriptTensor* target = GONOGO_TRY(call.TensorAt(0, "self"));
      ScriptTensor* result = std::get<ScriptTensor*>(value);
      if (result != target) GONOGO_TRY(call.graph.Write(*target, *result));
      return Value(target);
    }
  }
  return InputError("this operator is not supported");
}

}  // namespace gonogo::nn::torchscript
