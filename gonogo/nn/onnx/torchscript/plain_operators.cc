// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "gonogo/nn/onnx/torchscript/operators.h"

namespace gonogo::nn::torchscript {
namespace {

bool AreWhole(const Call& call) {
  return call.given.size() == 2 && std::holds_alternative<std::int64_t>(call.given[0]) &&
         std::holds_alternative<std::int64_t>(call.given[1]);
}

constexpr std::int64_t kLargest = std::int64_t{1} << 62U;

template <char kOp>
Result<Value> Arithmetic(const Call& call) {
  if (AreWhole(call) && kOp != '/') {
    const auto a = static_cast<__int128>(std::get<std::int64_t>(call.given[0]));
    const auto b = static_cast<__int128>(std::get<std::int64_t>(call.given[1]));
    if ((kOp == 'f' || kOp == '%') && b == 0) return InputError("it divides by 0");
    __int128 result = 0;
    if constexpr (kOp == '+') result = a + b;
    if constexpr (kOp == '-') result = a - b;
    if constexpr (kOp == '*') result = a * b;
    if constexpr (kOp == 'f' || kOp == '%') {
      const __int128 quotient = a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
      result = kOp == 'f' ? quotient : a - quotient * b;
    }
    if (result > kLargest || result < -kLargest) return InputError("a number is too large");
    return Value(static_cast<std::int64_t>(result));
  }
  const double a = GONOGO_TRY(call.NumberAt(0, "self"));
  const double b = GONOGO_TRY(call.NumberAt(1, "other"));
  if constexpr (kOp == '+') return Value(a + b);
  if constexpr (kOp == '-') return Value(a - b);
  if constexpr (kOp == '*') return Value(a * b);
  if constexpr (kOp == '/') return Value(a / b);
  if constexpr (kOp == 'f') return Value(std::floor(a / b));
  return Value(a - std::floor(a / b) * b);
}

/// Numbers by their value, texts, truths and None by theirs, lists item by item.
Result<bool> AreEqual(const Value& a, const Value& b, int depth = 0) {
  if (depth > 20) return InputError("a list is nested too deeply");
  const auto* list = std::get_if<Sequence*>(&a);
  const auto* other = std::get_if<Sequence*>(&b);
  if (list != nullptr && other != nullptr) {
    if ((*list)->items.size() != (*other)->items.size()) return false;
    for (std::size_t i = 0; i < (*list)->items.size(); ++i) {
      if (!GONOGO_TRY(AreEqual((*list)->items[i], (*other)->items[i], depth + 1))) return false;
    }
    return true;
  }
  const auto number = [](const Value& value) -> std::optional<double> {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return std::nullopt;
  };
  if (number(a) && number(b)) return *number(a) == *number(b);
  if (a.index() != b.index()) return false;
  if (const auto* text = std::get_if<std::string>(&a)) return *text == std::get<std::string>(b);
  if (const auto* truth = std::get_if<bool>(&a)) return *truth == std::get<bool>(b);
  if (std::holds_alternative<None>(a)) return true;
  return InputError("these values cannot be compared");
}

template <bool kWanted>
Result<Value> Equal(const Call& call) {
  if (call.given.size() != 2) return InputError("it compares two values");
  return Value(GONOGO_TRY(AreEqual(call.given[0], call.given[1])) == kWanted);
}

template <char kOp>
Result<Value> Compare(const Call& call) {
  const double a = GONOGO_TRY(call.NumberAt(0, "a"));
  const double b = GONOGO_TRY(call.NumberAt(1, "b"));
  if constexpr (kOp == '<') return Value(a < b);
  if constexpr (kOp == '>') return Value(a > b);
  if constexpr (kOp == 'l') return Value(a <= b);
  return Value(a >= b);
}

template <bool kWanted>
Result<Value> Is(const Call& call) {
  if (call.given.size() != 2) return InputError("it compares two values");
  const bool none = std::holds_alternative<None>(call.given[0]);
  const bool other = std::holds_alternative<None>(call.given[1]);
  if (!none && !other) return InputError("only None is compared by identity");
  return Value((none == other) == kWanted);
}

Result<Value> Not(const Call& call) { return Value(!GONOGO_TRY(call.TruthAt(0, "self"))); }

template <bool kAnd>
Result<Value> Both(const Call& call) {
  const bool a = GONOGO_TRY(call.TruthAt(0, "a"));
  const bool b = GONOGO_TRY(call.TruthAt(1, "b"));
  return Value(kAnd ? a && b : a || b);
}

Result<Sequence*> ListAt(const Call& call, std::size_t place) {
  const Value* value = call.Argument(place, "list");
  const auto* list = value == nullptr ? nullptr : std::get_if<Sequence*>(value);
  if (list == nullptr) return InputError("its argument is no list");
  return *list;
}

Result<Value> Contains(const Call& call) {
  if (call.given.size() != 2) return InputError("it takes a list and a value");
  for (const Value& item : GONOGO_TRY(ListAt(call, 0))->items) {
    if (GONOGO_TRY(AreEqual(item, call.given[1]))) return Value(true);
  }
  return Value(false);
}

Result<Value> Append(const Call& call) {
  constexpr std::size_t kLongest = 100000;
  Sequence* list = GONOGO_TRY(ListAt(call, 0));
  if (call.given.size() != 2) return InputError("it takes a list and a value");
  if (list->items.size() >= kLongest) return InputError("a list is too long");
  list->items.push_back(call.given[1]);
  return Value(list);
}

Result<Value> Length(const Call& call) {
  if (!call.given.empty() && std::holds_alternative<ScriptTensor*>(call.given[0])) {
    const ScriptTensor* x = std::get<ScriptTensor*>(call.given[0]);
    if (x->rank() == 0) return InputError("a number has no length");
    return Value(x->shape[0]);
  }
  return Value(static_cast<std::int64_t>(GONOGO_TRY(ListAt(call, 0))->items.size()));
}

Result<Value> Rank(const Call& call) {
  return Value(static_cast<std::int64_t>(GONOGO_TRY(call.TensorAt(0, "self"))->rank()));
}

Result<Value> Size(const Call& call) {
  const ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  if (call.Has(1, "dim")) {
    return Value(x->shape[static_cast<std::size_t>(GONOGO_TRY(call.AxisAt(1, "dim", x->rank())))]);
  }
  return Value(call.graph.heap().NewSequence({x->shape.begin(), x->shape.end()}, false));
}

Result<Value> Count(const Call& call) {
  return Value(GONOGO_TRY(call.TensorAt(0, "self"))->size());
}

Result<Value> First(const Call& call) {
  if (call.given.empty()) return InputError("it is given nothing");
  return call.given[0];
}

Result<Value> Nothing(const Call& /*call*/) { return Value(None{}); }
Result<Value> FormatText(const Call& call) {
  // A message, of which its text without the numbers is enough.
  return GONOGO_TRY(First(call));
}
Result<Value> FloatType(const Call& /*call*/) { return Value(std::int64_t{6}); }
Result<Value> Strided(const Call& /*call*/) { return Value(std::int64_t{0}); }
Result<Value> Processor(const Call& /*call*/) { return Value(std::string("cpu")); }
Result<Value> No(const Call& /*call*/) { return Value(false); }
Result<Value> Yes(const Call& /*call*/) { return Value(true); }

Result<Value> Raise(const Call& call) {
  const auto* text = call.given.empty() ? nullptr : std::get_if<std::string>(&call.given[0]);
  return InputError("the program stops itself: {}", text == nullptr ? "for no reason" : *text);
}

Result<Value> Negative(const Call& call) {
  if (!call.given.empty() && std::holds_alternative<std::int64_t>(call.given[0])) {
    return Value(-GONOGO_TRY(call.WholeAt(0, "self")));
  }
  return Value(-GONOGO_TRY(call.NumberAt(0, "self")));
}

}  // namespace

const OperatorTable& PlainOperators() {
  static const OperatorTable table = {
      {"add", Arithmetic<'+'>},
      {"sub", Arithmetic<'-'>},
      {"mul", Arithmetic<'*'>},
      {"div", Arithmetic<'/'>},
      {"floordiv", Arithmetic<'f'>},
      {"remainder", Arithmetic<'%'>},
      {"neg", Negative},
      {"eq", Equal<true>},
      {"ne", Equal<false>},
      {"lt", Compare<'<'>},
      {"gt", Compare<'>'>},
      {"le", Compare<'l'>},
      {"ge", Compare<'g'>},
      {"__is__", Is<true>},
      {"__isnot__", Is<false>},
      {"__not__", Not},
      {"__and__", Both<true>},
      {"__or__", Both<false>},
      {"__contains__", Contains},
      {"append", Append},
      {"len", Length},
      {"list", First},
      {"dim", Rank},
      {"size", Size},
      {"numel", Count},
      {"format", FormatText},
      {"warn", Nothing},
      {"is_floating_point", Yes},
      {"device", Processor},
      {"NumToTensor", First},
      {"data", First},
      {"unchecked_unwrap_optional", First},
      {"dtype", FloatType},
      {"layout", Strided},
      {"type", First},
      {"is_cuda", No},
      {"RaiseException", Raise},
  };
  return table;
}

}  // namespace gonogo::nn::torchscript
