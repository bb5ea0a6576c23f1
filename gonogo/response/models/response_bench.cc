// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "gonogo/base/check.h"
#include "gonogo/base/testing/bench_size.h"
#include "gonogo/response/models/fit.h"
#include "gonogo/response/models/response_model.h"

/// \file
/// Training and prediction of f_phi at the size of the Go2, each beside the bare matrix products it
/// contains. The ratio of the two times is what counts.

namespace gonogo::response {
namespace {

constexpr int kObservation = 237;
constexpr int kHidden = 256;
const int kTraining = bench::BenchSize(20, 2) * 1024;  // windows; 25,000 less the held-out ones
const int kHeldOut = bench::BenchSize(5, 1) * 1024;
constexpr int kBatch = 1024;

/// A product that was computed once before it is timed.
struct Product {
  Product(int rows, int inner, int columns)
      : a(nn::Batch<float>::Constant(rows, inner, 0.5F)),
        b(nn::Batch<float>::Constant(inner, columns, 0.25F)),
        c(rows, columns) {}
  void Run() { c.noalias() = a * b; }
  nn::Batch<float> a, b, c;
};

std::vector<Product> Forward(int rows) {
  return {{rows, kObservation, kHidden},
          {rows, kHidden, kHidden},
          {rows, kHidden, ResponseModel::kOutputs}};
}

/// Gradients of the weights, and of the inputs of all layers but the first.
std::vector<Product> Backward(int rows) {
  return {{kObservation, rows, kHidden},
          {kHidden, rows, kHidden},
          {kHidden, rows, ResponseModel::kOutputs},
          {rows, ResponseModel::kOutputs, kHidden},
          {rows, kHidden, kHidden}};
}

void BM_TrainingEpochProducts(benchmark::State& state) {
  std::vector<Product> forward = Forward(kBatch);
  std::vector<Product> backward = Backward(kBatch);
  for (auto _ : state) {
    for (int batch = 0; batch < (kTraining + kHeldOut) / kBatch; ++batch) {
      for (Product& product : forward) product.Run();
      if (batch >= kTraining / kBatch) continue;  // the held-out windows are only evaluated
      for (Product& product : backward) product.Run();
    }
    benchmark::ClobberMemory();
  }
}

void BM_TrainingEpoch(benchmark::State& state) {
  const nn::Batch<float> inputs = nn::Batch<float>::Random(kTraining + kHeldOut, kObservation);
  const nn::Batch<float> targets = inputs.leftCols(ResponseModel::kOutputs);
  std::vector<int> rows(static_cast<std::size_t>(inputs.rows()));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int>(i);
  const FitProblem problem{.inputs = inputs,
                           .targets = targets,
                           .losses = std::vector(ResponseModel::kOutputs, nn::Loss::kSquaredError),
                           .training = std::span(rows).first(kTraining),
                           .validation = std::span(rows).last(kHeldOut)};
  constexpr int kEpochs = 4;
  for (auto _ : state) {
    const Fit fit = FitEnsemble(problem, {.epochs = kEpochs}, RngStream(1), {.jobs = 1}).value();
    const std::vector<double>& loss = fit.validation_loss.front();
    GONOGO_CHECK(loss.back() < loss.front());  // what does not learn has no speed
  }
  state.counters["per_epoch"] = benchmark::Counter(
      kEpochs, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void BM_CandidateProducts(benchmark::State& state) {
  const int candidates = static_cast<int>(state.range(0));
  std::vector<Product> products{{1, kObservation, kHidden},
                                {candidates, kHidden, kHidden},
                                {candidates, kHidden, ResponseModel::kOutputs}};
  for (auto _ : state) {
    for (Product& product : products) product.Run();
    benchmark::ClobberMemory();
  }
}

/// The same candidates as a network sees them without the split of its first layer.
void BM_WholeRowProducts(benchmark::State& state) {
  std::vector<Product> products = Forward(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    for (Product& product : products) product.Run();
    benchmark::ClobberMemory();
  }
}

void BM_PredictCandidates(benchmark::State& state) {
  nn::Ensemble ensemble{.input = nn::Standardiser::Identity(kObservation),
                        .target = nn::Standardiser::Identity(ResponseModel::kOutputs),
                        .losses = std::vector(ResponseModel::kOutputs, nn::Loss::kSquaredError),
                        .members = {nn::Mlp<float>(
                            {.sizes = {kObservation, kHidden, kHidden, ResponseModel::kOutputs}})}};
  ensemble.members.front().Initialise(RngStream(3));
  const ResponseModel model({}, CostChannel::kEffort, {.offset = 9}, ensemble);
  const auto count = static_cast<std::size_t>(state.range(0));
  const std::vector<float> observation(kObservation, 0.1F);
  std::vector<robot::Command> commands(count);
  for (std::size_t i = 0; i < count; ++i) commands[i].vx = 0.01 * static_cast<double>(i);
  std::vector<Response> responses(count);
  const auto scratch = model.MakeScratch(count);
  for (auto _ : state) {
    model.Predict(observation, commands, responses, *scratch);
    benchmark::ClobberMemory();
  }
  GONOGO_CHECK(responses.front().dx != responses.back().dx);
}

BENCHMARK(BM_TrainingEpochProducts)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_TrainingEpoch)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_CandidateProducts)->ArgName("candidates")->Arg(70);
BENCHMARK(BM_WholeRowProducts)->ArgName("candidates")->Arg(70);
BENCHMARK(BM_PredictCandidates)->ArgName("candidates")->Arg(70);

}  // namespace
}  // namespace gonogo::response
