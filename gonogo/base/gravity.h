// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gonogo {

/// Of the standard Earth, in m/s²: what costs of transport, weights of robots and falls are
/// reckoned with.
inline constexpr double kGravity = 9.81;

}  // namespace gonogo
