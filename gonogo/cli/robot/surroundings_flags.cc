// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/robot/surroundings_flags.h"

#include <fmt/format.h>

namespace gonogo::cli {

void SurroundingsFlags::Add(Arguments verb) {
  const std::string group = "Surroundings";
  Argument terrain =
      verb.Option("--terrain", terrain_, fmt::format("The ground: {}", sim::GroundSyntax()));
  terrain.Group(group).Value("GROUND");
  if (!terrain_.empty()) terrain.ShowDefault();
  Argument seed =
      verb.Option("--terrain-seed", seed_,
                  seed_.empty() ? "Seed of one ground for everything; each: every run or "
                                  "cluster has the ground of its own seed [each]"
                                : "Seed of one ground for all runs; each: every seed "
                                  "has a ground of its own")
          .Rare();
  seed.Group(group).Value("SEED");
  if (!seed_.empty()) seed.ShowDefault();
  verb.Option("--conditions", conditions_,
              fmt::format("Under what the robot is run: {} [undisturbed]", sim::ConditionsSyntax()))
      .Group(group)
      .Value("TEXT")
      .Rare();
}

Result<study::Surroundings> SurroundingsFlags::Read() const {
  study::Surroundings surroundings;
  surroundings.ground = GONOGO_TRY(sim::Ground::Parse(terrain_));
  surroundings.seed = GONOGO_TRY(sim::GroundSeed::Parse(seed_.empty() ? "each" : seed_));
  surroundings.conditions = GONOGO_TRY(sim::Conditions::Parse(conditions_));
  return surroundings;
}

Result<study::Surroundings> SurroundingsFlags::Read(std::uint64_t seed) const {
  study::Surroundings surroundings = GONOGO_TRY(Read());
  surroundings.seed.common = surroundings.seed.For(seed);
  return surroundings;
}

}  // namespace gonogo::cli
