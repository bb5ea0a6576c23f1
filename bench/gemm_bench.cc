// SPDX-License-Identifier: Apache-2.0
// The audit's matrix products, by library, on one thread. `all` is one training step's worth.
#include <cmath>

#include "bench/products.h"
#include <benchmark/benchmark.h>

#include "gonogo/base/check.h"
#include "gonogo/base/rng.h"

namespace gonogo::bench {
namespace {

struct Operands {
  std::vector<float> a;
  std::vector<float> b;
  std::vector<float> c;
};

Operands Random(const Product& p) {
  Operands operands{std::vector<float>(std::size_t(p.rows) * p.depth),
                    std::vector<float>(std::size_t(p.depth) * p.columns),
                    std::vector<float>(std::size_t(p.rows) * p.columns)};
  Rng rng = RngStream(1).Generator();
  for (float& x : operands.a) x = static_cast<float>(rng.Uniform(-1.0, 1.0));
  for (float& x : operands.b) x = static_cast<float>(rng.Uniform(-1.0, 1.0));
  return operands;
}

/// Compares with the definition in double.
bool IsRight(const Product& p, const Operands& o) {
  for (int i = 0; i < p.rows; ++i) {
    for (int j = 0; j < p.columns; ++j) {
      double sum = 0.0;
      for (int k = 0; k < p.depth; ++k) {
        const double a = p.transpose_a ? o.a[k * p.rows + i] : o.a[i * p.depth + k];
        const double b = p.transpose_b ? o.b[j * p.depth + k] : o.b[k * p.columns + j];
        sum += a * b;
      }
      if (!(std::abs(sum - o.c[i * p.columns + j]) < 1e-3)) return false;
    }
  }
  return true;
}

void Multiply(benchmark::State& state, const Backend& backend,
              const std::vector<Product>& products) {
  std::vector<Operands> operands;
  double flop = 0.0;
  for (const Product& product : products) {
    operands.push_back(Random(product));
    Operands& o = operands.back();
    backend.multiply(product, o.a.data(), o.b.data(), o.c.data());
    GONOGO_CHECK(IsRight(product, o));
    flop += product.flop();
  }
  for (auto _ : state) {
    for (std::size_t i = 0; i < products.size(); ++i) {
      backend.multiply(products[i], operands[i].a.data(), operands[i].b.data(),
                       operands[i].c.data());
    }
    benchmark::ClobberMemory();
  }
  state.counters["GFLOP/s"] =
      benchmark::Counter(flop * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

void Register() {
  const auto add = [](const std::string& name, std::vector<Product> products) {
    for (const Backend& backend : Backends()) {
      if (!std::ranges::all_of(products, backend.can)) continue;
      benchmark::RegisterBenchmark((name + "/" + backend.name).c_str(), Multiply, backend, products)
          ->Unit(benchmark::kMicrosecond);
    }
  };
  for (const Product& product : AuditProducts()) add(product.name, {product});
  add("all", AuditProducts());
  add("square", {{"square", 768, 768, 768}});
}

const bool kRegistered = (Register(), true);

}  // namespace
}  // namespace gonogo::bench
