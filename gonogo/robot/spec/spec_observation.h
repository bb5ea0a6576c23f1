// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "gonogo/io/toml/toml.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::robot {

/// Reads [[observation]], [history] and [[input]]; joints, scan and command must be known.
void ReadObservation(const io::TomlNode& root, RobotSpec& spec);

/// Reads frames, order and fill: how often whole frames of these terms are kept.
[[nodiscard]] FrameHistory ReadFrames(const io::TomlNode& node,
                                      std::span<const ObservationTerm> terms);

/// Reads "oldest_first" or "newest_first", "first" or "zero" under the names `order` and `fill`.
void ReadHistoryForm(const io::TomlNode& node, const char* order, const char* fill,
                     bool& newest_first, bool& zero_filled);

}  // namespace gonogo::robot
