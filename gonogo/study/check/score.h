// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/study/check/check.h"

namespace gonogo::study {

/// How well these motions did what they were told: those of the first trials, or of all.
[[nodiscard]] Score ScoreOf(const robot::CommandBox& box, const std::vector<Trial>& trials,
                            const std::vector<Motion>& motions);

/// Whether a description can no longer be clearly better, however its remaining trials go: `score`
/// is that of its first ones out of `trials`.
[[nodiscard]] bool OutOfTheRunning(const Score& score, std::size_t trials, const Score& declared);

/// Whether one description does so much better than another that chance is no explanation: it does
/// not fall where the other does, or follows much more closely at no more power, or just as closely
/// for much less power.
[[nodiscard]] bool ClearlyBetter(const Score& other, const Score& declared);

}  // namespace gonogo::study
