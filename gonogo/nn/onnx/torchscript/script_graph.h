// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/nn/onnx/graph_writer.h"
#include "gonogo/nn/onnx/torchscript/value.h"
#include "gonogo/nn/onnx/torchscript/zip_archive.h"

namespace gonogo::nn::torchscript {

/// The graph that a program computes, while it is gone through. All shapes are known.
class ScriptGraph {
 public:
  ScriptGraph(const ZipArchive& archive, Heap& heap) : archive_(archive), heap_(heap) {}

  [[nodiscard]] Heap& heap() { return heap_; }
  [[nodiscard]] GraphWriter& writer() { return writer_; }
  [[nodiscard]] long nodes() const { return nodes_; }

  /// What the graph calls a tensor; constants are put into it. Refuses tensors of whole numbers,
  /// and those of which another view was written to.
  [[nodiscard]] Result<std::string> NameOf(ScriptTensor& tensor);

  /// The numbers of a tensor that is constant.
  [[nodiscard]] Result<std::vector<float>> ValuesOf(const ScriptTensor& tensor);
  [[nodiscard]] static bool IsConstant(const ScriptTensor& tensor);

  using Attributes = std::function<void(::onnx::NodeProto&)>;
  /// A node with one result of this shape.
  [[nodiscard]] Result<ScriptTensor*> Apply(std::string_view op,
                                            const std::vector<ScriptTensor*>& inputs, Shape shape,
                                            const Attributes& attributes = {});
  /// A node on names that are in the graph already, with results of these shapes; empty names of
  /// `inputs` are inputs left out.
  [[nodiscard]] Result<std::vector<ScriptTensor*>> ApplyTo(std::string_view op,
                                                           const std::vector<std::string>& inputs,
                                                           const std::vector<Shape>& shapes,
                                                           const Attributes& attributes = {});

  [[nodiscard]] Result<ScriptTensor*> Reshape(ScriptTensor& x, Shape shape);
  /// The elements from `begin` to before `end` along an axis.
  [[nodiscard]] Result<ScriptTensor*> Slice(ScriptTensor& x, std::int64_t axis, std::int64_t begin,
                                            std::int64_t end, std::int64_t step = 1);
  [[nodiscard]] Result<ScriptTensor*> Permute(ScriptTensor& x,
                                              const std::vector<std::int64_t>& order);
  [[nodiscard]] Result<ScriptTensor*> Concat(const std::vector<ScriptTensor*>& parts,
                                             std::int64_t axis);
  [[nodiscard]] Result<ScriptTensor*> Expand(ScriptTensor& x, const Shape& shape);

  [[nodiscard]] ScriptTensor* Constant(std::vector<float> values, Shape shape);
  [[nodiscard]] ScriptTensor* Number(double value) {
    return Constant({static_cast<float>(value)}, {});
  }
  [[nodiscard]] std::string Integers(const std::vector<std::int64_t>& values);

  /// `x` shows elements of `of`: who writes to one changes the other.
  static ScriptTensor* MarkView(ScriptTensor* x, ScriptTensor& of);
  /// Writes to a tensor in place.
  [[nodiscard]] Status Write(ScriptTensor& target, ScriptTensor& value);

 private:
  [[nodiscard]] std::string NewName() { return fmt::format("t{}", names_++); }
  [[nodiscard]] Status CheckSize(const Shape& shape);

  const ZipArchive& archive_;
  Heap& heap_;
  GraphWriter writer_;
  long names_ = 0;
  long nodes_ = 0;
  std::int64_t constants_ = 0;
};

[[nodiscard]] std::string ToString(const Shape& shape);

}  // namespace gonogo::nn::torchscript
