// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace gonogo::nn {

/// What a layer applies to its affine outputs. ELU has alpha = 1.
enum class Activation { kIdentity, kRelu, kElu, kTanh };

/// exp(x). The float version is branch-free (relative error below 2e-7 on [-87, 88], clamped
/// outside), so that a loop over it vectorises and gives the same bits for every position in an
/// array.
[[nodiscard]] inline double Exp(double x) { return std::exp(x); }
[[nodiscard]] inline float Exp(float x) {
  constexpr float kLog2e = 1.44269504F;
  constexpr float kLn2High = 0.693359375F;  // few bits: n * kLn2High is exact
  constexpr float kLn2Low = -2.12194440e-4F;
  constexpr float kRoundingShift = 12582912.0F;  // 1.5 * 2^23: adding it rounds to an integer
  x = std::clamp(x, -87.0F, 88.0F);
  const float shifted = x * kLog2e + kRoundingShift;
  const float n = shifted - kRoundingShift;
  const float r = (x - n * kLn2High) - n * kLn2Low;
  float p = 1.0F / 5040.0F;  // Taylor on |r| <= ln(2)/2: remainder 6e-9
  p = p * r + 1.0F / 720.0F;
  p = p * r + 1.0F / 120.0F;
  p = p * r + 1.0F / 24.0F;
  p = p * r + 1.0F / 6.0F;
  p = p * r + 0.5F;
  p = p * r + 1.0F;
  p = p * r + 1.0F;
  // The integer n sits in the low bits of `shifted`; a cast of n would be undefined for NaN.
  const std::uint32_t exponent =
      std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(kRoundingShift) + 127U;
  return p * std::bit_cast<float>(exponent << 23U);
}

/// 1 / (1 + exp(-x)).
template <typename Scalar>
[[nodiscard]] Scalar Sigmoid(Scalar x) {
  return Scalar(1) / (Scalar(1) + Exp(-x));
}

/// tanh(x); the float version has absolute error below 2e-7.
template <typename Scalar>
[[nodiscard]] Scalar Tanh(Scalar x) {
  return Scalar(1) - Scalar(2) / (Exp(Scalar(2) * x) + Scalar(1));
}
template <>
[[nodiscard]] inline double Tanh(double x) {
  return std::tanh(x);
}

/// Replaces affine outputs by activations, in place.
template <typename Scalar>
void Activate(Activation kind, std::span<Scalar> values);

/// Multiplies `gradient` by the derivative of the activation, which all four kinds can read off
/// their own outputs.
template <typename Scalar>
void MultiplyByDerivative(Activation kind, std::span<const Scalar> outputs,
                          std::span<Scalar> gradient);

}  // namespace gonogo::nn
