// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "gonogo/sim/loop/closed_loop.h"

namespace gonogo::sim {

/// A snapshot as bytes, to continue in another process on the same kind of machine. Two snapshots
/// are the same state exactly when their bytes are equal.
[[nodiscard]] std::string ToBytes(const LoopSnapshot& snapshot);

/// Reads what `ToBytes` wrote; anything else is an error.
[[nodiscard]] Result<LoopSnapshot> SnapshotFromBytes(std::string_view bytes);

}  // namespace gonogo::sim
