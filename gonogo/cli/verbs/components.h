// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gonogo_components.h>

/// \file
/// What this build contains (cmake/GonogoComponents.cmake). Code that only one component can run
/// stands behind `if constexpr`: it is compiled in every build and linked in those that have it.
namespace gonogo::cli {

inline constexpr bool kHasRobots = GONOGO_SIM;
inline constexpr bool kHasTraining = GONOGO_TRAIN;
inline constexpr bool kHasPaper = GONOGO_PAPER;

/// A part of gonogo that can be left out when it is built.
enum class Component { kRobots, kTraining, kPaper };

/// "tables" and what else this build has, for `gonogo version`.
[[nodiscard]] std::vector<std::string> BuiltComponents();

/// That `what`, such as "gonogo rollout", needs a build with this component: a sentence without its
/// full stop.
[[nodiscard]] std::string NotBuilt(std::string_view what, Component component);

}  // namespace gonogo::cli
