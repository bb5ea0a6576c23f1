// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/kernels/non_zeros.h"

#include <array>

namespace gonogo::nn::internal {
namespace {

/// One bit per lane: set where `x` is not zero.
template <typename Scalar>
GONOGO_INLINE std::uint64_t Mask(Vector<Scalar> x) {
  const auto set = x != Vector<Scalar>{};
#if defined(__AVX2__) && defined(__FMA__)
  if constexpr (sizeof(Scalar) == 4) {
    return static_cast<unsigned>(_mm256_movemask_ps(std::bit_cast<__m256>(set)));
  } else {
    return static_cast<unsigned>(_mm256_movemask_pd(std::bit_cast<__m256d>(set)));
  }
#else
  std::uint64_t mask = 0;
  for (int lane = 0; lane < kLanes<Scalar>; ++lane) {
    mask |= static_cast<std::uint64_t>(set[lane] != 0) << lane;
  }
  return mask;
#endif
}

using Square = std::array<std::uint64_t, NonZeros::kBits>;

/// Exchanges the upper right and lower left quarters of every square of 2 kSize bits.
template <int kSize>
void ExchangeQuarters(Square& rows) {
  constexpr std::uint64_t kLow = ~std::uint64_t{0} / ((std::uint64_t{1} << kSize) + 1);
  for (int square = 0; square < NonZeros::kBits; square += 2 * kSize) {
    for (int i = square; i < square + kSize; ++i) {
      const std::uint64_t swap = ((rows[i] >> kSize) ^ rows[i + kSize]) & kLow;
      rows[i] ^= swap << kSize;
      rows[i + kSize] ^= swap;
    }
  }
}

void TransposeSquare(Square& rows) {
  ExchangeQuarters<32>(rows);
  ExchangeQuarters<16>(rows);
  ExchangeQuarters<8>(rows);
  ExchangeQuarters<4>(rows);
  ExchangeQuarters<2>(rows);
  ExchangeQuarters<1>(rows);
}

}  // namespace

template <typename Scalar>
void NonZeros::Find(int rows, int columns, Rows<Scalar> matrix) {
  words_ = (columns + kBits - 1) / kBits;
  bits_.resize(std::max(bits_.size(), static_cast<std::size_t>(rows) * words_));
  std::uint64_t* word = bits_.data();
  for (int i = 0; i < rows; ++i) {
    for (int first = 0; first < columns; first += kBits) {
      const int count = std::min(kBits, columns - first);
      std::uint64_t bits = 0;
      for (int j = 0; j < count; j += kLanes<Scalar>) {
        bits |= Mask<Scalar>(Load(matrix.at(i, first + j))) << j;
      }
      *word++ = bits;
    }
  }
}

void NonZeros::Transpose(const NonZeros& other, int first, int rows) {
  words_ = 1;
  bits_.resize(static_cast<std::size_t>(other.words_) * kBits);
  for (int word = 0; word < other.words_; ++word) {
    Square square{};
    for (int i = 0; i < rows; ++i) square[i] = other.row(first + i)[word];
    TransposeSquare(square);
    std::copy(square.begin(), square.end(), bits_.begin() + std::ptrdiff_t{word} * kBits);
  }
}

template void NonZeros::Find(int, int, Rows<float>);
template void NonZeros::Find(int, int, Rows<double>);

}  // namespace gonogo::nn::internal
