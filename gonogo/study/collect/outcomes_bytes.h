// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "gonogo/study/collect/collect_cluster.h"

namespace gonogo::study {

/// A cluster on its way from the rank that collected it to the one that keeps it; numbers keep all
/// their bits.
[[nodiscard]] std::string EncodeOutcomes(const ClusterOutcomes& outcomes);
/// Of bytes that `EncodeOutcomes` made.
[[nodiscard]] ClusterOutcomes DecodeOutcomes(std::string_view bytes);

}  // namespace gonogo::study
