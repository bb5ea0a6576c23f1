// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>

#include "gonogo/nn/onnx/internal/operator.h"

namespace gonogo::nn::graph {
namespace {

/// A recurrent layer unrolled in time: steps, batch, inputs, hidden units, and gates per unit.
struct Layer {
  std::int64_t steps = 0;
  std::int64_t batch = 0;
  std::int64_t inputs = 0;
  std::int64_t hidden = 0;
  std::int64_t gates = 0;
};

/// Chains primitives and remembers the first failure, so that a cell reads like its equations. The
/// shapes were checked before; what can still fail is the limit on memory.
class Cell {
 public:
  Cell(Builder& builder, const Layer& layer) : builder_(builder), layer_(layer) {}

  Tensor Add(const Tensor& a, const Tensor& b) {
    return Keep([&] { return builder_.Binary(BinaryOp::kAdd, a, b); });
  }
  Tensor Sub(const Tensor& a, const Tensor& b) {
    return Keep([&] { return builder_.Binary(BinaryOp::kSub, a, b); });
  }
  Tensor Mul(const Tensor& a, const Tensor& b) {
    return Keep([&] { return builder_.Binary(BinaryOp::kMul, a, b); });
  }
  Tensor Sigmoid(const Tensor& x) {
    return Keep([&] { return builder_.Unary(UnaryOp::kSigmoid, x); });
  }
  Tensor Tanh(const Tensor& x) {
    return Keep([&] { return builder_.Unary(UnaryOp::kTanh, x); });
  }
  Tensor Linear(const Tensor& x, const Tensor& weights, std::span<const float> bias) {
    return Keep([&] { return builder_.Linear(x, weights, bias); });
  }
  /// x[t] of the sequence [steps, batch, inputs]: [batch, inputs].
  Tensor At(const Tensor& x, std::int64_t t) {
    return View(x, {layer_.batch, layer_.inputs}, t * layer_.batch * layer_.inputs,
                {layer_.inputs, 1});
  }
  /// `count` gates from gate `first` of [rows, gates x hidden].
  Tensor Gates(const Tensor& x, std::int64_t first, std::int64_t count = 1) {
    if (error_) return {};
    return View(x, {x.shape[0], count * layer_.hidden}, first * layer_.hidden, {x.shape[1], 1});
  }
  /// [1, gates x hidden, columns] as the matrix [columns, gates x hidden].
  Tensor Transposed(const Tensor& weights) {
    return View(weights, {weights.shape[2], weights.shape[1]}, 0, {1, weights.shape[2]});
  }
  /// The hidden states of all steps as [steps, 1, batch, hidden].
  Tensor Stack(const std::vector<Tensor>& states);

  /// The outputs, or the first failure.
  Outputs Finish(std::vector<Tensor> outputs) const {
    if (error_) return *error_;
    return outputs;
  }
  [[nodiscard]] bool failed() const { return error_.has_value(); }

 private:
  Tensor View(const Tensor& x, const Shape& shape, std::int64_t offset,
              const std::vector<std::int64_t>& strides) {
    return Keep([&] { return builder_.View(x, shape, offset, strides); });
  }
  template <typename Make>
  Tensor Keep(Make make) {
    if (error_) return {};
    Result<Tensor> made = make();
    if (made.ok()) return std::move(made).value();
    error_ = made.error();
    return {};
  }

