// SPDX-License-Identifier: Apache-2.0
// A policy of the usual size through the executor, beside nothing but its matrix products.
#include <vector>

#include <Eigen/Core>
#include <benchmark/benchmark.h>

#include "gonogo/base/check.h"
#include "gonogo/nn/onnx/export.h"
#include "gonogo/nn/onnx/model.h"

namespace gonogo::nn {
namespace {

const MlpShape kPolicy{.sizes = {235, 512, 256, 128, 12}, .hidden = Activation::kElu};

Mlp<float> MakePolicy() {
  Mlp<float> network(kPolicy);
  network.Initialise(RngStream(1));
  return network;
}

Batch<float> MakeObservations(int rows) {
  Rng rng = RngStream(2).Generator();
  Batch<float> x(rows, kPolicy.inputs());
  for (float& value : std::span(x.data(), x.size())) value = static_cast<float>(rng.Normal());
  return x;
}

void CountRows(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void BM_RunPolicy(benchmark::State& state) {
  const Mlp<float> network = MakePolicy();
  const OnnxModel model = OnnxModel::Parse(SerialiseOnnx(DescribeOnnx(network)), "bench").value();
  const Batch<float> x = MakeObservations(static_cast<int>(state.range(0)));
  Batch<float> y(x.rows(), kPolicy.outputs());
  const std::span<const float> in(x.data(), x.size());
  const std::span<float> out(y.data(), y.size());
  OnnxModel::Scratch scratch;
  model.Run({&in, 1}, {&out, 1}, scratch);
  Mlp<float>::Scratch reference;
  GONOGO_CHECK(y == network.Forward(x, reference));  // a wrong answer has no speed
  for (auto _ : state) {
    model.Run({&in, 1}, {&out, 1}, scratch);
    benchmark::ClobberMemory();
  }
  CountRows(state);
}

/// The baseline: Eigen's products of the same sizes, without bias or activation. For one row the
/// weights are stored by columns, which is the faster way for Eigen.
void BM_BareProducts(benchmark::State& state) {
  const Mlp<float> network = MakePolicy();
  const int rows = static_cast<int>(state.range(0));
  std::vector<Eigen::MatrixXf> transposed;
  std::vector<Batch<float>> activations = {MakeObservations(rows)};
  std::vector<Eigen::VectorXf> vectors = {activations[0].row(0).transpose()};
  for (int l = 0; l < kPolicy.layers(); ++l) {
    transposed.emplace_back(network.weight(l).transpose());
    activations.emplace_back(rows, kPolicy.sizes[l + 1]);
    vectors.emplace_back(kPolicy.sizes[l + 1]);
  }
  for (auto _ : state) {
    for (int l = 0; l < kPolicy.layers(); ++l) {
      if (rows == 1) {
        vectors[l + 1].noalias() = transposed[l] * vectors[l];
      } else {
        activations[l + 1].noalias() = activations[l] * network.weight(l);
      }
    }
    benchmark::ClobberMemory();
  }
  CountRows(state);
}

BENCHMARK(BM_BareProducts)->ArgName("rows")->Arg(1)->Arg(8)->Arg(48)->Arg(1024);
BENCHMARK(BM_RunPolicy)->ArgName("rows")->Arg(1)->Arg(8)->Arg(48)->Arg(1024);

}  // namespace
}  // namespace gonogo::nn
