// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <numbers>

#include "gonogo/nn/onnx/torchscript/operators.h"

namespace gonogo::nn::torchscript {
namespace {

constexpr std::int64_t kFloat = 6;  // PyTorch's number of float32

/// One node of the graph; `kName` is its operator.
template <const char* kName>
Result<Value> Unary(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  return Value(GONOGO_TRY(call.graph.Apply(kName, {x}, x->shape)));
}

Result<ScriptTensor*> WithAlpha(ScriptGraph& graph, std::string_view op, ScriptTensor* x,
                                double alpha) {
  return graph.Apply(op, {x}, x->shape, [alpha](::onnx::NodeProto& node) {
    SetAttribute(node, "alpha", static_cast<float>(alpha));
  });
}

Result<ScriptTensor*> Times(ScriptGraph& graph, ScriptTensor* x, double factor) {
  if (factor == 1.0) return x;
  return Combine(graph, "Mul", x, graph.Number(factor));
}

Result<ScriptTensor*> Clip(ScriptGraph& graph, ScriptTensor* x, std::optional<double> low,
                           std::optional<double> high) {
  const auto bound = [&](std::optional<double> value) -> Result<std::string> {
    if (!value) return std::string();
    return graph.NameOf(*graph.Number(*value));
  };
  const std::vector<std::string> inputs = {GONOGO_TRY(graph.NameOf(*x)), GONOGO_TRY(bound(low)),
                                           GONOGO_TRY(bound(high))};
  return GONOGO_TRY(graph.ApplyTo("Clip", inputs, {x->shape})).front();
}

Result<Value> Elu(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  const double alpha = GONOGO_TRY(call.NumberAt(1, "alpha", 1.0));
  const double scale = GONOGO_TRY(call.NumberAt(2, "scale", 1.0));
  const double input_scale = GONOGO_TRY(call.NumberAt(3, "input_scale", 1.0));
  if (input_scale != 1.0) return InputError("input_scale {}, expected 1", input_scale);
  ScriptTensor* curved = GONOGO_TRY(WithAlpha(call.graph, "Elu", x, alpha));
  return Value(GONOGO_TRY(Times(call.graph, curved, scale)));
}

Result<Value> Selu(const Call& call) {
  constexpr double kAlpha = 1.6732632423543772848170429916717;
  constexpr double kScale = 1.0507009873554804934193349852946;
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  ScriptTensor* curved = GONOGO_TRY(WithAlpha(call.graph, "Elu", x, kAlpha));
  return Value(GONOGO_TRY(Times(call.graph, curved, kScale)));
}

/// alpha elu(x / alpha)
Result<Value> Celu(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  const double alpha = GONOGO_TRY(call.NumberAt(1, "alpha", 1.0));
  if (alpha == 0.0) return InputError("alpha is 0");
  ScriptTensor* scaled = GONOGO_TRY(Times(call.graph, x, 1.0 / alpha));
  ScriptTensor* curved = GONOGO_TRY(WithAlpha(call.graph, "Elu", scaled, 1.0));
  return Value(GONOGO_TRY(Times(call.graph, curved, alpha)));
}

Result<Value> LeakyRelu(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  const double slope = GONOGO_TRY(call.NumberAt(1, "negative_slope", 0.01));
  return Value(GONOGO_TRY(WithAlpha(call.graph, "LeakyRelu", x, slope)));
}

/// x sigmoid(x)
Result<Value> Silu(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  ScriptTensor* gate = GONOGO_TRY(call.graph.Apply("Sigmoid", {x}, x->shape));
  return Value(GONOGO_TRY(Combine(call.graph, "Mul", x, gate)));
}

Result<Value> Softplus(const Call& call) {
  // Beyond its threshold PyTorch returns x itself, which differs by less than 3e-9.
  const double beta = GONOGO_TRY(call.NumberAt(1, "beta", 1.0));
  const double threshold = GONOGO_TRY(call.NumberAt(2, "threshold", 20.0));
  if (beta != 1.0 || threshold < 20.0) {
    return InputError("beta {} and threshold {}, expected 1 and 20", beta, threshold);
  }
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  return Value(GONOGO_TRY(call.graph.Apply("Softplus", {x}, x->shape)));
}

/// x tanh(softplus(x))
Result<Value> Mish(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  ScriptTensor* soft = GONOGO_TRY(call.graph.Apply("Softplus", {x}, x->shape));
  ScriptTensor* gate = GONOGO_TRY(call.graph.Apply("Tanh", {soft}, x->shape));
  return Value(GONOGO_TRY(Combine(call.graph, "Mul", x, gate)));
}

/// The approximation by tanh; the exact form needs the error function.
Result<Value> Gelu(const Call& call) {
  const Value* form = call.Argument(1, "approximate");
  if (form == nullptr || !std::holds_alternative<std::string>(*form) ||
      std::get<std::string>(*form) != "tanh") {
    return InputError("only approximate=\"tanh\" is supported");
  }
  ScriptGraph& graph = call.graph;
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  ScriptTensor* square = GONOGO_TRY(Combine(graph, "Mul", x, x));
  ScriptTensor* cube = GONOGO_TRY(Combine(graph, "Mul", square, x));
  ScriptTensor* small = GONOGO_TRY(Times(graph, cube, 0.044715));
  ScriptTensor* sum = GONOGO_TRY(Combine(graph, "Add", x, small));
  ScriptTensor* inner = GONOGO_TRY(Times(graph, sum, std::sqrt(2.0 / std::numbers::pi)));
  ScriptTensor* bent = GONOGO_TRY(graph.Apply("Tanh", {inner}, x->shape));
  ScriptTensor* gate = GONOGO_TRY(Combine(graph, "Add", bent, graph.Number(1.0)));
  ScriptTensor* product = GONOGO_TRY(Combine(graph, "Mul", x, gate));
  return Value(GONOGO_TRY(Times(graph, product, 0.5)));
}

Result<Value> Clamp(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  const bool hardtanh = call.name.starts_with("hardtanh");
  const bool only_high = call.name.starts_with("clamp_max");
  std::optional<double> low;
  std::optional<double> high;
  if (hardtanh) low = high = 1.0;
  if (hardtanh) low = -1.0;
  if (!only_high && call.Has(1, "min")) low = GONOGO_TRY(call.NumberAt(1, "min"));
  if (only_high && call.Has(1, "max")) high = GONOGO_TRY(call.NumberAt(1, "max"));
  if (!only_high && call.Has(2, "max")) high = GONOGO_TRY(call.NumberAt(2, "max"));
  return Value(GONOGO_TRY(Clip(call.graph, x, low, high)));
}

Result<Value> Relu6(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  return Value(GONOGO_TRY(Clip(call.graph, x, 0.0, 6.0)));
}

/// a op b; with alpha: a op alpha b.
template <const char* kName>
Result<Value> Binary(const Call& call) {
  ScriptTensor* a = GONOGO_TRY(call.NumberOrTensor(0, "self"));
  ScriptTensor* b = GONOGO_TRY(call.NumberOrTensor(1, "other"));
  const bool sums = std::string_view(kName) == "Add" || std::string_view(kName) == "Sub";
  const bool divides = std::string_view(kName) == "Div";
  if (divides && call.Has(2, "rounding_mode")) return InputError("rounding_mode is not supported");
  const double alpha = sums ? GONOGO_TRY(call.NumberAt(2, "alpha", 1.0)) : 1.0;
  b = GONOGO_TRY(Times(call.graph, b, alpha));
  return Value(GONOGO_TRY(Combine(call.graph, kName, a, b)));
}

Result<Value> ReversedSub(const Call& call) {
  ScriptTensor* a = GONOGO_TRY(call.NumberOrTensor(1, "other"));
  ScriptTensor* b = GONOGO_TRY(call.NumberOrTensor(0, "self"));
  const double alpha = GONOGO_TRY(call.NumberAt(2, "alpha", 1.0));
  b = GONOGO_TRY(Times(call.graph, b, alpha));
  return Value(GONOGO_TRY(Combine(call.graph, "Sub", a, b)));
}

template <int kPower>
Result<Value> Power(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  if constexpr (kPower == 2) return Value(GONOGO_TRY(Combine(call.graph, "Mul", x, x)));
  return Value(GONOGO_TRY(Combine(call.graph, "Div", call.graph.Number(1.0), x)));
}

/// A square is a product: the general power takes no negative numbers everywhere.
Result<Value> GeneralPower(const Call& call) {
  const Value* exponent = call.Argument(1, "exponent");
  const auto is_two = [&] {
    if (exponent == nullptr) return false;
    if (const auto* whole = std::get_if<std::int64_t>(exponent)) return *whole == 2;
    if (const auto* real = std::get_if<double>(exponent)) return *real == 2.0;
    return false;
  };
  if (is_two()) return Power<2>(call);
  ScriptTensor* x = GONOGO_TRY(call.NumberOrTensor(0, "self"));
  ScriptTensor* power = GONOGO_TRY(call.NumberOrTensor(1, "exponent"));
  return Value(GONOGO_TRY(Combine(call.graph, "Pow", x, power)));
}

Result<Value> Dropout(const Call& call) {
  if (GONOGO_TRY(call.TruthAt(2, "train", true))) {
    return InputError("it is exported while training: call .eval() before the export");
  }
  return Value(GONOGO_TRY(call.TensorAt(0, "input")));
}

/// The same numbers. PyTorch's `to` may change the type: only to float32, which they have.
Result<Value> Same(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  for (const Value& value : call.given) {
    const auto* type = std::get_if<std::int64_t>(&value);
    if (type != nullptr && *type != kFloat && !x->whole_numbers) {
      return InputError("to a type that is not float32");
    }
  }
  if (call.Has(1000, "dtype") && GONOGO_TRY(call.WholeAt(1000, "dtype")) != kFloat) {
    return InputError("to a type that is not float32");
  }
  return Value(x);
}

/// The same numbers in a place of their own.
Result<Value> Clone(const Call& call) {
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "self"));
  return Value(GONOGO_TRY(call.graph.Apply("Identity", {x}, x->shape)));
}

