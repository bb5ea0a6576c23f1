// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/internal/elementwise.h"

#include <cmath>

#include "gonogo/nn/mlp/activation.h"

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

}  // namespace

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
  }
}

}  // namespace gonogo::nn::graph
