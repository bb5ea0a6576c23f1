// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"
#include "gonogo/sim/episode/target_run.h"
#include "gonogo/study/methods.h"
#include "gonogo/study/ranks/episode_runner.h"
#include "gonogo/study/scene.h"

namespace gonogo::study {

/// Methods x seeds x targets x trials; every method starts every episode from the same state.
struct EvaluationPlan {
  std::string family = "harder";
  std::vector<std::uint64_t> seeds;
  int trials = 10;
};

/// How many decisions of an episode had each reason.
using ReasonCounts = std::array<int, 16>;

/// One episode and where it belongs.
struct EvaluatedEpisode {
  std::size_t method = 0;
  std::uint64_t seed = 0;
  std::size_t target = 0;
  int trial = 0;
  sim::EpisodeResult result;
  ReasonCounts reasons{};
  int active = 0;  ///< decisions whose command was not the direct one
  /// Where the root was at every decision and at the end, seen from the start pose, m.
  std::vector<robot::Point2> path_S;

  [[nodiscard]] int count(control::Reason reason) const {
    return reasons.at(static_cast<std::size_t>(reason));
  }
};

/// A plan that was carried out.
struct Evaluation {
  std::string robot;
  EvaluationPlan plan;
  std::vector<robot::Point2> targets;
  std::vector<std::string> methods;        ///< names, the reference first
  std::vector<EvaluatedEpisode> episodes;  ///< in the order method, seed, target, trial

  /// The episodes of one method; those of two methods correspond one by one.
  [[nodiscard]] std::span<const EvaluatedEpisode> Episodes(std::size_t method) const;
  /// The index of a method, or how many there are.
  [[nodiscard]] std::size_t Find(std::string_view method) const;
};

/// Runs all episodes that `log` does not hold yet (null: all of them); the same for any number of
/// jobs and after any interruption.
[[nodiscard]] Result<Evaluation> RunEvaluation(const Scene& scene,
                                               const std::vector<Method>& methods,
                                               const EvaluationPlan& plan, EpisodeLog* log,
                                               const Execution& execution);

/// The evaluation with work, power, cost of transport and effort at that rate in their first
/// places.
[[nodiscard]] Evaluation AtRate(Evaluation evaluation, sim::WorkRate rate);

/// The part of an evaluation with the named methods, in that order, and the episodes that `keep`
/// accepts, which must not look at the method.
[[nodiscard]] Evaluation Restrict(const Evaluation& evaluation,
                                  const std::vector<std::string>& methods,
                                  const std::function<bool(const EvaluatedEpisode&)>& keep);

/// A robot to evaluate on.
struct EvaluationScene {
  Scene scene;
  std::filesystem::path models;  ///< where `gonogo identify` wrote
};

/// One comparison of a run: on which of the scenes, what, and who, the reference first.
struct EvaluationBlock {
  std::size_t scene = 0;
  EvaluationPlan plan;
  std::vector<std::string> methods;

  [[nodiscard]] std::size_t episodes(const EvaluationScene& at) const;
};

/// Runs all blocks. Finished episodes are kept in `folder`, one log per robot, and never run again.
/// Every method is opened before the first episode, so that a wrong name costs no time.
[[nodiscard]] Result<std::vector<Evaluation>> RunBlocks(std::span<const EvaluationScene> scenes,
                                                        std::span<const EvaluationBlock> blocks,
                                                        const std::vector<std::string>& settings,
                                                        const std::filesystem::path& folder,
                                                        const Execution& execution);

}  // namespace gonogo::study