Result<Value> Copy(const Call& call) {
  ScriptTensor* target = GONOGO_TRY(call.TensorAt(0, "self"));
  ScriptTensor* value = GONOGO_TRY(call.NumberOrTensor(1, "src"));
  GONOGO_TRY(call.graph.Write(*target, *value));
  return Value(target);
}

constexpr char kAbs[] = "Abs";
constexpr char kAdd[] = "Add";
constexpr char kDiv[] = "Div";
constexpr char kExp[] = "Exp";
constexpr char kLog[] = "Log";
constexpr char kMax[] = "Max";
constexpr char kMin[] = "Min";
constexpr char kMul[] = "Mul";
constexpr char kNeg[] = "Neg";
constexpr char kRelu[] = "Relu";
constexpr char kSigmoid[] = "Sigmoid";
constexpr char kSqrt[] = "Sqrt";
constexpr char kSub[] = "Sub";
constexpr char kTanh[] = "Tanh";

}  // namespace

const OperatorTable& ElementwiseOperators() {
  static const OperatorTable table = {
      {"abs", Unary<kAbs>},
      {"exp", Unary<kExp>},
      {"log", Unary<kLog>},
      {"neg", Unary<kNeg>},
      {"relu", Unary<kRelu>},
      {"sigmoid", Unary<kSigmoid>},
      {"sqrt", Unary<kSqrt>},
      {"tanh", Unary<kTanh>},
      {"elu", Elu},
      {"selu", Selu},
      {"celu", Celu},
      {"leaky_relu", LeakyRelu},
      {"silu", Silu},
      {"softplus", Softplus},
      {"mish", Mish},
      {"gelu", Gelu},
      {"relu6", Relu6},
      {"hardtanh", Clamp},
      {"clamp", Clamp},
      {"clamp_min", Clamp},
      {"clamp_max", Clamp},
      {"clip", Clamp},
      {"add", Binary<kAdd>},
      {"sub", Binary<kSub>},
      {"mul", Binary<kMul>},
      {"div", Binary<kDiv>},
      {"rsub", ReversedSub},
      {"maximum", Binary<kMax>},
      {"minimum", Binary<kMin>},
      {"max", Binary<kMax>},
      {"min", Binary<kMin>},
      {"pow", GeneralPower},
      {"square", Power<2>},
      {"reciprocal", Power<-1>},
      {"dropout", Dropout},
      {"feature_dropout", Dropout},
      {"detach", Same},
      {"contiguous", Same},
      {"to", Same},
      {"cpu", Same},
      {"alias", Same},
      {"clone", Clone},
      {"copy_", Copy},
  };
  return table;
}

}  // namespace gonogo::nn::torchscript
