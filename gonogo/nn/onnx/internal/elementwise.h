// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace gonogo::nn::graph {

enum class UnaryOp { kElu, kRelu, kLeakyRelu, kTanh, kSigmoid, kSoftplus, kSqrt, kExp, kLog };
enum class BinaryOp { kAdd, kSub, kMul, kDiv, kMin, kMax, kPow };

/// y[i] = op(x[i]); `alpha` is the slope parameter of Elu and LeakyRelu. NaN stays NaN. Each
/// element's bytes depend on its value only, not on its place. `y` may be `x`.
void Apply(UnaryOp op, float alpha, const float* x, std::size_t count, float* y);

/// y[i] = a[i] op b[i]. NaN in `a` stays NaN. `y` may be `a` or `b`.
void Apply(BinaryOp op, const float* a, const float* b, std::size_t count, float* y);

}  // namespace gonogo::nn::graph
