// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "gonogo/calibrate/worlds/world.h"

namespace gonogo::calibrate {

/// Kinds of worlds in which the same questions are asked again: a rule that was made in one of them
/// has to hold in the others.
enum class Family {
  kLinear,       ///< the worlds the rules were made in
  kRobot,        ///< success decides eligibility, failures cluster and cost double
  kClustered,    ///< violations of one cluster go together: logit sd 1.3
  kSteps,        ///< the context differs between clusters, in steps
  kNonlinear,    ///< smooth effects, lognormal costs, time decides eligibility
  kHeavyTails,   ///< t noise, lognormal costs with sd 1, two strong features of sixty
  kInformative,  ///< cluster sizes differ and say something about the queries
};
inline constexpr std::array kFamilies = {
    Family::kLinear,    Family::kRobot,      Family::kClustered,  Family::kSteps,
    Family::kNonlinear, Family::kHeavyTails, Family::kInformative};

[[nodiscard]] std::string_view Name(Family family);

/// Whether constants of a rule may be chosen by what happens in this family. Declared before any of
/// the others was run with the leave-pair-out rule of this program; the others only confirm.
[[nodiscard]] constexpr bool MayTuneOn(Family family) {
  return family == Family::kLinear || family == Family::kRobot || family == Family::kClustered;
}

/// The world moved into the family.
[[nodiscard]] World InFamily(Family family, World world);

}  // namespace gonogo::calibrate
