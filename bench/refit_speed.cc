// SPDX-License-Identifier: Apache-2.0
// refit_speed JOBS REFITS: our refits of the paper's size, in parallel, as one line of JSON.
#include <chrono>
#include <cstdlib>
#include <ctime>

#include "bench/paper_size.h"
#include <fmt/format.h>

#include "gonogo/base/parallel/parallel.h"

int main(int argc, char** argv) {
  using namespace gonogo;
  if (argc != 3) {
    fmt::print(stderr, "usage: refit_speed JOBS REFITS\n");
    return 2;
  }
  const int jobs = std::atoi(argv[1]);
  const int refits = std::atoi(argv[2]);
  const nn::TreatmentData data = bench::PaperSizeTable();
  const std::vector<std::vector<int>> draws = bench::EveryQueryOnce(bench::kMembers);
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t cpu_start = std::clock();
  std::vector<std::vector<float>> predictions(refits);
  ParallelFor(jobs, refits, [&](std::size_t b) {
    const nn::Ensemble ensemble =
        nn::TrainTreatmentEnsemble(data, draws[0], draws, bench::PaperSizeConfig(bench::kEpochs),
                                   RngStream(7).Child(b))
            .value();
    predictions[b] = nn::PredictTreatments(ensemble, data, 0, bench::kQueries);
  });
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double cpu = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
  fmt::print("{{\"name\": \"gonogo\", \"threads\": {}, \"wall_s\": {:.3f}, \"cpu_s\": {:.3f}}}\n",
             jobs, wall / refits, cpu / refits);
  return 0;
}
