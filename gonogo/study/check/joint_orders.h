// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/study/check/alternatives.h"

namespace gonogo::study {

/// Usual orders of joints that differ from the declared one: branch by branch (a leg at a time) and
/// level by level (all hips, all thighs …), with branches in the model's order and with neighbours
/// or halves exchanged; each with the joints' values moving along and with the values staying where
/// they are in their lists.
[[nodiscard]] std::vector<Alternative> OtherJointOrders(const robot::RobotSpec& robot,
                                                        const sim::Mechanics& mechanics);

}  // namespace gonogo::study
