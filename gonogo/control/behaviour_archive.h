// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/response/data/excitation_log.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::control {

/// A piece of a rollout that might be done again.
struct Behaviour {
  double dx = 0.0;  ///< body-frame displacement, m
  double dy = 0.0;
  double dpsi = 0.0;
  robot::Command velocity;      ///< displacement and turn per second
  double start_height_m = 0.0;  ///< the state it began in …
  double start_tilt_rad = 0.0;
  double min_height_m = 0.0;  ///< … and what happened
  double effort = 0.0;
  double max_tilt_rad = 0.0;  ///< stability
  double roughness = 0.0;     ///< mean change of angular speed per step: the less, the smoother
  double utility = 0.0;       ///< response::WindowUtility
  std::size_t cluster = 0;
};

/// How VGSR makes its archive. The paper does not state these constants; they are ours.
struct ArchiveOptions {
  int chunk_steps = 16;
  int stride = 8;
  double novelty = 0.25;  ///< least distance of two descriptors, in standard deviations
  int clusters = 32;
  std::size_t size = 0;  ///< keep the most useful ones; 0 = all
};

struct BehaviourArchive {
  std::vector<Behaviour> behaviours;                ///< ordered by cluster, then by utility
  std::vector<std::size_t> cluster_begin;           ///< one more than there are clusters
  std::vector<std::array<double, 2>> cluster_step;  ///< mean (dx, dy) of each cluster
  double chunk_s = 0.0;                             ///< duration of every behaviour
  double mean_effort = 0.0;
  double best_utility = 0.0;
};

/// Cuts a log into chunks, drops those too similar to a more useful one, keeps the most useful and
/// clusters them by k-means. Fails when the log has no chunks.
[[nodiscard]] Result<BehaviourArchive> BuildArchive(const response::ExcitationLog& log,
                                                    const robot::PostureSpec& posture,
                                                    const ArchiveOptions& options,
                                                    const RngStream& stream);

}  // namespace gonogo::control
