// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/internal/plan.h"

#include <algorithm>

#include "gonogo/nn/kernels/gemm.h"

namespace gonogo::nn::graph {
namespace {

class Executor {
 public:
  Executor(const Plan& plan, float* arena, std::size_t rows)
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

  const Plan& plan_;
  float* arena_;
  std::size_t rows_;
};

}  // namespace

void Execute(const Plan& plan, float* arena, std::size_t rows) {
  const Executor executor(plan, arena, rows);
  for (const Step& step : plan.steps) std::visit(executor, step);
}

}  // namespace gonogo::nn::graph
