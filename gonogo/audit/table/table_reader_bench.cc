// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "gonogo/audit/table/table_reader.h"
#include "gonogo/base/check.h"
#include "gonogo/base/rng.h"
#include "gonogo/base/testing/bench_size.h"

namespace gonogo::audit {
namespace {

constexpr std::size_t kClusters = 50;
constexpr std::size_t kActions = 5;
constexpr std::size_t kFeatures = 16;

/// A long table with about `rows` rows.
std::string MakeCsv(std::size_t rows) {
  Rng rng = RngStream(1).Generator();
  std::string csv = "cluster,query,action,cost,time,success";
  for (std::size_t f = 0; f < kFeatures; ++f) csv += fmt::format(",f_{}", f);
  csv += '\n';
  for (std::size_t query = 0; query < rows / kActions; ++query) {
    std::string features;
    for (std::size_t f = 0; f < kFeatures; ++f) features += fmt::format(",{:.6f}", rng.Normal());
    for (std::size_t action = 0; action < kActions; ++action) {
      csv += fmt::format("c{},q{},a{},{:.5f},{:.3f},1{}\n", query % kClusters, query, action,
                         100.0 + 10.0 * rng.Uniform(), 2.0 + rng.Uniform(), features);
    }
  }
  return csv;
}

/// Everything a table is checked for included.
void BM_ReadTable(benchmark::State& state) {
  const std::string csv = MakeCsv(static_cast<std::size_t>(state.range(0)));
  Protocol protocol;
  protocol.reference = "a0";
  GONOGO_CHECK(ParseCsvTable(csv, "bench", protocol).value().num_queries() ==
               static_cast<std::size_t>(state.range(0)) / kActions);
  for (auto _ : state) benchmark::DoNotOptimize(ParseCsvTable(csv, "bench", protocol));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(csv.size()));
}
BENCHMARK(BM_ReadTable)
    ->ArgName("rows")
    ->Arg(bench::BenchSize(100'000, 500))
    ->Arg(bench::BenchSize(1'000'000, 1'000))
    ->Unit(benchmark::kMillisecond);

/// The floor: looking at every byte once.
void BM_CountLines(benchmark::State& state) {
  const std::string csv = MakeCsv(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(std::count(csv.begin(), csv.end(), '\n'));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(csv.size()));
}
BENCHMARK(BM_CountLines)
    ->ArgName("rows")
    ->Arg(bench::BenchSize(1'000'000, 1'000))
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace gonogo::audit
