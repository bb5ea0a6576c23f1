// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/study/evaluate/evaluate.h"

/// For tests: an evaluation whose means are known.
namespace gonogo::paper {

/// Two seeds, the eight harder targets, one trial. Method m needs `effort[m]` and `cot[m]`, takes 2
/// + m / 5 s, and always succeeds; the second seed needs a tenth more effort.
inline study::Evaluation MadeUp(std::vector<std::string> methods, const std::vector<double>& effort,
                                const std::vector<double>& cot, std::string robot = "go2") {
  study::Evaluation evaluation{.robot = std::move(robot),
                               .plan = {.family = "harder", .seeds = {1, 2}, .trials = 1},
                               .targets = {{2.0, 0.0},
                                           {1.5, 1.0},
                                           {0.0, 1.25},
                                           {-0.75, 0.0},
                                           {1.0, -1.0},
                                           {0.0, -1.25},
                                           {1.75, -0.75},
                                           {-1.0, 0.75}},
                               .methods = std::move(methods)};
  for (std::size_t m = 0; m < evaluation.methods.size(); ++m) {
    for (const std::uint64_t seed : evaluation.plan.seeds) {
      for (std::size_t target = 0; target < evaluation.targets.size(); ++target) {
        study::EvaluatedEpisode record{.method = m, .seed = seed, .target = target};
        record.result.success = true;
        record.result.effort = effort[m] * (seed == 2 ? 1.1 : 1.0);
        record.result.cot = cot[m];
        record.result.work_j = 100.0 * cot[m];
        record.result.time_s = 2.0 + 0.2 * static_cast<double>(m);
        record.result.path_m = 1.0;
        record.reasons[0] = 10;
        evaluation.episodes.push_back(record);
      }
    }
  }
  return evaluation;
}

}  // namespace gonogo::paper
