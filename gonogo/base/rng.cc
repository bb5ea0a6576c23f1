// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/rng.h"

#include <cmath>
#include <numbers>

#include <Random123/philox.h>

#include "gonogo/base/check.h"

namespace gonogo {
namespace {

constexpr std::uint64_t kNameTag = 0x6e616d65;
constexpr std::uint64_t kIndexTag = 0x696e6478;
constexpr std::uint64_t kSeedTag = 0x73656564;

std::uint32_t Low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
std::uint32_t High(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32U); }

r123::Philox4x32::ctr_type Philox(std::uint64_t counter_low, std::uint64_t counter_high,
                                  std::uint64_t key) {
  const r123::Philox4x32::ctr_type counter = {
      {Low(counter_low), High(counter_low), Low(counter_high), High(counter_high)}};
  const r123::Philox4x32::key_type philox_key = {{Low(key), High(key)}};
  return r123::Philox4x32()(counter, philox_key);
}

std::uint64_t Join(std::uint32_t low, std::uint32_t high) {
  return static_cast<std::uint64_t>(high) << 32U | low;
}

std::uint64_t Fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return hash;
}

}  // namespace

RngStream::RngStream(std::uint64_t seed) : RngStream(RngStream(0, 0).Derive(kSeedTag, seed)) {}

// Philox itself mixes parent and child: 128 fresh bits for every step of the path.
RngStream RngStream::Derive(std::uint64_t tag, std::uint64_t word) const {
  const auto out = Philox(word, nonce_ ^ tag, key_);
  return {Join(out[0], out[1]), Join(out[2], out[3])};
}

RngStream RngStream::Child(std::string_view name) const { return Derive(kNameTag, Fnv1a(name)); }
RngStream RngStream::Child(std::uint64_t index) const { return Derive(kIndexTag, index); }
Rng RngStream::Generator() const { return Rng(*this); }

void Rng::Fill(std::uint64_t block) {
  const auto out = Philox(block, stream_.nonce_, stream_.key_);
  for (std::size_t i = 0; i < 4; ++i) words_[i] = out[i];
}

std::uint32_t Rng::NextU32() {
  if (used_ == 4) {
    Fill(block_++);
    used_ = 0;
  }
  return words_[used_++];
}

std::uint64_t Rng::NextU64() {
  const std::uint32_t low = NextU32();
  return Join(low, NextU32());
}

double Rng::Uniform() { return static_cast<double>(NextU64() >> 11U) * 0x1.0p-53; }
double Rng::Uniform(double low, double high) { return low + (high - low) * Uniform(); }

// Lemire's multiply-and-reject.
std::uint64_t Rng::Below(std::uint64_t n) {
  GONOGO_CHECK(n > 0);
  const std::uint64_t threshold = (0 - n) % n;
  while (true) {
    const auto product = static_cast<unsigned __int128>(NextU64()) * n;
    if (static_cast<std::uint64_t>(product) >= threshold) {
      return static_cast<std::uint64_t>(product >> 64U);
    }
  }
}

double Rng::Normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const double radius = std::sqrt(-2.0 * std::log1p(-Uniform()));
  const double angle = 2.0 * std::numbers::pi * Uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

void Rng::Restore(const State& state) {
  block_ = state.block;
  used_ = state.used;
  has_spare_ = state.has_spare;
  spare_ = state.spare;
  if (used_ < 4) Fill(block_ - 1);
}

}  // namespace gonogo
