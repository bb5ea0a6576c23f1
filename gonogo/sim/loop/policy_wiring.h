// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "gonogo/base/result.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/sim/loop/wired_graph.h"

namespace gonogo::sim {

/// The graphs of a policy, each with its inputs connected.
struct PolicyGraphs {
  std::optional<WiredGraph> encoder;
  WiredGraph policy;
};

/// Reads the graphs that a robot.toml names and connects their inputs to its observation. What does
/// not fit is an error that names the file, the input, what it takes and what it would get.
[[nodiscard]] Result<PolicyGraphs> WirePolicy(const robot::RobotSpec& spec);

}  // namespace gonogo::sim
