// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/response/data/excitation_log.h"
#include "gonogo/robot/policy.h"
#include "gonogo/sim/loop/conditions.h"
#include "gonogo/sim/world/world.h"

namespace gonogo::study {

/// Persistent excitation of a frozen policy through its command interface (paper, Appendix A).
struct ExcitationOptions {
  int envs = 64;
  int steps = 3300;  ///< control steps of each environment; 64 x 3300 give about 25,000 windows
  int hold = 25;     ///< control steps a command is held
  double small_probability = 0.3;  ///< of a command near rest …
  double small_scale = 0.3;        ///< … which is scaled by this
  double episode_s = 20.0;         ///< a robot that does not fall starts anew after this long
  double fallen_tilt_rad = 1.0;    ///< a robot tilted further has fallen; heading loses its meaning
  std::uint64_t seed = 1;
  std::string policy_sha256;                       ///< goes into the provenance
  std::optional<std::uint64_t> terrain_seed = {};  ///< of the ground, if not `seed`; the same
  sim::Conditions conditions = {};                 ///< under which robots are run
};

/// The command of the next hold: uniform over the box, its velocity now and then scaled down.
[[nodiscard]] robot::Command DrawCommand(const robot::CommandBox& box,
                                         const ExcitationOptions& options, Rng& rng);

/// What one environment does; a function of the options and `env` alone. Falls end an episode and
/// are kept.
[[nodiscard]] Result<response::ExcitationLog> Excite(
    const std::shared_ptr<const sim::World>& world,
    const std::shared_ptr<const robot::Policy>& policy, const ExcitationOptions& options, int env);

/// What decides the data: robot, policy, ground and options, as JSON text.
[[nodiscard]] std::string ExcitationProvenance(const sim::World& world,
                                               const ExcitationOptions& options);

/// Runs all environments and writes `file` (docs/reference/identification-data.md). Finished
/// environments are kept in `<file>.parts/` until all are there, so that the same call resumes an
/// interrupted run; a complete file of the same options is left as it is. The same bytes for any
/// number of jobs and interruptions.
[[nodiscard]] Status CollectExcitation(const std::shared_ptr<const sim::World>& world,
                                       const std::shared_ptr<const robot::Policy>& policy,
                                       const ExcitationOptions& options,
                                       const std::filesystem::path& file,
                                       const Execution& execution);

}  // namespace gonogo::study
