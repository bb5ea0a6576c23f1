// SPDX-License-Identifier: Apache-2.0
// What a named stream costs against the standard library's generator.
#include <cmath>
#include <random>

#include <benchmark/benchmark.h>

#include "gonogo/base/check.h"
#include "gonogo/base/rng.h"

namespace gonogo {
namespace {

constexpr int kNumbers = 10'000;

/// Times sums of numbers whose mean is `mean`.
template <typename Draw>
void SumOf(benchmark::State& state, double mean, Draw&& draw) {
  for (auto _ : state) {
    double sum = 0.0;
    for (int i = 0; i < kNumbers; ++i) sum += draw();
    GONOGO_CHECK(std::abs(sum / kNumbers - mean) < 0.1);
  }
  state.SetItemsProcessed(state.iterations() * kNumbers);
}

void BM_Uniform(benchmark::State& state) {
  Rng rng = RngStream(1).Generator();
  SumOf(state, 0.5, [&] { return rng.Uniform(); });
}
BENCHMARK(BM_Uniform);

void BM_UniformMersenneTwister(benchmark::State& state) {
  std::mt19937_64 rng(1);
  std::uniform_real_distribution<double> uniform;
  SumOf(state, 0.5, [&] { return uniform(rng); });
}
BENCHMARK(BM_UniformMersenneTwister);

void BM_Normal(benchmark::State& state) {
  Rng rng = RngStream(1).Generator();
  SumOf(state, 0.0, [&] { return rng.Normal(); });
}
BENCHMARK(BM_Normal);

void BM_NormalMersenneTwister(benchmark::State& state) {
  std::mt19937_64 rng(1);
  std::normal_distribution<double> normal;
  SumOf(state, 0.0, [&] { return normal(rng); });
}
BENCHMARK(BM_NormalMersenneTwister);

/// A fresh generator for each of many units of work, and its first number.
void BM_NewStream(benchmark::State& state) {
  const RngStream run(1);
  std::uint64_t unit = 0;
  SumOf(state, 0.5, [&] { return run.Child("refit").Child(unit++).Generator().Uniform(); });
}
BENCHMARK(BM_NewStream);

void BM_NewMersenneTwister(benchmark::State& state) {
  std::uint64_t unit = 0;
  SumOf(state, 0.5, [&] {
    std::mt19937_64 rng(unit++);
    return std::uniform_real_distribution<double>()(rng);
  });
}
BENCHMARK(BM_NewMersenneTwister);

}  // namespace
}  // namespace gonogo
