// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/check.h"
#include "gonogo/nn/onnx/export.h"
#include "gonogo/nn/onnx/graph_writer.h"

namespace gonogo::nn {
namespace {

constexpr const char* kInputName = "features";

/// One row per candidate: features, its action features, its one-hot code. Elements are copied, so
/// nothing is rounded: x * 1 + 0 and x * 0 + 1.
std::string WriteEncoding(const EffectModel& model, const std::string& x, GraphWriter& graph) {
  const std::size_t own = model.features + model.action_features;
  const std::size_t width = own + model.candidates;
  std::vector<std::int64_t> source(model.candidates * width, 0);
  std::vector<float> keep(source.size(), 0.0F);
  std::vector<float> code(source.size(), 0.0F);
  for (std::size_t c = 0; c < model.candidates; ++c) {
    for (std::size_t j = 0; j < own; ++j) {
      source[c * width + j] = Signed(j < model.features ? j : j + c * model.action_features);
      keep[c * width + j] = 1.0F;
    }
    code[c * width + own + c] = 1.0F;
  }
  const std::vector<std::int64_t> shape = {Signed(source.size())};
  auto& gather =
      graph.Node("Gather", {x, graph.Integers("rows.source", source)}, {"rows.gathered"});
  SetAttribute(gather, "axis", std::int64_t{1});
  graph.Apply("Mul", {"rows.gathered", graph.Floats("rows.keep", keep, shape)}, "rows.kept");
  graph.Apply("Add", {"rows.kept", graph.Floats("rows.code", code, shape)}, "rows.flat");
  return graph.Reshape("rows.flat", {-1, Signed(width)}, "rows");
}

/// What is worked out for one candidate at a time, [rows x candidates, members x outputs], as
/// [rows, outputs, members, candidates].
std::string Arrange(const EffectModel& model, const std::string& y, GraphWriter& graph) {
  graph.Reshape(y,
                {-1, Signed(model.candidates), Signed(model.members), Signed(model.outputs.size())},
                "effects.rows");
  auto& node = graph.Node("Transpose", {"effects.rows"}, {"effects"});
  SetAttribute(node, "perm", std::vector<std::int64_t>{0, 3, 2, 1});
  return "effects";
}

std::string WriteBody(const EffectModel& model, const std::string& x, const Ensemble& ensemble,
                      GraphWriter& graph) {
  GONOGO_CHECK(ensemble.members.size() == model.members);
  OnnxNetwork network = DescribeOnnx(ensemble);
  network.input_name = "rows";
  return Arrange(model, WriteNetwork(network, WriteEncoding(model, x, graph), graph), graph);
}

std::string WriteBody(const EffectModel& model, const std::string& x, const LinearEffects& linear,
                      GraphWriter& graph) {
  const std::size_t columns = model.outputs.size() * model.members * model.candidates;
  GONOGO_CHECK(linear.bias.size() == columns && linear.weight.size() == columns * model.inputs());
  graph.Apply("Sub", {x, graph.Row("input.mean", linear.input.mean)}, "input.centred");
  graph.Apply("Div", {"input.centred", graph.Row("input.scale", linear.input.scale)},
              "input.standardised");
  const std::string weight =
      graph.Floats("linear.weight", linear.weight, {Signed(model.inputs()), Signed(columns)});
  const std::string bias = graph.Floats("linear.bias", linear.bias, {Signed(columns)});
  return graph.Apply("Gemm", {"input.standardised", weight, bias}, "linear");
}

/// The lists by which the standard describes trees.
void DescribeTrees(const TreeEffects& body, ::onnx::NodeProto& node) {
  std::vector<std::int64_t> tree, id, feature, below, other, weight_tree, weight_node, weight_id;
  std::vector<float> threshold, weight;
  std::vector<std::string> mode;
  for (std::size_t t = 0; t < body.trees.size(); ++t) {
    const EffectTree& one = body.trees[t];
    for (std::size_t n = 0; n < one.nodes.size(); ++n) {
      const EffectTree::Node& at = one.nodes[n];
      const bool leaf = at.feature < 0;
      tree.push_back(Signed(t));
      id.push_back(Signed(n));
      feature.push_back(leaf ? 0 : at.feature);
      threshold.push_back(leaf ? 0.0F : at.threshold);
      mode.emplace_back(leaf ? "LEAF" : "BRANCH_LT");
      below.push_back(leaf ? 0 : Signed(at.below));
      other.push_back(leaf ? 0 : Signed(at.other));
      for (std::size_t j = 0; leaf && j < one.targets.size(); ++j) {
        weight_tree.push_back(Signed(t));
        weight_node.push_back(Signed(n));
        weight_id.push_back(one.targets[j]);
        weight.push_back(one.values[at.leaf * one.targets.size() + j]);
      }
    }
  }
  SetAttribute(node, "nodes_treeids", tree);
  SetAttribute(node, "nodes_nodeids", id);
  SetAttribute(node, "nodes_featureids", feature);
  SetAttribute(node, "nodes_values", threshold);
  SetAttribute(node, "nodes_modes", mode);
  SetAttribute(node, "nodes_truenodeids", below);
  SetAttribute(node, "nodes_falsenodeids", other);
  SetAttribute(node, "target_treeids", weight_tree);
  SetAttribute(node, "target_nodeids", weight_node);
  SetAttribute(node, "target_ids", weight_id);
  SetAttribute(node, "target_weights", weight);
  SetAttribute(node, "n_targets", Signed(body.base.size()));
  SetAttribute(node, "base_values", std::span<const float>(body.base));
  SetAttribute(node, "aggregate_function", std::string("SUM"));
  SetAttribute(node, "post_transform", std::string("NONE"));
}

std::string WriteBody(const EffectModel& model, const std::string& x, const TreeEffects& body,
                      GraphWriter& graph) {
  const std::size_t targets = model.outputs.size() * model.members;
  GONOGO_CHECK(body.base.size() == (body.per_candidate ? targets : targets * model.candidates));
  const std::string rows = body.per_candidate ? WriteEncoding(model, x, graph) : x;
  DescribeTrees(body, graph.Node("TreeEnsembleRegressor", {rows}, {"trees"}));
  graph.Declare("trees", {Signed(body.base.size())});
  return body.per_candidate ? Arrange(model, "trees", graph) : "trees";
}

std::string WriteLink(EffectLink link, const std::string& x, GraphWriter& graph) {
  switch (link) {
    case EffectLink::kIdentity:
      return x;
    case EffectLink::kLogistic:
      return graph.Apply("Sigmoid", {x}, x + ".probability");
    case EffectLink::kUnitInterval: {
      const float ends[] = {0.0F, 1.0F};
      const std::string low = graph.Floats(x + ".low", std::span(ends).first(1), {});
      const std::string high = graph.Floats(x + ".high", std::span(ends).last(1), {});
      return graph.Apply("Clip", {x, low, high}, x + ".clipped");
    }
  }
  GONOGO_CHECK(false);
}

/// The columns of a row as people record them: features, then those of every candidate.
std::vector<const ColumnEncoding*> RawColumns(const EffectModel& model) {
  std::vector<const ColumnEncoding*> columns;
  for (const ColumnEncoding& column : model.feature_encodings) columns.push_back(&column);
  for (std::size_t c = 0; c < model.candidates; ++c) {
    for (const ColumnEncoding& column : model.action_feature_encodings) columns.push_back(&column);
  }
  return columns;
}

}  // namespace

std::string SerialiseEffects(const EffectModel& model,
                             const std::map<std::string, std::string>& metadata) {
  GraphWriter graph;
  const std::vector<const ColumnEncoding*> raw = RawColumns(model);
  graph.Input(kInputName, {Signed(model.encodes() ? raw.size() : model.inputs())});
  const std::vector<std::int64_t> row = {Signed(model.members), Signed(model.candidates)};
  for (const EffectOutput& output : model.outputs) graph.Output(output.name, row);
  const std::string x = model.encodes() ? WriteColumnEncodings(raw, kInputName, graph) : kInputName;
  const std::string y =
      std::visit([&](const auto& body) { return WriteBody(model, x, body, graph); }, model.body);
  graph.Reshape(y, {-1, Signed(model.outputs.size()), row[0] * row[1]}, "effects.all");
  std::vector<std::string> parts;
  for (const EffectOutput& output : model.outputs) parts.push_back(output.name + ".flat");
  const std::vector<std::int64_t> lengths(parts.size(), 1);
  auto& split =
      graph.Node("Split", {"effects.all", graph.Integers("effects.lengths", lengths)}, parts);
  SetAttribute(split, "axis", std::int64_t{1});
  for (const EffectOutput& output : model.outputs) {
    graph.Reshape(output.name + ".flat", {-1, row[0], row[1]}, output.name + ".raw");
    graph.Apply("Identity", {WriteLink(output.link, output.name + ".raw", graph)}, output.name);
  }
  return graph.Finish(metadata);
}

}  // namespace gonogo::nn
