// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gonogo/sim/episode/episode_record.h"
#include "gonogo/study/evaluate/evaluate.h"

namespace gonogo::study {

/// The same start under two methods.
struct PairedEpisode {
  const EvaluatedEpisode* method = nullptr;
  const EvaluatedEpisode* reference = nullptr;
};

/// The start that shows a rescue best: the method succeeded where the reference failed, if there is
/// such a start, and of those the one with most rescuing decisions. Nothing when no method ever
/// rescued itself. The example shows a mechanism; it says nothing about how often it helps.
[[nodiscard]] std::optional<PairedEpisode> FindRescue(const Evaluation& evaluation);

/// Runs the two episodes again, the method's first, and keeps all of them.
[[nodiscard]] Result<std::vector<sim::EpisodeRecord>> RecordPair(
    const EvaluationScene& at, const Evaluation& evaluation, const PairedEpisode& pair,
    const std::vector<std::string>& settings);

/// What one sees there, in one sentence.
[[nodiscard]] std::string DescribePair(const Evaluation& evaluation, const PairedEpisode& pair);

}  // namespace gonogo::study
