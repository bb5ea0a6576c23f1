// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gonogo/audit/rules/violations/upper_rate.h"

namespace gonogo::audit {

/// The condition under which the upper bound of a violation rate holds, in a sentence, with the
/// correlation that was seen and the one that is assumed.
[[nodiscard]] std::string DescribeClustering(double seen_icc,
                                             const ViolationClustering& clustering);

}  // namespace gonogo::audit
