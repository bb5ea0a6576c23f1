// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "gonogo/base/result.h"
#include "gonogo/robot/policy.h"
#include "gonogo/robot/spec.h"
#include "gonogo/sim/world/world.h"

namespace gonogo::study {

/// A robot with its frozen policy on a ground: where every robot study takes place.
struct Site {
  robot::RobotSpec robot;
  std::shared_ptr<const robot::Policy> policy;
  std::string policy_sha256;
  std::shared_ptr<const sim::World> world;
};

/// A robot on a ground, whoever moves it.
[[nodiscard]] Result<std::shared_ptr<const sim::World>> OpenWorld(const robot::RobotSpec& robot,
                                                                  std::string_view terrain,
                                                                  std::uint64_t terrain_seed);

/// `terrain` is "flat", "rough" (3 x 3 tiles of random rough ground), "grid" (the paper's training
/// grid), or one tile of it: "slope", "stairs", "boxes". Its heights depend on the seed alone.
[[nodiscard]] Result<Site> OpenSite(const std::filesystem::path& robot, std::string_view terrain,
                                    std::uint64_t terrain_seed);

}  // namespace gonogo::study
