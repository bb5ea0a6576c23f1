// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/torchscript/recurrent.h"

#include <algorithm>

namespace gonogo::nn::torchscript {
namespace {

// PyTorch's blocks in the order in which ONNX has them: input, output, forget, cell out of input,
// forget, cell, output; update, reset, new out of reset, update, new.
const std::vector<std::size_t> kLstmBlocks{0, 3, 1, 2};
const std::vector<std::size_t> kGruBlocks{1, 0, 2};

struct Layers {
  std::vector<ScriptTensor*> weights;
  std::size_t per_layer = 2;
  std::size_t count = 1;
  std::int64_t hidden = 0;
};

std::vector<float> Rearranged(const std::vector<float>& values,
                              const std::vector<std::size_t>& blocks) {
  const std::size_t block = values.size() / blocks.size();
  std::vector<float> moved;
  for (const std::size_t from : blocks) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(from * block);
    moved.insert(moved.end(), begin, begin + static_cast<std::ptrdiff_t>(block));
  }
  return moved;
}

Result<Layers> ReadLayers(const Call& call, std::size_t gates) {
  Layers layers;
  layers.weights = GONOGO_TRY(call.TensorsAt(2, "params"));
  layers.per_layer = GONOGO_TRY(call.TruthAt(3, "has_biases")) ? 4 : 2;
  layers.count = static_cast<std::size_t>(
      std::clamp<std::int64_t>(GONOGO_TRY(call.WholeAt(4, "num_layers")), 0, 1000));
  if (GONOGO_TRY(call.NumberAt(5, "dropout")) != 0.0 && GONOGO_TRY(call.TruthAt(6, "train"))) {
    return InputError("it is exported while training: call .eval() before the export");
  }
  if (GONOGO_TRY(call.TruthAt(7, "bidirectional"))) {
    return InputError("a layer that goes through its inputs backwards too");
  }
  if (layers.count == 0 || layers.weights.size() != layers.count * layers.per_layer) {
    return InputError("{} weights for {} layers: projections are not supported",
                      layers.weights.size(), layers.count);
  }
  const ScriptTensor& first = *layers.weights[1];
  if (first.rank() != 2 || first.shape[0] != first.shape[1] * static_cast<std::int64_t>(gates)) {
    return InputError("recurrent weights of shape {}", ToString(first.shape));
  }
  layers.hidden = first.shape[1];
  return layers;
}

/// The weights of a layer as ONNX has them: of the input, of the state, both biases.
Result<std::vector<std::string>> LayerWeights(const Call& call, const Layers& layers,
                                              std::size_t layer, std::int64_t inputs,
                                              const std::vector<std::size_t>& blocks) {
  ScriptGraph& graph = call.graph;
  const std::int64_t rows = layers.hidden * static_cast<std::int64_t>(blocks.size());
  const std::vector<Shape> shapes{{rows, inputs}, {rows, layers.hidden}, {rows}, {rows}};
  std::vector<std::string> names;
  std::vector<float> biases;
  for (std::size_t i = 0; i < layers.per_layer; ++i) {
    const ScriptTensor& weight = *layers.weights[layer * layers.per_layer + i];
    if (weight.shape != shapes[i]) {
      return InputError("weights of shape {} in layer {}, expected {}", ToString(weight.shape),
                        layer, ToString(shapes[i]));
    }
    const std::vector<float> values = Rearranged(GONOGO_TRY(graph.ValuesOf(weight)), blocks);
    if (i < 2) {
      ScriptTensor* constant = graph.Constant(values, {1, rows, shapes[i][1]});
      names.push_back(GONOGO_TRY(graph.NameOf(*constant)));
    } else {
      biases.insert(biases.end(), values.begin(), values.end());
    }
  }
  names.emplace_back();
  if (!biases.empty()) {
    names.back() = GONOGO_TRY(graph.NameOf(*graph.Constant(biases, {1, 2 * rows})));
  }
  return names;
}

/// All layers, one after the other; results are the output and the states after the last input.
Result<Value> Recurrent(const Call& call, std::vector<ScriptTensor*> states,
                        const std::vector<std::size_t>& blocks) {
  ScriptGraph& graph = call.graph;
  const bool lstm = states.size() == 2;
  const Layers layers = GONOGO_TRY(ReadLayers(call, blocks.size()));
  const bool batch_first = GONOGO_TRY(call.TruthAt(8, "batch_first", false));
  ScriptTensor* x = GONOGO_TRY(call.TensorAt(0, "input"));
  if (x->rank() != 3)
    return InputError("an input of shape {}, expected 3 axes", ToString(x->shape));
  if (batch_first) x = GONOGO_TRY(graph.Permute(*x, {1, 0, 2}));
  const std::int64_t steps = x->shape[0];
  const std::int64_t rows = x->shape[1];
  for (const ScriptTensor* state : states) {
    if (state->shape != Shape{static_cast<std::int64_t>(layers.count), rows, layers.hidden}) {
      return InputError("a state of shape {}", ToString(state->shape));
    }
  }
  std::vector<std::vector<ScriptTensor*>> after(states.size());
  for (std::size_t layer = 0; layer < layers.count; ++layer) {
    std::vector<std::string> inputs{GONOGO_TRY(graph.NameOf(*x))};
    const std::vector<std::string> weights =
        GONOGO_TRY(LayerWeights(call, layers, layer, x->shape[2], blocks));
    inputs.insert(inputs.end(), weights.begin(), weights.end());
    inputs.emplace_back();  // lengths of sequences
    const auto at = static_cast<std::int64_t>(layer);
    for (ScriptTensor* state : states) {
      ScriptTensor* own = GONOGO_TRY(graph.Slice(*state, 0, at, at + 1));
      inputs.push_back(GONOGO_TRY(graph.NameOf(*own)));
    }
    const Shape state_shape{1, rows, layers.hidden};
    std::vector<Shape> shapes(1 + states.size(), state_shape);
    shapes[0] = {steps, 1, rows, layers.hidden};
    const std::vector<ScriptTensor*> results = GONOGO_TRY(
        graph.ApplyTo(lstm ? "LSTM" : "GRU", inputs, shapes, [&](::onnx::NodeProto& node) {
          SetAttribute(node, "hidden_size", layers.hidden);
          if (!lstm) SetAttribute(node, "linear_before_reset", std::int64_t{1});
        }));
    x = GONOGO_TRY(graph.Reshape(*results[0], {steps, rows, layers.hidden}));
    for (std::size_t s = 0; s < states.size(); ++s) after[s].push_back(results[s + 1]);
  }
  if (batch_first) x = GONOGO_TRY(graph.Permute(*x, {1, 0, 2}));
  std::vector<Value> results{x};
  for (const std::vector<ScriptTensor*>& layer_states : after) {
    results.emplace_back(layer_states.size() == 1 ? layer_states[0]
                                                  : GONOGO_TRY(graph.Concat(layer_states, 0)));
  }
  return Value(graph.heap().NewSequence(std::move(results), true));
}

}  // namespace

Result<Value> Lstm(const Call& call) {
  std::vector<ScriptTensor*> states = GONOGO_TRY(call.TensorsAt(1, "hx"));
  if (states.size() != 2) return InputError("{} states, expected 2", states.size());
  return Recurrent(call, std::move(states), kLstmBlocks);
}

Result<Value> Gru(const Call& call) {
  return Recurrent(call, {GONOGO_TRY(call.TensorAt(1, "hx"))}, kGruBlocks);
}

}  // namespace gonogo::nn::torchscript
