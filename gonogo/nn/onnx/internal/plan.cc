// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/internal/plan.h"

#include <algorithm>
#include <cmath>

#include "gonogo/base/check.h"
#include "gonogo/nn/mlp/mlp.h"

namespace gonogo::nn::graph {
namespace {

float Elu(float x, float alpha) {
  const float below = alpha * (Exp(x) - 1.0F);
  return x < 0.0F ? below : x;
}

float Softplus(float x) { return (x < 0.0F ? 0.0F : x) + std::log1p(std::exp(-std::fabs(x))); }

template <typename Function>
void ForEach(const float* x, std::size_t count, float* y, Function function) {
  for (std::size_t i = 0; i < count; ++i) y[i] = function(x[i]);
}

template <typename Function>
void ForEachPair(const float* a, const float* b, std::size_t count, float* y, Function function) {
  for (std::size_t i = 0; i < count; ++i) y[i] = function(a[i], b[i]);
}

class Executor {
 public:
  Executor(const ExecutionPlan& plan, float* arena, std::size_t rows)
      : plan_(plan), arena_(arena), rows_(rows) {}

  void operator()(const MoveStep& step) const {
    for (const Segment& segment : step.segments) {
      for (std::size_t row = 0; row < rows_; ++row) {
        std::copy_n(Read(segment.source, row) + segment.from, segment.count,
                    Write(step.out, row) + segment.to);
      }
    }
  }

  void operator()(const LinearStep& step) const {
    step.layer.Apply(Read(step.x, 0), static_cast<int>(rows_) * step.vectors, Write(step.out, 0));
  }

  void operator()(const TreeStep& step) const {
    step.trees.Apply(Read(step.x, 0), static_cast<int>(rows_) * step.vectors, Write(step.out, 0));
  }

  void operator()(const ProductStep& step) const {
    for (std::size_t row = 0; row < rows_; ++row) {
      internal::Multiply<float>(step.m, step.n, step.k, {Read(step.a, row), step.k, 1},
                                {Read(step.b, row), step.n, 1}, nullptr, Write(step.out, row));
    }
  }

  void operator()(const UnaryStep& step) const {
    Apply(step.op, step.alpha, Read(step.x, 0), rows_ * step.x.size, Write(step.out, 0));
  }

  void operator()(const BinaryStep& step) const {
    if (!step.a.constant && !step.b.constant) {
      Apply(step.op, Read(step.a, 0), Read(step.b, 0), rows_ * step.out.size, Write(step.out, 0));
      return;
    }
    for (std::size_t row = 0; row < rows_; ++row) {
      Apply(step.op, Read(step.a, row), Read(step.b, row), step.out.size, Write(step.out, row));
    }
  }

 private:
  [[nodiscard]] const float* Read(const Ref& ref, std::size_t row) const {
    return ref.constant ? plan_.constants.data() + ref.offset : Write(ref, row);
  }
  [[nodiscard]] float* Write(const Ref& ref, std::size_t row) const {
    return arena_ + ref.offset * rows_ + row * ref.size;
  }

  const ExecutionPlan& plan_;
  float* arena_;
  std::size_t rows_;
};

}  // namespace

PackedTrees::PackedTrees(int in, std::vector<float> base, std::vector<std::uint32_t> roots,
                         std::vector<Node> nodes, std::vector<Weight> weights)
    : in_(in),
      base_(std::move(base)),
      roots_(std::move(roots)),
      nodes_(std::move(nodes)),
      weights_(std::move(weights)) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.feature < 0) {
      GONOGO_CHECK(node.below <= node.other && node.other <= weights_.size());
    } else {
      GONOGO_CHECK(node.feature < in_ && node.below > i && node.other > i);
      GONOGO_CHECK(node.below < nodes_.size() && node.other < nodes_.size());
    }
  }
  for (const std::uint32_t root : roots_) GONOGO_CHECK(root < nodes_.size());
  for (const Weight& weight : weights_) GONOGO_CHECK(weight.output < base_.size());
}

void PackedTrees::Apply(const float* x, int rows, float* y) const {
  for (int row = 0; row < rows; ++row, x += in_, y += base_.size()) {
    std::copy(base_.begin(), base_.end(), y);
    for (const std::uint32_t root : roots_) {
      const Node* node = &nodes_[root];
      while (node->feature >= 0) {
        node = &nodes_[x[node->feature] < node->threshold ? node->below : node->other];
      }
      for (std::uint32_t w = node->below; w < node->other; ++w) {
        y[weights_[w].output] += weights_[w].value;
      }
    }
  }
}

void Apply(UnaryOp op, float alpha, const float* x, std::size_t count, float* y) {
  switch (op) {
    case UnaryOp::kElu:
      return ForEach(x, count, y, [alpha](float v) { return Elu(v, alpha); });
    case UnaryOp::kRelu:
      return ForEach(x, count, y, [](float v) { return v < 0.0F ? 0.0F : v; });
    case UnaryOp::kLeakyRelu:
      return ForEach(x, count, y, [alpha](float v) { return v < 0.0F ? alpha * v : v; });
    case UnaryOp::kTanh:
      return ForEach(x, count, y, Tanh<float>);
    case UnaryOp::kSigmoid:
      return ForEach(x, count, y, Sigmoid<float>);
    case UnaryOp::kSoftplus:
      return ForEach(x, count, y, Softplus);
    case UnaryOp::kSqrt:
      return ForEach(x, count, y, [](float v) { return std::sqrt(v); });
    case UnaryOp::kExp:
      return ForEach(x, count, y, [](float v) { return std::exp(v); });
    case UnaryOp::kLog:
      return ForEach(x, count, y, [](float v) { return std::log(v); });
    case UnaryOp::kIsNaN:
      return ForEach(x, count, y, [](float v) { return std::isnan(v) ? 1.0F : 0.0F; });
  }
}

void Apply(BinaryOp op, const float* a, const float* b, std::size_t count, float* y) {
  switch (op) {
    case BinaryOp::kAdd:
      return ForEachPair(a, b, count, y, [](float u, float v) { return u + v; });
    case BinaryOp::kSub:
      return ForEachPair(a, b, count, y, [](float u, float v) { return u - v; });
    case BinaryOp::kMul:
      return ForEachPair(a, b, count, y, [](float u, float v) { return u * v; });
    case BinaryOp::kDiv:
      return ForEachPair(a, b, count, y, [](float u, float v) { return u / v; });
    case BinaryOp::kMin:
      return ForEachPair(a, b, count, y, [](float u, float v) { return v < u ? v : u; });
    case BinaryOp::kMax:
      return ForEachPair(a, b, count, y, [](float u, float v) { return v > u ? v : u; });
    case BinaryOp::kPow:
      return ForEachPair(a, b, count, y, [](float u, float v) { return std::pow(u, v); });
    case BinaryOp::kIf:
      return ForEachPair(a, b, count, y, [](float u, float v) { return u != 0.0F ? v : 0.0F; });
    case BinaryOp::kUnless:
      return ForEachPair(a, b, count, y, [](float u, float v) { return u != 0.0F ? 0.0F : v; });
  }
}

void Execute(const ExecutionPlan& plan, float* arena, std::size_t rows) {
  const Executor executor(plan, arena, rows);
  for (const Step& step : plan.steps) std::visit(executor, step);
}

}  // namespace gonogo::nn::graph
