// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gonogo/base/rng.h"

namespace gonogo::audit {

/// Random halves of `count` replicates, each ascending. A half drawn without replacement scatters
/// around the whole set with the variance with which another whole set would scatter around its
/// expectation, (s^2 / (B/2)) (1 - 1/2) = s^2 / B: what a decision does over the halves is what it
/// would do over bootstrap seeds, without a single refit (docs/concepts/intervals.md, flip rate).
[[nodiscard]] std::vector<std::vector<std::size_t>> RandomHalves(std::size_t count,
                                                                 std::size_t halves,
                                                                 const RngStream& stream);

/// 0, 1, ..., count - 1.
[[nodiscard]] std::vector<std::size_t> AllOf(std::size_t count);

}  // namespace gonogo::audit
