// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gonogo/report/audit/channel.h"
#include "gonogo/report/page/page.h"

namespace gonogo::report::internal {

/// The channel against its threshold: one interval per rule that has it, the GO side tinted.
[[nodiscard]] Chart ChannelChart(const std::vector<Rule>& rules, const Channel& channel);

/// How the refits scatter around the channel's threshold, GO side coloured.
[[nodiscard]] Chart ReplicateChart(const Channel& channel, std::span<const double> replicates);

/// Share of the replicates on the GO side of the channel's threshold.
[[nodiscard]] double GoShare(const Channel& channel, std::span<const double> replicates);

}  // namespace gonogo::report::internal
