// SPDX-License-Identifier: Apache-2.0
#include <onnx/onnx_pb.h>

#include "gonogo/nn/onnx/graph_writer.h"

namespace gonogo::nn {
namespace {

/// Where the encoded columns come from, as positions in what the graph works out: the columns
/// themselves with what is missing filled in, whether each is missing, whether a level is there,
/// whether another one is.
struct Sources {
  std::vector<float> fill;                ///< of every column
  std::vector<std::int64_t> level_of;     ///< the column that every level belongs to
  std::vector<float> level;               ///< its number
  std::vector<std::int64_t> category_of;  ///< the column of every category
  std::vector<float> sums;  ///< [levels, categories]: 1 where one belongs to the other
};

/// A level that no category has.
constexpr float kNoLevel = -1.0F;

std::string Gather(const std::string& x, const std::string& name,
                   const std::vector<std::int64_t>& from, GraphWriter& graph) {
  auto& node = graph.Node("Gather", {x, graph.Integers(name + ".source", from)}, {name});
  SetAttribute(node, "axis", std::int64_t{1});
  return name;
}

Sources Collect(std::span<const ColumnEncoding* const> columns) {
  Sources sources;
  for (const ColumnEncoding* column : columns) {
    const std::int64_t own = Signed(sources.fill.size());
    sources.fill.push_back(column->is_category ? kNoLevel : column->fill);
    if (!column->is_category) continue;
    sources.category_of.push_back(own);
    for (const float level : column->levels) {
      sources.level_of.push_back(own);
      sources.level.push_back(level);
    }
  }
  const std::size_t categories = sources.category_of.size();
  sources.sums.assign(sources.level.size() * categories, 0.0F);
  for (std::size_t i = 0; i < sources.level.size(); ++i) {
    for (std::size_t c = 0; c < categories; ++c) {
      if (sources.level_of[i] == sources.category_of[c]) sources.sums[i * categories + c] = 1.0F;
    }
  }
  return sources;
}

/// Which part of what was worked out every encoded column is.
std::vector<std::int64_t> Order(std::span<const ColumnEncoding* const> columns,
                                const Sources& sources) {
  const std::int64_t raw = Signed(columns.size());
  std::int64_t level = 2 * raw;
  std::int64_t other = level + Signed(sources.level.size());
  std::vector<std::int64_t> order;
  for (std::int64_t own = 0; own < raw; ++own) {
    const ColumnEncoding& column = *columns[static_cast<std::size_t>(own)];
    if (!column.is_category) order.push_back(own);
    for (std::size_t i = 0; i < column.levels.size(); ++i) order.push_back(level++);
    if (column.is_category) order.push_back(other++);
    if (column.may_be_missing) order.push_back(raw + own);
  }
  return order;
}

}  // namespace

// Levels are whole numbers, so 1 - |x - level| is 1 at the level and 0 or less at every other one:
// exact in single precision, with operators that every executor has.
std::string WriteColumnEncodings(std::span<const ColumnEncoding* const> columns,
                                 const std::string& x, GraphWriter& graph) {
  const Sources sources = Collect(columns);
  const std::int64_t levels = Signed(sources.level.size());
  const std::int64_t categories = Signed(sources.category_of.size());
  const float unit[] = {1.0F};
  const std::string one = graph.Floats("encode.one", unit, {});
  graph.Apply("IsNaN", {x}, "encode.is_missing");
  auto& cast = graph.Node("Cast", {"encode.is_missing"}, {"encode.missing"});
  SetAttribute(cast, "to", std::int64_t{::onnx::TensorProto::FLOAT});
  const std::string fill = graph.Floats("encode.fill", sources.fill, {Signed(sources.fill.size())});
  graph.Apply("Where", {"encode.is_missing", fill, x}, "encode.filled");
  std::vector<std::string> parts = {"encode.filled", "encode.missing"};
  std::string known;
  if (levels > 0) {
    Gather("encode.filled", "encode.of_levels", sources.level_of, graph);
    graph.Apply("Sub", {"encode.of_levels", graph.Floats("encode.levels", sources.level, {levels})},
                "encode.from_levels");
    graph.Apply("Abs", {"encode.from_levels"}, "encode.distance");
    graph.Apply("Sub", {one, "encode.distance"}, "encode.nearness");
    parts.push_back(graph.Apply("Relu", {"encode.nearness"}, "encode.is_level"));
    known = graph.Apply(
        "MatMul",
        {"encode.is_level", graph.Floats("encode.sums", sources.sums, {levels, categories})},
        "encode.is_known");
  }
  if (categories > 0) {
    std::string taken = Gather("encode.missing", "encode.no_level", sources.category_of, graph);
    if (!known.empty()) taken = graph.Apply("Add", {known, taken}, "encode.taken");
    parts.push_back(graph.Apply("Sub", {one, taken}, "encode.is_other"));
  }
  auto& all = graph.Node("Concat", parts, {"encode.all"});
  SetAttribute(all, "axis", std::int64_t{1});
  return Gather("encode.all", "encoded", Order(columns, sources), graph);
}

}  // namespace gonogo::nn
