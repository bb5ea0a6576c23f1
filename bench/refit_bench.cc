// SPDX-License-Identifier: Apache-2.0
// One refit of the treatment-effect learner at the paper's size, on one thread. Timed for a few
// epochs; the counter `refit_s` is the time of all 200.
#include <cmath>

#include "bench/paper_size.h"
#include "bench/products.h"
#include <benchmark/benchmark.h>

#include "gonogo/base/check.h"
#include "gonogo/nn/mlp/trainer.h"
#include "gonogo/nn/testing/row_wise_trainer.h"
#ifdef GONOGO_HAS_TORCH
#include "bench/torch_refit.h"
#endif

namespace gonogo::bench {
namespace {

constexpr int kTimedEpochs = 5;
const RngStream kStream(7);

nn::Ensemble TrainShared(const nn::TreatmentData& data, const nn::TreatmentConfig& config,
                         int members) {
  const std::vector<std::vector<int>> draws = EveryQueryOnce(members);
  return nn::TrainTreatmentEnsemble(data, draws[0], draws, config, kStream).value();
}

nn::Ensemble TrainRows(const nn::Samples<float>& rows, const nn::TreatmentConfig& config,
                       int members) {
  return nn::internal::TrainRowWise(rows,
                                    {.losses = config.losses,
                                     .members = members,
                                     .epochs = config.epochs,
                                     .batch_rows = config.batch_rows},
                                    kStream);
}

nn::Samples<float> RowWise(const nn::TreatmentData& data) {
  return {nn::EncodeTreatments(data, 0, data.queries()), data.targets};
}

/// With all rows in one batch the order does not matter, and every formulation must arrive at the
/// same weights up to rounding.
nn::TreatmentConfig OneBatch() {
  nn::TreatmentConfig config = PaperSizeConfig(3);
  config.batch_rows = 0;
  return config;
}

void CheckSame(const nn::Mlp<float>& a, const nn::Mlp<float>& b) {
  for (std::size_t i = 0; i < a.parameters().size(); ++i) {
    GONOGO_CHECK(std::abs(a.parameters()[i] - b.parameters()[i]) < 2e-4F);
  }
}

void Report(benchmark::State& state) {
  using benchmark::Counter;
  state.counters["refit_s"] = Counter(static_cast<double>(kTimedEpochs) / kEpochs,
                                      Counter::kIsIterationInvariantRate | Counter::kInvert);
  state.counters["GFLOP/s"] =
      Counter(MinimalFlop(kTimedEpochs) * 1e-9, Counter::kIsIterationInvariantRate);
}

void RefitShared(benchmark::State& state) {
  const nn::TreatmentData data = PaperSizeTable();
  CheckSame(TrainShared(data, OneBatch(), 1).members[0],
            TrainRows(RowWise(data), OneBatch(), 1).members[0]);
  for (auto _ : state) {
    benchmark::DoNotOptimize(TrainShared(data, PaperSizeConfig(kTimedEpochs), kMembers));
  }
  Report(state);
}
BENCHMARK(RefitShared)->Unit(benchmark::kMillisecond);

void RefitRowWise(benchmark::State& state) {
  const nn::Samples<float> rows = RowWise(PaperSizeTable());
  for (auto _ : state) {
    benchmark::DoNotOptimize(TrainRows(rows, PaperSizeConfig(kTimedEpochs), kMembers));
  }
  Report(state);
}
BENCHMARK(RefitRowWise)->Unit(benchmark::kMillisecond);

#ifdef GONOGO_HAS_TORCH
void RefitLibtorch(benchmark::State& state) {
  const nn::Samples<float> rows = RowWise(PaperSizeTable());
  nn::TreatmentConfig untrained = PaperSizeConfig(0);
  const nn::Ensemble initial = TrainRows(rows, untrained, 1);
  const nn::Samples<float> samples{initial.input.Apply<float>(rows.inputs),
                                   initial.target.Apply<float>(rows.targets)};
  nn::Mlp<float> network = initial.members[0];
  TrainWithTorch(samples, OneBatch().epochs, 0, network);
  CheckSame(network, TrainRows(rows, OneBatch(), 1).members[0]);
  for (auto _ : state) {
    for (int member = 0; member < kMembers; ++member) {
      TrainWithTorch(samples, kTimedEpochs, 256, network);
    }
  }
  Report(state);
}
BENCHMARK(RefitLibtorch)->Unit(benchmark::kMillisecond);
#endif

/// The multiply-adds a refit cannot avoid, at the rate of a large square product.
void BareProducts(benchmark::State& state, const Backend& backend) {
  const Product square{"square", 768, 768, 768};
  const std::vector<float> a(std::size_t(square.rows) * square.depth, 0.5F);
  const std::vector<float> b(std::size_t(square.depth) * square.columns, 0.25F);
  std::vector<float> c(std::size_t(square.rows) * square.columns);
  backend.multiply(square, a.data(), b.data(), c.data());
  GONOGO_CHECK(c.front() == 96.0F && c.back() == 96.0F);
  for (auto _ : state) {
    backend.multiply(square, a.data(), b.data(), c.data());
    benchmark::ClobberMemory();
  }
  state.counters["refit_s"] = benchmark::Counter(
      square.flop() / MinimalFlop(kEpochs),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["GFLOP/s"] =
      benchmark::Counter(square.flop() * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

const bool kRegistered = [] {
  for (const Backend& backend : Backends()) {
    if (backend.name == "libxsmm") continue;  // made for small products
    benchmark::RegisterBenchmark(("BareProducts/" + backend.name).c_str(), BareProducts, backend)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace gonogo::bench