  Builder& builder_;
  Layer layer_;
  std::optional<Error> error_;
};

Tensor Cell::Stack(const std::vector<Tensor>& states) {
  if (error_) return {};
  const Shape shape = {layer_.steps, 1, layer_.batch, layer_.hidden};
  std::vector<Origin> origins;
  for (std::size_t t = 0; t < states.size(); ++t) {
    for (std::size_t i = 0; i < states[t].size(); ++i) origins.push_back({t, i});
  }
  return Keep([&] { return builder_.Rearrange(states, shape, origins); });
}

/// A state as [1, batch, hidden].
Tensor AsState(const Layer& layer, Tensor h) {
  h.shape = {1, layer.batch, layer.hidden};
  return h;
}

Status RequireShape(std::string_view what, const Tensor& tensor, const Shape& expected) {
  if (tensor.shape == expected) return {};
  return InputError("{} has shape {}, expected {}", what, ToString(tensor.shape),
                    ToString(expected));
}

/// Reads the sizes off X and R, and checks everything LSTM and GRU have in common.
Result<Layer> CheckLayer(const Site& site, std::int64_t gates,
                         const std::vector<std::string>& activations) {
  if (site.attribute<std::string>("direction", "forward") != "forward") {
    return InputError("direction is '{}', expected forward",
                      site.attribute<std::string>("direction", ""));
  }
  if (site.attribute("activations", activations) != activations) {
    return InputError("only the standard activations are supported");
  }
  if (site.attribute<std::int64_t>("layout", 0) != 0) {
    return InputError("layout is {}, expected 0", site.attribute<std::int64_t>("layout", 0));
  }
  if (site.optional_input(4) != nullptr) return InputError("sequence_lens is not supported");
  const Tensor& x = site.input(0);
  const Tensor& w = site.input(1);
  const Tensor& r = site.input(2);
  if (x.rank() != 3 || r.rank() != 3) {
    return InputError("X and R have shapes {} and {}, expected three dimensions", ToString(x.shape),
                      ToString(r.shape));
  }
  const Layer layer{x.shape[0], x.shape[1], x.shape[2], r.shape[2], gates};
  const std::int64_t rows = gates * layer.hidden;
  if (site.attribute("hidden_size", layer.hidden) != layer.hidden) {
    return InputError("hidden_size is {}, expected {} to match R",
                      site.attribute("hidden_size", layer.hidden), layer.hidden);
  }
  if (w.floats() == nullptr || r.floats() == nullptr) return InputError("W and R must be constant");
  GONOGO_TRY(RequireShape("W", w, {1, rows, layer.inputs}));
  GONOGO_TRY(RequireShape("R", r, {1, rows, layer.hidden}));
  if (const Tensor* b = site.optional_input(3)) {
    if (b->floats() == nullptr) return InputError("B must be constant");
    GONOGO_TRY(RequireShape("B", *b, {1, 2 * rows}));
  }
  return layer;
}

/// Input `index` as [batch, hidden], or zeros when it is left out.
Result<Tensor> InitialState(const Site& site, std::size_t index, const Layer& layer) {
  Tensor state = Tensor::Constant({1, layer.batch, layer.hidden},
                                  std::vector<float>(layer.batch * layer.hidden, 0.0F));
  if (const Tensor* given = site.optional_input(index)) state = *given;
  const Shape expected = {1, layer.batch, layer.hidden};
  GONOGO_TRY(RequireShape("the initial state", state, expected));
  state.shape = {layer.batch, layer.hidden};
  return state;
}

/// The input half (0) or the recurrent half (1) of B; nothing when B is left out.
std::span<const float> Bias(const Site& site, const Layer& layer, std::size_t half) {
  const Tensor* const b = site.optional_input(3);
  if (b == nullptr) return {};
  const auto count = static_cast<std::size_t>(layer.gates * layer.hidden);
  return std::span(*b->floats()).subspan(half * count, count);
}

/// A part of a bias, which may be absent.
std::span<const float> Part(std::span<const float> bias, std::int64_t first, std::int64_t count) {
  return bias.empty() ? bias : bias.subspan(first, count);
}

}  // namespace

Outputs LowerLstm(const Site& site) {
  const Layer layer = GONOGO_TRY(CheckLayer(site, 4, {"Sigmoid", "Tanh", "Tanh"}));
  if (site.attribute<std::int64_t>("input_forget", 0) != 0) {
    return InputError("input_forget is not supported");
  }
  Tensor h = GONOGO_TRY(InitialState(site, 5, layer));
  Tensor c = GONOGO_TRY(InitialState(site, 6, layer));

  Cell cell(site.builder, layer);
  const Tensor w = cell.Transposed(site.input(1));
  const Tensor r = cell.Transposed(site.input(2));
  std::vector<Tensor> states;
  for (std::int64_t t = 0; t < layer.steps && !cell.failed(); ++t) {
    const Tensor sums = cell.Add(cell.Linear(cell.At(site.input(0), t), w, Bias(site, layer, 0)),
                                 cell.Linear(h, r, Bias(site, layer, 1)));
    const Tensor squashed = cell.Sigmoid(cell.Gates(sums, 0, 3));  // input, output, forget
    const Tensor candidate = cell.Tanh(cell.Gates(sums, 3));
    c = cell.Add(cell.Mul(cell.Gates(squashed, 2), c),
                 cell.Mul(cell.Gates(squashed, 0), candidate));
    h = cell.Mul(cell.Gates(squashed, 1), cell.Tanh(c));
    states.push_back(h);
  }
  return cell.Finish({cell.Stack(states), AsState(layer, h), AsState(layer, c)});
}

Outputs LowerGru(const Site& site) {
  const Layer layer = GONOGO_TRY(CheckLayer(site, 3, {"Sigmoid", "Tanh"}));
  Tensor h = GONOGO_TRY(InitialState(site, 5, layer));

  Cell cell(site.builder, layer);
  const bool reset_after = site.attribute<std::int64_t>("linear_before_reset", 0) != 0;
  const std::int64_t n = layer.hidden;
  const std::span<const float> bias = Bias(site, layer, 1);
  const Tensor w = cell.Transposed(site.input(1));
  const Tensor r = cell.Transposed(site.input(2));
  const Tensor r_gates = cell.Gates(r, 0, 2);
  const Tensor r_candidate = cell.Gates(r, 2);
  std::vector<Tensor> states;
  for (std::int64_t t = 0; t < layer.steps && !cell.failed(); ++t) {
    const Tensor from_x = cell.Linear(cell.At(site.input(0), t), w, Bias(site, layer, 0));
    const Tensor from_h = cell.Linear(h, r_gates, Part(bias, 0, 2 * n));
    const Tensor gates = cell.Sigmoid(cell.Add(cell.Gates(from_x, 0, 2), from_h));
    const Tensor update = cell.Gates(gates, 0);
    const Tensor reset = cell.Gates(gates, 1);
    const std::span<const float> bias_candidate = Part(bias, 2 * n, n);
    const Tensor recalled = reset_after
                                ? cell.Mul(reset, cell.Linear(h, r_candidate, bias_candidate))
                                : cell.Linear(cell.Mul(reset, h), r_candidate, bias_candidate);
    const Tensor candidate = cell.Tanh(cell.Add(cell.Gates(from_x, 2), recalled));
    h = cell.Add(candidate, cell.Mul(update, cell.Sub(h, candidate)));
    states.push_back(h);
  }
  return cell.Finish({cell.Stack(states), AsState(layer, h)});
}

}  // namespace gonogo::nn::graph
