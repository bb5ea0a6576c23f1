// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "gonogo/study/evaluate/evaluate.h"
#include "gonogo/study/evaluate/method_summary.h"

namespace gonogo::study {

/// One row per episode, for any other program: docs/reference/formats.md.
[[nodiscard]] std::string EpisodesCsv(std::span<const Evaluation> evaluations);

/// Summaries, paired differences against the first method and every episode.
[[nodiscard]] nlohmann::json ToJson(const Evaluation& evaluation);

}  // namespace gonogo::study
