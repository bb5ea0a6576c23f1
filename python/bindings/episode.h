// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/sim/episode/target_run.h"

namespace gonogo::python {

/// The state of a world and which world it is of: robot, layout, ground.
struct Snapshot {
  sim::LoopSnapshot state;
  std::string world;
};

/// A state of an episode before a decision, and which world it is of.
struct Query {
  sim::Bookmark state;
  std::string world;
};

/// An episode, and the states from which it can be continued otherwise.
struct Episode {
  sim::EpisodeRecord record;
  std::vector<Query> queries;  ///< before each decision; none in an episode from a file
};

}  // namespace gonogo::python
