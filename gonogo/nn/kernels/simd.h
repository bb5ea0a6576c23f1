// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

// Compiler vectors instead of intrinsics: the same source compiles for every instruction set. Only
// the fused multiply-add has to be asked for by name, because contraction is off in this project.
#define GONOGO_INLINE inline __attribute__((always_inline))

namespace gonogo::nn::internal {

template <typename Scalar>
struct Simd;
template <>
struct Simd<float> {
  using Vector = float __attribute__((vector_size(32)));
};
template <>
struct Simd<double> {
  using Vector = double __attribute__((vector_size(32)));
};

template <typename Scalar>
using Vector = typename Simd<Scalar>::Vector;

/// Scalars per vector.
template <typename Scalar>
inline constexpr int kLanes = static_cast<int>(sizeof(Vector<Scalar>) / sizeof(Scalar));

template <typename Scalar>
GONOGO_INLINE Vector<Scalar> Load(const Scalar* from) {
  Vector<Scalar> vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

template <typename Scalar>
GONOGO_INLINE void Store(Vector<Scalar> vector, Scalar* to) {
  std::memcpy(to, &vector, sizeof vector);
}

template <typename Scalar>
GONOGO_INLINE Vector<Scalar> Broadcast(Scalar value) {
  return value - Vector<Scalar>{};
}

/// One stage of a transposition: exchanges the upper right and lower left quarters of every square
/// of 2 kSize lanes and rows.
template <int kSize, typename Scalar, int... kLane>
GONOGO_INLINE void ExchangeQuarters(Vector<Scalar>* rows, std::integer_sequence<int, kLane...>) {
#pragma GCC unroll 16
  for (int i = 0; i < kLanes<Scalar>; ++i) {
    if ((i & kSize) != 0) continue;
    const Vector<Scalar> upper = rows[i];
    const Vector<Scalar> lower = rows[i + kSize];
    rows[i] = __builtin_shufflevector(
        upper, lower, ((kLane & kSize) == 0 ? kLane : kLanes<Scalar> + kLane - kSize)...);
    rows[i + kSize] = __builtin_shufflevector(
        upper, lower, ((kLane & kSize) == 0 ? kLane + kSize : kLanes<Scalar> + kLane)...);
  }
}

/// Transposes kLanes rows of kLanes scalars.
template <typename Scalar>
GONOGO_INLINE void TransposeSquare(const Scalar* from, std::ptrdiff_t from_stride, Scalar* to,
                                   std::ptrdiff_t to_stride) {
  constexpr int kCount = kLanes<Scalar>;
  Vector<Scalar> rows[kCount];
#pragma GCC unroll 16
  for (int i = 0; i < kCount; ++i) rows[i] = Load(from + i * from_stride);
  constexpr auto kEvery = std::make_integer_sequence<int, kCount>{};
  if constexpr (kCount > 4) ExchangeQuarters<4, Scalar>(rows, kEvery);
  ExchangeQuarters<2, Scalar>(rows, kEvery);
  ExchangeQuarters<1, Scalar>(rows, kEvery);
#pragma GCC unroll 16
  for (int i = 0; i < kCount; ++i) Store(rows[i], to + i * to_stride);
}

/// a * b + c, rounded once where the machine can.
GONOGO_INLINE Vector<float> MultiplyAdd(Vector<float> a, Vector<float> b, Vector<float> c) {
#if defined(__AVX2__) && defined(__FMA__)
  return _mm256_fmadd_ps(a, b, c);
#else
  return a * b + c;
#endif
}
GONOGO_INLINE Vector<double> MultiplyAdd(Vector<double> a, Vector<double> b, Vector<double> c) {
#if defined(__AVX2__) && defined(__FMA__)
  return _mm256_fmadd_pd(a, b, c);
#else
  return a * b + c;
#endif
}

}  // namespace gonogo::nn::internal
