// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

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
