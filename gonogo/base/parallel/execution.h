// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

namespace gonogo {

class Team;

/// How a long computation is run, never what it computes: results may not depend on any of this.
struct Execution {
  int jobs = 0;               ///< threads; 0 = all cores
  std::stop_token stop = {};  ///< polled between units of work
  /// May be empty; thread-safe if given. One call for every unit of work that this run finished,
  /// which is what its pace is measured by; units kept from an earlier run are part of `done` but
  /// are not called for, except when they are the last. A call with `done` 0 only announces.
  std::function<void(std::size_t done, std::size_t total)> progress = {};
  Team* team = nullptr;  ///< other processes that help (base/parallel/team.h); null: none
};

}  // namespace gonogo
