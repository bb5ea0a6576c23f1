// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/study/check/check.h"

namespace gonogo::study {

/// How well these motions did what they were told.
[[nodiscard]] Score ScoreOf(const robot::CommandBox& box, const std::vector<Trial>& trials,
                            const std::vector<Motion>& motions);

/// Whether one description does so much better than another that chance is no explanation: it does
/// not fall where the other does, or follows much more closely at no more power, or just as closely
/// for much less power.
[[nodiscard]] bool ClearlyBetter(const Score& other, const Score& declared);

}  // namespace gonogo::study
